import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { type ContactKindName, contactKindNames, contactTraits } from '#core/contacts/contact-kinds.ts'
import { contactKinds, findContactKind } from './index.ts'

/** What a contact of a kind cannot be without. */
const required: Partial<Record<ContactKindName, Record<string, unknown>>> = {
  gotify: { server: 'https://gotify.example', token: 'AWH0wZ5r0Mbac.r' },
  google_chat: { webhook_url: 'https://chat.googleapis.com/v1/spaces/AAAA/messages?key=k&token=t' },
  teams: { webhook_url: 'https://workflows.example/invoke?sig=s' },
  telegram: { token: '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11' },
  discord: { webhook_url: 'https://discord.com/api/webhooks/1/t' },
  pagerduty: { routing_key: 'R0123456789abcdef0123456789abcde' },
  mattermost: { webhook_url: 'https://mattermost.example/hooks/t' },
  matrix: { homeserver: 'https://matrix.example', access_token: 'syt_token' },
  pushover: { app_token: 'a'.repeat(30), user_key: 'u'.repeat(30) },
  twilio_sms: { account_sid: `AC${'0'.repeat(32)}`, auth_token: 'f'.repeat(32), from: '+15005550006' },
  alertmanager: { server: 'https://alertmanager.example' },
  apprise: { server: 'https://apprise.example', config_key: 'k' },
  web_push: {
    endpoint: 'https://push.example/1',
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
}

const page = readFileSync(new URL('../../docs/alerts.md', import.meta.url), 'utf8')

describe('the registry of contact kinds', () => {
  for (const name of contactKindNames) {
    const kind = contactKinds[name]

    it(`has ${name} under its own name, with its traits`, () => {
      assert.equal(kind.name, name)
      assert.partialDeepStrictEqual(kind, contactTraits[name])
    })

    it(`takes a contact of kind ${name} with the options it requires alone, and refuses one that there is not`, () => {
      const least = required[name] ?? {}
      assert.ok(kind.options.safeParse(least).success)
      assert.equal(kind.options.safeParse({ ...least, no_such_option: 1 }).success, false)
      for (const option of Object.keys(least))
        assert.equal(kind.options.safeParse({ ...least, [option]: undefined }).success, false, option)
    })

    it(`has a description of ${name} in docs/alerts.md`, () =>
      assert.ok(page.includes(`\`${name}\``), `docs/alerts.md does not say what the kind ${name} is`))
  }

  it('finds a kind by its name, and none for a name that every object has', () => {
    assert.equal(findContactKind('email'), contactKinds.email)
    for (const name of ['pager', 'toString', '__proto__']) assert.equal(findContactKind(name), null)
  })
})
