import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import type { Answer } from '../../test/support/api.ts'
import { type Browser, codeOf, password, peopleApi, signIn, statusesOf } from '../../test/support/people.ts'
import { until } from '../../test/support/until.ts'

const wrong = 'incorrect horse battery'

describe('signing in', async () => {
  const people = await peopleApi()
  const { api } = people

  it('follows signing up and the link in the mail, and makes a workspace on the Free plan', async () => {
    const browser = people.browser()
    const email = 'ada@example.com'
    const signedUp = await browser.auth('POST', '/sign-up/email', { email: 'Ada@Example.com', name: 'Ada', password })
    assert.equal(signedUp.status, 200)
    assert.equal(browser.cookies.size, 0)
    const early = await trying(browser, email)
    assert.deepEqual([early.status, codeOf(early)], [403, 'EMAIL_NOT_VERIFIED'])
    const { path, parameters } = await people.mailTo(email, /Confirm your email address/)
    assert.equal(path, '/verify-email')
    assert.equal((await browser.auth('GET', `/verify-email?token=${parameters.get('token') ?? ''}`)).status, 200)
    assert.equal(browser.cookies.size, 0, 'the link alone signs nobody in')
    const { workspaceId, personId } = await signIn(browser, email)
    const account = await browser.api('GET', '/account', { workspace: workspaceId })
    assert.equal(account.status, 200)
    assert.match(account.text, /"plan":"free".*"limit":10,"used":0/)
    const entries = await browser.api('GET', '/audit-entries', { workspace: workspaceId })
    assert.match(
      entries.text,
      new RegExp(`"kind":"person","id":"${personId}","name":"Ada"},"action":"create_workspace"`),
    )
  })

  it('tells nobody but its owner that an address has an account', async () => {
    await people.newcomer('eve@example.com')
    const browser = people.browser()
    const asked = (path: string, email: string) =>
      browser.auth('POST', path, { email, ...(path === '/sign-up/email' ? { name: 'Eve', password } : {}) })
    for (const path of [
      '/sign-up/email',
      '/sign-in/magic-link',
      '/request-password-reset',
      '/send-verification-email',
    ]) {
      const [known, unknown] = [await asked(path, 'eve@example.com'), await asked(path, 'none@example.com')]
      assert.equal(known.status, 200, path)
      assert.deepEqual([unknown.status, shapeOf(unknown.body)], [known.status, shapeOf(known.body)], path)
    }
    await browser.auth('POST', '/sign-up/email', { email: 'eve@example.com', name: 'Mallory', password: wrong })
    const { mail } = await people.mailTo('eve@example.com', /You already have an account/)
    assert.doesNotMatch(mail, /Mallory/)
    assert.equal((await trying(browser, 'eve@example.com', wrong)).status, 401)
  })

  it('works by a link in a mail, once, and goes on to a page of this service only', async () => {
    const email = 'carol@example.com'
    await people.newcomer(email)
    const browser = people.browser()
    const ask = (callbackURL: string) => browser.auth('POST', '/sign-in/magic-link', { email, callbackURL })
    assert.equal((await ask('https://evil.example/')).status, 403)
    assert.equal((await ask('//evil.example/')).status, 403)
    assert.equal((await ask('/claim?attempt=1')).status, 200)
    const { path, parameters } = await people.mailTo(email, /Your sign-in link/)
    assert.deepEqual([path, parameters.get('return_to')], ['/sign-in/link', '/claim?attempt=1'])
    const use = `/magic-link/verify?token=${parameters.get('token') ?? ''}&callbackURL=https://evil.example/`
    const answers = await Promise.all(Array.from({ length: 8 }, () => people.browser().auth('GET', use)))
    assert.deepEqual(statusesOf(answers), [200, 400, 400, 400, 400, 400, 400, 400])
    const again = await browser.auth('GET', use)
    assert.deepEqual([again.status, codeOf(again)], [400, 'INVALID_TOKEN'])
    assert.equal(browser.cookies.size, 0)
  })

  it('by a link sends nothing to an address without an account', async () => {
    const browser = people.browser()
    assert.equal((await browser.auth('POST', '/sign-in/magic-link', { email: 'ghost@example.com' })).status, 200)
    await people.newcomer('later@example.com')
    assert.deepEqual(
      people.server.received.filter(({ to }) => to.includes('ghost@example.com')),
      [],
    )
  })

  it('lists where a person is signed in, and ends sessions at once', async () => {
    const email = 'dan@example.com'
    const { browser: first, workspaceId } = await people.newcomer(email)
    const second = people.browser('198.51.100.7')
    await signIn(second, email)
    const seen = await sessionsOf(second)
    assert.deepEqual(
      seen.map(({ is_current, address }) => [is_current, address]),
      [
        [true, '198.51.100.7'],
        [false, '192.0.2.10'],
      ],
    )
    const other = seen.find(({ is_current }) => !is_current)?.id ?? ''
    assert.equal((await second.api('DELETE', `/sessions/${other}`)).status, 204)
    assert.equal((await second.api('DELETE', `/sessions/${other}`)).status, 404)
    for (const path of ['/account', '/members', '/monitors']) {
      const refused = await first.api('GET', path, { workspace: workspaceId })
      assert.deepEqual([refused.status, codeOf(refused)], [401, 'not_signed_in'])
    }
    assert.equal((await first.auth('GET', '/get-session')).text, 'null')
    const { browser: stranger } = await people.newcomer('stranger@example.com')
    assert.equal((await stranger.api('DELETE', `/sessions/${seen[0]?.id ?? ''}`)).status, 404)
    assert.equal((await second.auth('POST', '/sign-out', {})).status, 200)
    assert.equal((await second.api('GET', '/sessions')).status, 401)
  })

  it('remembers to the minute when a session was last used', async () => {
    const { browser, personId } = await people.newcomer('seen@example.com')
    const { pool } = api.database
    const set = (seconds: number) =>
      pool.query(`update people."session" set "updatedAt" = now() - make_interval(secs => $2) where "userId" = $1`, [
        personId,
        seconds,
      ])
    const ageMs = async (): Promise<number> =>
      Date.now() - Date.parse((await sessionsOf(browser))[0]?.last_seen_at ?? assert.fail())
    await set(20)
    assert.ok((await ageMs()) >= 20_000)
    assert.ok((await ageMs()) >= 20_000, 'a minute has not passed')
    await set(7200)
    await until('the session was seen', async () => (await ageMs()) < 60_000)
  })

  it('ends with every other session when the password is chosen anew, by a link that works once', async () => {
    const email = 'fay@example.com'
    const { browser: before } = await people.newcomer(email)
    const browser = people.browser()
    await browser.auth('POST', '/request-password-reset', { email })
    const { path, parameters } = await people.mailTo(email, /Choose a new password/)
    assert.equal(path, '/reset-password')
    const reset = { token: parameters.get('token'), newPassword: wrong }
    assert.equal((await browser.auth('POST', '/reset-password', { ...reset, newPassword: 'short' })).status, 400)
    assert.equal((await browser.auth('POST', '/reset-password', reset)).status, 200)
    assert.equal((await browser.auth('POST', '/reset-password', reset)).status, 400)
    assert.equal((await before.api('GET', '/sessions')).status, 401)
    assert.equal((await trying(browser, email)).status, 401)
    assert.equal((await trying(browser, email, wrong)).status, 200)
    await people.mailTo(email, /Your password was changed/)
  })

  it('takes another password from somebody who knows the old one, and tells by mail', async () => {
    const email = 'gil@example.com'
    const { browser } = await people.newcomer(email)
    const change = (currentPassword: string) =>
      browser.auth('POST', '/change-password', { currentPassword, newPassword: wrong, revokeOtherSessions: true })
    assert.equal((await change(wrong)).status, 400)
    assert.equal((await change(password)).status, 200)
    await people.mailTo(email, /Your password was changed/)
    assert.equal((await trying(people.browser(), email, wrong)).status, 200)
  })

  it('moves to another address when both mailboxes agree', async () => {
    const email = 'hal@example.com'
    const { browser, personId } = await people.newcomer(email)
    const change = (newEmail: string) => browser.auth('POST', '/change-email', { newEmail })
    assert.equal((await change('hal.new@example.com')).status, 200)
    const old = await people.mailTo(email, /Confirm the change/)
    assert.match(old.mail, /hal\.new@example\.com/)
    await browser.auth('GET', `/verify-email?token=${old.parameters.get('token') ?? ''}`)
    assert.equal((await trying(people.browser(), email)).status, 200, 'the old one stays until the new one agrees')
    const fresh = await people.mailTo('hal.new@example.com', /Confirm your email/)
    await browser.auth('GET', `/verify-email?token=${fresh.parameters.get('token') ?? ''}`)
    assert.equal((await trying(people.browser(), email)).status, 401)
    assert.equal((await signIn(people.browser(), 'hal.new@example.com')).personId, personId)
    await people.newcomer('taken@example.com')
    assert.equal((await change('taken@example.com')).text, (await change('free@example.com')).text)
  })

  it('deletes an account whose workspaces are in other hands or gone', async () => {
    const email = 'ivy@example.com'
    const { browser, workspaceId } = await people.newcomer(email)
    const remove = (given: string) => browser.auth('POST', '/delete-user', { password: given })
    assert.equal((await remove(wrong)).status, 400)
    const refused = await remove(password)
    assert.deepEqual([refused.status, codeOf(refused)], [422, 'LAST_OWNER'])
    assert.match(refused.text, /My workspace/)
    assert.equal((await browser.api('GET', '/members', { workspace: workspaceId })).status, 200)
    assert.equal((await browser.api('DELETE', '/workspace', { workspace: workspaceId })).status, 204)
    assert.equal((await remove(password)).status, 200)
    assert.equal((await browser.api('GET', '/sessions')).status, 401)
    assert.equal((await trying(people.browser(), email)).status, 401)
    const left = await api.database.pool.query('select from people."user" where email = $1', [email])
    assert.equal(left.rowCount, 0)
  })

  for (const [what, body] of [
    ['a short password', { email: 'x@example.com', name: 'X', password: 'short' }],
    ['a password without end', { email: 'x@example.com', name: 'X', password: 'x'.repeat(129) }],
    ['no name', { email: 'x@example.com', name: ' ', password }],
    ['a name without end', { email: 'x@example.com', name: 'x'.repeat(161), password }],
    ['a name of two lines', { email: 'x@example.com', name: 'X\nY', password }],
    ['no address', { email: 'nobody', name: 'X', password }],
  ] as const)
    it(`refuses ${what}`, async () => {
      const answer = await people.browser().auth('POST', '/sign-up/email', body)
      assert.equal(answer.status, 400, answer.text)
    })

  it('offers passkeys of this host to who is signed in, and asks nobody else to make one', async () => {
    const { browser } = await people.newcomer('kay@example.com')
    const options = await browser.auth('GET', '/passkey/generate-register-options?name=Laptop')
    const shape = z.object({ challenge: z.string(), rp: z.object({ id: z.string(), name: z.string() }) })
    assert.deepEqual(shape.parse(options.body).rp, { id: 'perigee.test', name: 'Perigee' })
    assert.equal((await browser.auth('GET', '/passkey/list-user-passkeys')).text, '[]')
    const anybody = people.browser()
    assert.equal((await anybody.auth('GET', '/passkey/generate-register-options')).status, 401)
    const asked = await anybody.auth('GET', '/passkey/generate-authenticate-options')
    assert.equal(z.object({ rpId: z.string() }).parse(asked.body).rpId, 'perigee.test')
  })

  it('serves of better-auth what it needs and no more', async () => {
    const { browser } = await people.newcomer('jo@example.com')
    for (const path of ['/list-sessions', '/ok', '/error', '/list-accounts', '/reset-password/abc'])
      assert.ok([404, 405].includes((await browser.auth('GET', path)).status), path)
    for (const path of ['/revoke-sessions', '/sign-in/social', '/link-social', '/update-session'])
      assert.equal((await browser.auth('POST', path, {})).status, 404, path)
    const large = await browser.auth('POST', '/sign-in/email', {
      email: 'jo@example.com',
      password: 'x'.repeat(70_000),
    })
    assert.equal(large.status, 413)
  })
})

function trying(browser: Browser, email: string, given = password): Promise<Answer> {
  return browser.auth('POST', '/sign-in/email', { email, password: given })
}

async function sessionsOf(browser: Browser): Promise<z.infer<typeof sessions>['data']> {
  return sessions.parse((await browser.api('GET', '/sessions')).body).data
}

const sessions = z.object({
  data: z.array(z.object({ id: z.uuid(), is_current: z.boolean(), address: z.string(), last_seen_at: z.string() })),
})

/** The names and types of an answer's members, without what is in them. */
function shapeOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, shapeOf(member)]),
  )
}
