import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  contactKindNames,
  contactKindsText,
  contactTraitsOf,
  type ContactTraits,
  isContactKindName,
  mailKindNames,
  statefulKindNames,
} from './contact-kinds.ts'

function kindsThat(holds: (traits: ContactTraits) => boolean): string[] {
  return contactKindNames.filter((name) => {
    const traits = contactTraitsOf(name)
    return traits !== null && holds(traits)
  })
}

const stateful = ['pagerduty', 'alertmanager']

describe('kinds of contacts', () => {
  const told: [what: string, names: string[], holds: (traits: ContactTraits) => boolean][] = [
    ['leave as mail', ['email'], ({ via }) => via === 'mail'],
    ['wait for the link that was mailed', ['email'], ({ needsConfirmation }) => needsConfirmation],
    ['are signed', ['webhook'], ({ isSigned }) => isSigned],
    ['have an address that opens the channel', ['slack'], ({ isAddressSecret }) => isAddressSecret],
    ['hold the alert as it is', ['webhook'], ({ isForPrograms }) => isForPrograms === true],
    ['keep what they were told until its end', stateful, ({ keepsState }) => keepsState === true],
    ['get each alert for itself', stateful, ({ bundleSeconds }) => bundleSeconds === null],
    [
      'ring a phone, and wait for longer to leave together',
      ['pushover', 'twilio_sms'],
      ({ bundleSeconds }) => (bundleSeconds ?? 0) > 60,
    ],
    [
      'reach one person',
      ['email', 'ntfy', 'gotify', 'pushover', 'twilio_sms', 'web_push'],
      ({ isPersonal }) => isPersonal,
    ],
  ]
  for (const [what, names, holds] of told)
    it(`that ${what} are ${names.join(', ')}`, () => assert.deepEqual(kindsThat(holds), names))

  it('are listed by how they leave and by what they keep', () => {
    assert.deepEqual(mailKindNames, ['email'])
    assert.deepEqual(statefulKindNames, stateful)
  })

  it('are those of this release', () => {
    assert.ok(contactKindNames.length > 0 && contactKindNames.every(isContactKindName))
    for (const name of ['toString', 'fax', '']) {
      assert.equal(isContactKindName(name), false, name)
      assert.equal(contactTraitsOf(name), null)
    }
    assert.match(contactKindsText, /^`email`, `webhook`, .+ or `web_push`$/)
  })
})
