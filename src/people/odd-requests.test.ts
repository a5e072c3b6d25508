import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { origin, password, peopleApi } from '../../test/support/people.ts'

const nul = String.fromCodePoint(0)
const half = String.fromCodePoint(0xd800)
const endpoints = [
  'sign-up/email',
  'sign-in/email',
  'sign-in/magic-link',
  'send-verification-email',
  'request-password-reset',
  'reset-password',
  'change-email',
  'change-password',
  'update-user',
  'two-factor/enable',
  'two-factor/verify-totp',
  'two-factor/verify-backup-code',
  'two-factor/generate-backup-codes',
  'passkey/verify-registration',
  'passkey/verify-authentication',
  'passkey/update-passkey',
  'passkey/delete-passkey',
  'set-up',
  'invitation',
  'invitation/sign-up',
]

describe('what nobody sends by mistake', async () => {
  const people = await peopleApi()
  const { browser } = await people.newcomer('odd@example.com')
  const bodies: unknown[] = [
    {},
    [],
    null,
    'text',
    ...[nul, half, 'no-uuid', '9'.repeat(300)].map((text) => ({
      email: `a${text}@example.com`,
      newEmail: `b${text}@example.com`,
      name: text,
      password: text.repeat(12).slice(0, 60),
      currentPassword: text.repeat(12).slice(0, 60),
      newPassword: text.repeat(12).slice(0, 60),
      token: text,
      code: text,
      id: text,
      response: credential(text),
    })),
    { email: {}, newEmail: [], name: {}, password: [], token: {}, code: [], id: {}, response: [] },
  ]
  for (const endpoint of endpoints)
    it(`is refused by ${endpoint} and is no bug`, async () => {
      for (const body of bodies)
        for (const sender of [people.browser(), browser]) {
          const cookies = new Map(browser.cookies)
          await sender.auth('POST', `/${endpoint}`, body)
          for (const [name, value] of cookies) browser.cookies.set(name, value)
        }
      assert.deepEqual(people.api.errors.splice(0).map(String), [])
    })

  it('is cut where it is the name of a browser, of which a row is kept', async () => {
    const headers = { Origin: origin, 'Content-Type': 'application/json', 'User-Agent': 'x'.repeat(20_000) }
    const body = JSON.stringify({ email: 'odd@example.com', password })
    const sent = { method: 'POST', headers, body }
    const answer = await people.api.app.request(`${origin}/auth/sign-in/email`, sent, { address: '192.0.2.9' })
    assert.equal(answer.status, 200)
    const { rows } = await people.api.database.pool.query(
      'select max(length("userAgent")) as longest from people."session"',
    )
    assert.deepEqual(rows, [{ longest: 500 }])
  })

  it('is refused in an address as well', async () => {
    for (const path of ['magic-link/verify', 'verify-email', 'passkey/generate-authenticate-options'])
      for (const text of ['%00', '%ED%A0%80', 'x'.repeat(3000)])
        assert.ok((await browser.auth('GET', `/${path}?token=${text}&name=${text}`)).status < 500)
  })
})

function credential(id: string): object {
  const response = { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA', attestationObject: 'AA' }
  return { id, rawId: id, type: 'public-key', response }
}
