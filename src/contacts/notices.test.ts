import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  contactDisabledMail,
  locationNetworksMail,
  type NetworkTurn,
  operatorTroublesMail,
  storingMail,
} from './notices.ts'

const to = { to: 'ops@example.com', publicUrl: 'https://perigee.example' }
const vienna: NetworkTurn = { code: 'vie', name: 'Vienna', lostAt: '10:04', monitors: 3 }
const oslo: NetworkTurn = { code: 'osl', name: 'Oslo', lostAt: null, monitors: 2 }

describe('what a workspace is told of a contact that was switched off', () => {
  for (const [kind, destination, shown] of [
    ['email', 'ada@example.com', 'ada@example.com'],
    ['slack', 'https://hooks.slack.example/services/secret', 'hooks.slack.example'],
  ] as const)
    it(`shows ${shown} of ${destination}`, () => {
      const contact = { name: 'Shop', kind, destination }
      const { text } = contactDisabledMail({
        ...to,
        contact,
        reason: 'It is gone.',
        unsubscribeUrl: 'https://p.example/u',
      })
      assert.ok(text.includes(`\nDestination: ${shown}\n`), text)
    })
})

describe('what the operator is told', () => {
  const networks: [locations: NetworkTurn[], subject: string, lead: RegExp][] = [
    [[vienna], 'Vienna has lost its network', /The location Vienna cannot reach/],
    [[vienna, oslo], '2 locations have lost their network', /2 locations cannot reach/],
    [[oslo], 'Oslo has its network back', /What answered the location Oslo before/],
    [[oslo, { ...vienna, lostAt: null }], '2 locations have their network back', /What answered 2 locations before/],
    [[], '0 locations have their network back', /What answered 0 locations before/],
  ]
  for (const [locations, subject, lead] of networks)
    it(`is: ${subject}`, () => {
      const mail = locationNetworksMail({ ...to, locations })
      assert.equal(mail.subject, subject)
      assert.match(mail.text, lead)
      for (const { code, lostAt } of locations)
        assert.ok(mail.text.includes(code) && mail.text.includes(lostAt ?? code))
      assert.equal(
        mail.text.includes('Without network since'),
        locations.some(({ lostAt }) => lostAt !== null),
      )
    })

  it('is whether data are stored, and why not', () => {
    const lost = storingMail({ ...to, error: 'No space left' })
    assert.equal(lost.subject, 'The database of Perigee at perigee.example cannot store anything')
    assert.match(lost.text, /Error: +No space left/)
    const back = storingMail({ ...to, error: null })
    assert.equal(back.subject, 'The database of Perigee at perigee.example stores data again')
    assert.doesNotMatch(back.text, /Error/)
    assert.notEqual(lost.html.match(/#[0-9a-f]{6}/g)?.join(), back.html.match(/#[0-9a-f]{6}/g)?.join())
  })

  it('is every problem by its number, or that all are over', () => {
    const troubles = operatorTroublesMail({ ...to, troubles: ['Disk full', 'Clock off'] })
    assert.equal(troubles.subject, 'Perigee at perigee.example needs attention')
    assert.match(troubles.text, /Problem 1: +Disk full\s+Problem 2: +Clock off/)
    assert.equal(operatorTroublesMail({ ...to, troubles: ['Disk full'] }).subject, troubles.subject)
    assert.equal(operatorTroublesMail({ ...to, troubles: [] }).subject, 'Perigee at perigee.example is healthy again')
  })
})
