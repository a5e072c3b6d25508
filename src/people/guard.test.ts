import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Answer } from '../../test/support/api.ts'
import { quickPasswords } from '../../test/support/passwords.ts'
import { until } from '../../test/support/until.ts'
import { type Browser, codeOf, origin, password, peopleApi, signIn } from '../../test/support/people.ts'
import { withCurrentNames } from './people-parts.ts'

describe('requests of other sites', async () => {
  const people = await peopleApi()
  const email = 'ann@example.com'
  const { browser, workspaceId } = await people.newcomer(email)
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const send = async (method: string, path: string, { headers = {}, body = null }: Sent = {}) => {
    const sent = { method, headers, body }
    const response = await people.api.app.request(origin + path, sent, { address: '192.0.2.10' })
    return { status: response.status, text: await response.text(), headers: response.headers }
  }
  const json = { 'Content-Type': 'application/json' }
  const mine = { Cookie: cookie, 'X-Perigee-Workspace': workspaceId }
  const contact = JSON.stringify({ name: 'x', kind: 'webhook', destination: 'https://hook.example/' })
  const monitor = JSON.stringify({ name: 'x', kind: 'http', url: 'https://example.com' })

  for (const [what, headers] of [
    ['a foreign origin', { ...mine, ...json, Origin: 'https://evil.example' }],
    ['the origin of another port', { ...mine, ...json, Origin: 'http://perigee.test:8080' }],
    ['the origin null', { ...mine, ...json, Origin: 'null' }],
    ['no origin', { ...mine, ...json }],
    ['no header of the workspace', { Cookie: cookie, ...json, Origin: origin }],
    ['no cookie', { 'X-Perigee-Workspace': workspaceId, ...json, Origin: origin }],
  ] as const)
    it(`change nothing with ${what}`, async () => {
      assert.equal((await send('POST', '/api/v1/alert-channels', { headers, body: contact })).status, 401)
      assert.equal((await send('POST', '/api/v1/workspaces', { headers, body: '{"name":"x"}' })).status, 401)
    })

  const listWith = (headers: Record<string, string>) => send('GET', '/api/v1/monitors', { headers })
  it('read nothing either', async () => {
    assert.equal((await listWith(mine)).status, 200)
    assert.equal((await listWith({ ...mine, 'Sec-Fetch-Site': 'same-origin' })).status, 200)
    for (const headers of [
      { Origin: 'https://evil.example' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
    ])
      assert.equal((await listWith({ ...mine, ...headers })).status, 401)
    assert.equal((await listWith({ Cookie: cookie })).status, 401)
  })

  it('are given no leave to send more', async () => {
    const asked = {
      Origin: 'https://evil.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'x-perigee-workspace',
    }
    const { status, headers } = await send('OPTIONS', '/auth/sign-in/email', { headers: asked })
    assert.ok(status >= 400 && !headers.has('access-control-allow-origin'))
    const { headers: ofApi } = await send('OPTIONS', '/api/v1/monitors', { headers: asked })
    assert.doesNotMatch(ofApi.get('access-control-allow-headers') ?? '', /x-perigee-workspace/i)
    assert.ok(!ofApi.has('access-control-allow-credentials'))
  })

  const foreign: Record<string, string>[] = [{ Origin: 'https://evil.example' }, { Origin: 'null' }, {}]
  for (const headers of foreign)
    it(`sign nobody in with ${JSON.stringify(headers)}, also without a cookie`, async () => {
      const body = JSON.stringify({ email, password })
      const answer = await send('POST', '/auth/sign-in/email', { headers: { ...json, ...headers }, body })
      assert.equal(answer.status, 403)
      assert.equal(answer.headers.get('set-cookie'), null)
      const crossing = { headers: { 'Sec-Fetch-Site': 'cross-site', ...headers } }
      const link = await send('GET', '/auth/magic-link/verify?token=x', crossing)
      assert.equal(link.status, 403)
      // A link that was opened from a mail, and one on a page that came by plain http.
      for (const opened of [{ 'Sec-Fetch-Site': 'none' }, {}])
        assert.equal((await send('GET', '/auth/magic-link/verify?token=x', { headers: opened })).status, 403)
      const asked = { headers: { 'X-Perigee-Workspace': 'mine' } }
      assert.equal((await send('GET', '/auth/magic-link/verify?token=x', asked)).status, 400)
    })

  it('do not get a token replaced by a cookie: with a token, cookies are never looked at', async () => {
    const token = people.api.readToken
    const headers = { ...mine, ...json, Origin: origin, 'X-API-Key': token }
    assert.equal((await send('POST', '/api/v1/monitors', { headers, body: monitor })).status, 403)
    const wrong = { ...mine, 'X-API-Key': `${token}x` }
    assert.equal((await send('GET', '/api/v1/monitors', { headers: wrong })).status, 401)
  })

  it('a cookie that was changed is no cookie', async () => {
    const [name = '', value = ''] = [...browser.cookies].find(([key]) => key.endsWith('session_token')) ?? []
    const read = (changed: string) => {
      const headers = { 'X-Perigee-Workspace': workspaceId, Cookie: `${name}=${changed}` }
      return send('GET', '/api/v1/monitors', { headers })
    }
    assert.equal((await read(value)).status, 200)
    const [token = '', signature = ''] = decodeURIComponent(value).split('.')
    for (const changed of [
      token,
      `${token}.`,
      `${token}.${signature.slice(1)}`,
      `x${token}.${signature}`,
      `.${signature}`,
      '%',
      '',
    ])
      assert.equal((await read(encodeURIComponent(changed))).status, 401, changed)
    assert.equal((await read('%E0%A4%A')).status, 401)
  })
})

describe('cookies', async () => {
  const people = await peopleApi()
  await people.newcomer('bea@example.com')
  const secureUrl = 'https://perigee.test'
  const { createPeople } = await import('./people.ts')
  const { createLimits } = await import('#operations/pipeline/limits.ts')
  const limits = createLimits({
    readsPerMinute: 1,
    writesPerMinute: 1,
    failuresPerMinute: 1,
    registrationsPerMinute: 1,
    anonymousPerDay: 1,
  })
  const { admission } = people.api.frame
  const log = { debug: () => {}, warn: () => {}, error: () => {} }
  const peopleAt = (publicUrl: string, now = new Date()) =>
    createPeople({
      ...people.api.services,
      publicUrl,
      limits,
      admission,
      log,
      now: () => now,
      passwords: quickPasswords,
    })
  const cookieOf = async (publicUrl: string) => {
    const response = await peopleAt(publicUrl).routes.request(`${publicUrl}/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: publicUrl },
      body: JSON.stringify({ email: 'bea@example.com', password }),
    })
    return response.headers.getSetCookie().join('\n')
  }

  it('are HttpOnly, SameSite=Lax, and on https Secure with the prefix that binds them to the host', async () => {
    const plain = await cookieOf('http://perigee.test')
    assert.match(plain, /^perigee\.session_token=\S+; .*Path=\/; .*HttpOnly; .*SameSite=Lax/i)
    assert.doesNotMatch(plain, /Secure|Domain/i)
    const secure = await cookieOf(secureUrl)
    assert.match(secure, /^__Host-perigee\.session_token=\S+; .*Path=\/; .*HttpOnly; .*Secure; .*SameSite=Lax/i)
    assert.doesNotMatch(secure, /Domain|__Secure/i)
    const known =
      /^__Host-perigee\.known_browser=[\w-]+\.[\w-]+; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/im
    assert.match(secure, known)
    assert.match(plain, /^perigee\.known_browser=/m)
  })

  it('that were set by the name of before still sign in on https, until the last of them has ended', async () => {
    const [, value = ''] = /session_token=([^;]+)/.exec(await cookieOf(secureUrl)) ?? []
    const whoHas = async (cookie: string, now: Date) => {
      const { readPerson, routes } = peopleAt(secureUrl, now)
      const headers = new Headers({ Cookie: cookie })
      const asked = { headers: { Cookie: cookie, Origin: secureUrl } }
      const answer: unknown = await (await routes.request(`${secureUrl}/auth/get-session`, asked)).json()
      return [(await readPerson(headers))?.email ?? null, answer !== null]
    }
    const [before, after] = [new Date('2027-01-31T23:59:59Z'), new Date('2027-02-01T00:00:00Z')]
    const now = new Date('2026-12-01T00:00:00Z')
    assert.deepEqual(await whoHas(`a=b; __Secure-perigee.session_token=${value}`, now), ['bea@example.com', true])
    assert.deepEqual(await whoHas(`__Host-perigee.session_token=${value}`, now), ['bea@example.com', true])
    const both = `__Secure-perigee.session_token=${value}; __Host-perigee.session_token=x`
    assert.deepEqual(await whoHas(both, now), [null, false])
    const named = (at: Date) => withCurrentNames('__Secure-perigee.session_token=x', { publicUrl: secureUrl, now: at })
    assert.deepEqual(
      [named(before), named(after)],
      ['__Host-perigee.session_token=x', '__Secure-perigee.session_token=x'],
    )
  })
})

const rates = { perMinute: 16, passwordsPerQuarterHour: 4, mailsPerHour: 3 }

describe('how often signing in may be tried from IPv6', async () => {
  // Counters of its own: accounts share them by hash, and those of other tests have used up many.
  const people = await peopleApi({ rates: { signIns: rates } })

  it('is limited for a /64 of IPv6 as for one address, of which its owner has many', async () => {
    const statuses: number[] = []
    for (let tries = 0; tries <= rates.perMinute; tries += 1)
      statuses.push((await tryOne(people.browser(`2001:db8:7:7::${tries + 1}`), `six${tries}@example.com`)).status)
    assert.deepEqual(statuses, [...Array.from({ length: rates.perMinute }, () => 401), 429])
    assert.equal((await tryOne(people.browser('2001:db8:7:8::1'), 'six@example.com')).status, 401)
  })
})

describe('how often signing in may be tried', async () => {
  const people = await peopleApi({ rates: { signIns: rates } })
  const { browser: known } = await people.newcomer('cal@example.com')
  let hosts = 100
  const elsewhere = (): Browser => people.browser(`203.0.113.${(hosts += 1)}`)

  for (const email of ['cal@example.com', 'nobody@example.com'])
    it(`is limited for the account ${email} from one address, and not from others`, async () => {
      const browser = elsewhere()
      for (let tries = 0; tries < rates.passwordsPerQuarterHour; tries += 1)
        assert.equal((await tryOne(browser, tries % 2 === 0 ? email : email.toUpperCase())).status, 401)
      const refused = await browser.auth('POST', '/sign-in/email', { email, password })
      assert.deepEqual([refused.status, codeOf(refused)], [429, 'RATE_LIMITED'])
      const seconds = Number(refused.headers.get('retry-after'))
      assert.ok(seconds > 60 && seconds <= 900, `${seconds} s`)
      const other = await elsewhere().auth('POST', '/sign-in/email', { email, password })
      assert.equal(other.status, email === 'cal@example.com' ? 200 : 401)
    })

  it('is limited for an account wherever it is tried from, but in browsers that it knows', async () => {
    const email = 'cal@example.com'
    const statuses = new Set<number>()
    for (let tries = 0; tries < 10 * rates.passwordsPerQuarterHour; tries += 1)
      statuses.add((await tryOne(elsewhere(), email)).status)
    assert.deepEqual(statuses, new Set([401, 429]))
    assert.equal((await elsewhere().auth('POST', '/sign-in/email', { email, password })).status, 429)
    assert.equal((await known.auth('POST', '/sign-in/email', { email, password })).status, 200)
    const change = { currentPassword: 'incorrect horse', newPassword: password }
    assert.equal((await known.auth('POST', '/change-password', change)).status, 400)
    assert.equal((await elsewhere().auth('POST', '/request-password-reset', { email })).status, 200)
    assert.equal((await elsewhere().auth('POST', '/sign-in/magic-link', { email })).status, 200)
  })

  it('is limited in a browser that an account knows too, there for itself', async () => {
    const gil = await people.newcomer('gil@example.com')
    const { cookies } = gil.browser
    const [name = '', value = ''] = [...cookies].find(([cookie]) => cookie.endsWith('known_browser')) ?? []
    const thief = elsewhere()
    thief.cookies.set(name, value)
    for (let tries = 0; tries < rates.passwordsPerQuarterHour; tries += 1)
      assert.equal((await tryOne(thief, 'gil@example.com')).status, 401)
    assert.equal((await tryOne(thief, 'gil@example.com')).status, 429)
    const forged = elsewhere()
    forged.cookies.set(
      name,
      value.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
    )
    for (let tries = 0; tries <= rates.passwordsPerQuarterHour; tries += 1) await tryOne(forged, 'gil@example.com')
    forged.cookies.clear()
    assert.equal((await tryOne(forged, 'gil@example.com')).status, 429, 'a forged cookie makes no browser known')
  })

  it('leaves a person alone whose network others use up', async () => {
    const address = '203.0.113.99'
    const hal = await people.newcomer('hal@example.com')
    const [own, stranger] = [people.browser(address), people.browser(address)]
    for (const [name, value] of hal.browser.cookies) own.cookies.set(name, value)
    for (let tries = 0; tries <= rates.perMinute; tries += 1) await tryOne(stranger, `some${tries}@example.com`)
    assert.equal((await tryOne(stranger, 'hal@example.com')).status, 429)
    assert.equal((await own.auth('POST', '/sign-in/email', { email: 'hal@example.com', password })).status, 200)
  })

  it('is limited for an address, whichever account is tried', async () => {
    const browser = elsewhere()
    for (let tries = 0; tries < rates.perMinute; tries += 1)
      assert.equal((await tryOne(browser, `somebody${tries}@example.com`)).status, 401)
    const refused = await tryOne(browser, 'another@example.com')
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) <= 60)
    assert.equal((await tryOne(elsewhere(), 'another@example.com')).status, 401)
  })

  it('is limited for challenges of passkeys, each of which is a row', async () => {
    const browser = elsewhere()
    const ask = () => browser.auth('GET', '/passkey/generate-authenticate-options')
    for (let tries = 0; tries < rates.perMinute; tries += 1) assert.equal((await ask()).status, 200)
    assert.equal((await ask()).status, 429)
  })

  it('is limited for mails to one mailbox, also to one that nobody has, and apart for new passwords', async () => {
    const dee = { email: 'dee@example.com', name: 'Dee', password }
    const browser = elsewhere()
    const ask = (path: string, from = browser) => from.auth('POST', path, dee)
    for (const path of ['/sign-up/email', '/sign-in/magic-link', '/sign-in/magic-link'])
      assert.equal((await ask(path)).status, 200)
    assert.equal((await ask('/sign-in/magic-link')).status, 429)
    for (let count = 0; count < rates.mailsPerHour; count += 1)
      assert.equal((await ask('/request-password-reset')).status, 200)
    assert.equal((await ask('/request-password-reset')).status, 429)
    const statuses: number[] = []
    for (let count = 0; count < 4 * rates.mailsPerHour; count += 1)
      statuses.push((await ask('/request-password-reset', elsewhere())).status)
    const left = 3 * rates.mailsPerHour
    assert.deepEqual(
      statuses,
      statuses.map((_, at) => (at < left ? 200 : 429)),
    )
  })

  it('leaves a person whose mailbox strangers use up a new password, in a browser that knows it', async () => {
    const ida = await people.newcomer('ida@example.com')
    const asked = ['POST', '/request-password-reset', { email: 'ida@example.com' }] as const
    for (let count = 0; count < 4 * rates.mailsPerHour; count += 1) await elsewhere().auth(...asked)
    assert.equal((await elsewhere().auth(...asked)).status, 429)
    assert.equal((await ida.browser.auth(...asked)).status, 200)
  })

  it('is limited for mails also where each try to sign in sends another', async () => {
    const email = 'fay@example.com'
    const browser = elsewhere()
    assert.equal((await browser.auth('POST', '/sign-up/email', { email, name: 'Fay', password })).status, 200)
    for (let tries = 0; tries < rates.passwordsPerQuarterHour; tries += 1)
      assert.equal((await browser.auth('POST', '/sign-in/email', { email, password })).status, 403)
    await until('every mail has left', async () => {
      const { rows } = await people.api.database.pool.query('select 1 from graphile_worker._private_jobs limit 1')
      return rows.length === 0
    })
    const mails = people.server.received.filter(({ to }) => to.includes(email))
    assert.equal(mails.length, rates.mailsPerHour)
  })

  it('does not count what people do who are signed in', async () => {
    const free = await peopleApi({ rates: { signIns: { ...rates, perMinute: 5 } } })
    const { browser } = await free.newcomer('eli@example.com')
    for (let count = 0; count < 10; count += 1) assert.equal((await browser.auth('GET', '/get-session')).status, 200)
  })
})

describe('sign-up by invitation only', async () => {
  const people = await peopleApi({ services: { signUp: 'invited' } })

  it('refuses to sign up without one, and makes no workspace for whoever has none', async () => {
    const browser = people.browser()
    const refused = await browser.auth('POST', '/sign-up/email', { email: 'fred@example.com', name: 'Fred', password })
    assert.deepEqual([refused.status, codeOf(refused)], [403, 'SIGN_UP_BY_INVITATION'])
    const { insertPerson } = await import('#store/people/people.ts')
    const passwordHash = await quickPasswords.hash(password)
    const person = { email: 'fred@example.com', name: 'Fred', passwordHash, at: new Date() }
    await people.api.database.transaction((tx) => insertPerson(tx, person))
    assert.equal((await signIn(browser, 'fred@example.com')).workspaceId, '')
    const made = await browser.api('POST', '/workspaces', { body: { name: 'Mine' } })
    assert.deepEqual([made.status, codeOf(made)], [403, 'insufficient_role'])
  })
})

type Sent = { headers?: Record<string, string>; body?: string | null }

function tryOne(browser: Browser, email: string): Promise<Answer> {
  return browser.auth('POST', '/sign-in/email', { email, password: 'incorrect horse' })
}
