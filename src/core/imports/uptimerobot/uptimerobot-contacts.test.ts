import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFindings } from '#core/imports/findings.ts'
import { createRobotContacts, type RobotContact } from './uptimerobot-contacts.ts'

/** The kinds and destinations that contacts become, and what is told of them. */
function made(...contacts: Partial<RobotContact>[]) {
  const findings = createFindings()
  const { keyOf } = createRobotContacts(findings)
  const keys = contacts.map((contact) =>
    keyOf({ id: '1', type: 5, value: null, threshold: null, recurrence: null, ...contact }),
  )
  const { contacts: found, notes } = findings.file()
  const inputs = found.map(({ input: { name: _name, ...input } }) => input)
  return { keys, inputs, notes: notes.map(({ effect, place }) => `${effect} ${place}`) }
}

describe('a contact of UptimeRobot', () => {
  const slack = 'https://hooks.slack.com/services/T0/B0/x'
  const discord = 'https://discord.com/api/webhooks/1/x'
  const chat = 'https://chat.googleapis.com/v1/spaces/A/messages?key=x&token=y'
  const cases: [what: string, contact: Partial<RobotContact>, input: object | null, notes?: string[]][] = [
    ['is mail', { type: 2, value: 'a@example.com' }, { kind: 'email', destination: 'a@example.com' }],
    ['is Slack', { type: 11, value: slack }, { kind: 'slack', destination: slack }],
    [
      'is Discord',
      { type: 23, value: discord },
      { kind: 'discord', destination: 'discord 1', options: { webhook_url: discord } },
    ],
    [
      'is Google Chat',
      { type: null, value: chat },
      { kind: 'google_chat', destination: 'google_chat 1', options: { webhook_url: chat } },
    ],
    [
      'is a webhook that hears something else',
      { value: 'https://a.example' },
      { kind: 'webhook', destination: 'https://a.example' },
      ['changed alert_contact 1'],
    ],
    ['is lost where its address says nothing', { type: 9, value: 'https://a.example' }, null, ['lost alert_contact 1']],
    ['is lost without an address', { type: 2, value: null }, null, ['lost alert_contact 1']],
    ['is lost without an id, too', { id: null, type: 9 }, null, ['lost alert_contact ?']],
  ]
  for (const [what, contact, input, notes = []] of cases)
    it(what, () => {
      const found = made(contact)
      assert.deepEqual([found.inputs, found.notes], [input === null ? [] : [input], notes])
      assert.equal(found.keys[0] === null, input === null)
    })

  it('is made once, and told of once', () => {
    const [mail, none] = [
      { type: 2, value: 'a@example.com' },
      { id: '2', type: 9 },
    ]
    const { keys, inputs, notes } = made(mail, mail, none, none)
    assert.deepEqual([keys, inputs.length, notes], [['email-1', 'email-1', null, null], 1, ['lost alert_contact 2']])
  })

  it('without an id is known by its address', () => {
    const { keys } = made(
      { id: null, type: 2, value: 'a@example.com' },
      { id: null, type: 2, value: 'b@example.com' },
      { id: null, type: 2, value: 'a@example.com' },
    )
    assert.deepEqual(keys, ['email', 'email-2', 'email'])
  })
})
