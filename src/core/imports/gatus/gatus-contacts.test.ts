import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFindings } from '#core/imports/findings.ts'
import { readGatusContacts } from './gatus-contacts.ts'

function contactsOf(alerting: Record<string, unknown>) {
  const findings = createFindings()
  const providers = readGatusContacts(alerting, findings)
  const { contacts, notes } = findings.file()
  return {
    providers,
    contacts: contacts.map(({ input: { name, destination, options } }) => ({ name, destination, options })),
    notes: notes.map(({ effect, place }) => `${effect} ${place}`),
  }
}

const ntfy = { topic: 'perigee-example' }
const pushover = {
  'application-token': 'a'.repeat(30),
  'user-key': 'u'.repeat(30),
}

describe('providers of Gatus', () => {
  it('have a name of their type, and options that are not what this service uses by itself', () => {
    assert.deepEqual(contactsOf({ ntfy: { ...ntfy, url: 'https://ntfy.sh/' } }).contacts, [
      { name: 'Ntfy', destination: 'perigee-example', options: { priority: 3 } },
    ])
    assert.deepEqual(contactsOf({ ntfy: { ...ntfy, url: 'https://ntfy.example.com', priority: 4 } }).contacts, [
      { name: 'Ntfy', destination: 'perigee-example', options: { server: 'https://ntfy.example.com', priority: 4 } },
    ])
    const { contacts } = contactsOf({
      'teams-workflows': { 'webhook-url': 'https://a.webhook.office.com/webhookb2/x' },
    })
    assert.equal(contacts[0]?.name, 'Teams workflows')
  })

  for (const [priority, emergency] of [
    [undefined, undefined],
    [1, undefined],
    [2, true],
    [3, undefined],
  ])
    it(`of Pushover with the priority ${priority} are ${emergency === true ? 'emergencies' : 'none'}`, () => {
      const [contact] = contactsOf({ pushover: { ...pushover, priority } }).contacts
      assert.equal(contact?.options?.['emergency'], emergency)
    })

  it('are lost where no contact does what they do, or where they are no settings', () => {
    const { notes, providers } = contactsOf({ custom: { url: 'https://a.example' }, slack: 'on', constructor: {} })
    assert.deepEqual(notes, ['lost alerting.custom', 'lost alerting.slack', 'lost alerting.constructor'])
    assert.deepEqual(providers.get('custom'), { keys: [], defaults: {} })
  })

  it('are one contact for all groups', () => {
    for (const [overrides, notes] of [
      [undefined, []],
      [null, []],
      [[{ group: 'core' }], ['lost alerting.ntfy.overrides']],
    ])
      assert.deepEqual(contactsOf({ ntfy: { ...ntfy, overrides } }).notes, notes)
  })

  it('have alerts of their own', () => {
    const { providers } = contactsOf({ ntfy: { ...ntfy, 'default-alert': { 'failure-threshold': 5 } } })
    const { keys, defaults } = providers.get('ntfy') ?? {}
    assert.deepEqual([keys, defaults?.['failure-threshold']], [['ntfy'], '5'])
  })

  it('need the channel of Mattermost, in lower case and without its sign', () => {
    const url = { 'webhook-url': 'https://mm.example.com/hooks/abc123' }
    assert.equal(
      contactsOf({ mattermost: { ...url, channel: '#Town-Square' } }).contacts[0]?.destination,
      'town-square',
    )
    assert.deepEqual(contactsOf({ mattermost: url }).notes, ['lost alerting.mattermost.channel'])
  })

  it('are 200 at most, with a hundred letters of their types', () => {
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`${at}${'x'.repeat(100)}`, {}]))
    const { notes } = contactsOf(many)
    assert.equal(notes.length, 200)
    assert.equal(notes[0], `lost alerting.0${'x'.repeat(99)}`)
  })
})
