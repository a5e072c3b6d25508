import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, it, mock } from 'node:test'
import { z } from 'zod'
import { createSecrets, type SecretKeys } from '#store/database/secrets.ts'
import { adoptSecretKeys, forgetFormerKey } from '#store/installation/secret-keys.ts'
import { countSealed } from '#store/installation/sealed-counts.ts'
import { resealAll } from '../jobs/resealing.ts'
import type { Answer } from '../../test/support/api.ts'
import { oneTimeCode, stepMs } from '../../test/support/one-time-code.ts'
import { type Browser, codeOf, password, peopleApi } from '../../test/support/people.ts'
import { resealsSecondFactors } from './auth-keys.ts'

const [old, fresh] = [randomBytes(32), randomBytes(32)]
const enabling = z.object({ totpURI: z.string() })
const log = { debug: () => {}, info: () => {}, warn: assert.fail, error: assert.fail }

describe('a change of the secret key, for people', async () => {
  // In the middle of a step, and standing still: no test meets the edge of one by chance.
  mock.timers.enable({ apis: ['Date'], now: (Math.floor(Date.now() / stepMs) + 0.5) * stepMs })
  after(() => mock.timers.reset())
  const secrets = createSecrets(old)
  const people = await peopleApi({ services: { secrets, signUp: 'open' } })
  const { database } = people.api
  await adoptSecretKeys(database, secrets)
  const become = async (keys: SecretKeys): Promise<void> => {
    secrets.change(keys)
    await adoptSecretKeys(database, secrets)
  }

  /** A person with an authenticator app. Each code of it is good once, so that steps differ. */
  async function withApp(email: string): Promise<{ browser: Browser; code: (steps: number) => string }> {
    const { browser } = await people.newcomer(email)
    const { body } = await browser.auth('POST', '/two-factor/enable', { password })
    const secret = new URL(enabling.parse(body).totpURI).searchParams.get('secret') ?? ''
    const code = (steps: number): string => oneTimeCode(secret, Date.now() + steps * stepMs)
    assert.equal((await confirm(browser, code(-1))).status, 200)
    return { browser, code }
  }
  const halfway = async (email: string): Promise<Browser> => {
    const browser = people.browser()
    assert.equal((await browser.auth('POST', '/sign-in/email', { email, password })).status, 200)
    return browser
  }
  const sealedBy = async (): Promise<string[]> => {
    const { rows } = await database.pool.query<{ secret: string }>('select secret from people."twoFactor" order by id')
    return rows.map(({ secret }) => (secret.startsWith('$ba$') ? 'a named key' : 'a key without a name')).toSorted()
  }

  const alice = await withApp('alice@example.com')
  const begun = await halfway('alice@example.com')
  const bob = await people.newcomer('bob@example.com')
  const carol = people.browser()
  await carol.auth('POST', '/sign-up/email', { email: 'carol@example.com', name: 'C', password })
  const link = await people.mailTo('carol@example.com', /Confirm your email address/)
  const former = people.browser()
  for (const [name, value] of bob.browser.cookies) former.cookies.set(name, value)

  it('changes nothing while the next key is only known', async () => {
    await become({ current: old, next: fresh })
    await withApp('dora@example.com')
    assert.equal(await api(bob.browser), 200)
    assert.deepEqual(await sealedBy(), ['a key without a name', 'a key without a name'])
  })

  it('signs nobody out, and keeps a sign-in that is under way', async () => {
    await become({ current: fresh, former: [old] })
    assert.equal(await api(bob.browser), 200)
    assert.ok(z.object({ user: z.object({ email: z.literal('bob@example.com') }) }).parse(await auth(bob.browser)))
    const code = alice.code(0)
    assert.equal((await confirm(begun, code)).status, 200)
    assert.equal(await api(begun), 200)
    const again = await confirm(await halfway('alice@example.com'), code)
    assert.deepEqual([again.status, codeOf(again)], [401, 'INVALID_CODE'], 'no code is good twice')
  })

  it('keeps links that confirm an address, but none that others signed', async () => {
    const token = link.parameters.get('token') ?? ''
    const forged = `${token.slice(0, token.lastIndexOf('.'))}.${randomBytes(32).toString('base64url')}`
    assert.notEqual((await carol.auth('GET', `/verify-email?token=${forged}`)).status, 200)
    assert.equal((await carol.auth('GET', `/verify-email?token=${token}`)).status, 200)
    const signedIn = await carol.auth('POST', '/sign-in/email', { email: 'carol@example.com', password })
    assert.equal(signedIn.status, 200, signedIn.text)
  })

  it('is known to a process that has not been restarted yet', async () => {
    const eve = await withApp('eve@example.com')
    assert.ok((await sealedBy()).includes('a named key'))
    secrets.change({ current: old, next: fresh })
    assert.equal(await api(eve.browser), 200)
    assert.equal((await confirm(await halfway('eve@example.com'), eve.code(0))).status, 200)
    secrets.change({ current: fresh, former: [old] })
  })

  it('leaves nothing of authenticator apps that needs the old key', async () => {
    const parts = { database, secrets, log, resealsSecondFactors: () => resealsSecondFactors({ database, secrets }) }
    await resealAll(parts, new AbortController().signal)
    const ids = new Set((await countSealed(database)).map(({ keyId }) => keyId))
    assert.deepEqual([...ids], [secrets.identity.slice(0, 8)])
    await forgetFormerKey(database, createSecrets(old).identity)
    await become({ current: fresh })
    assert.equal((await confirm(await halfway('alice@example.com'), alice.code(1))).status, 200)
  })

  it('ends sessions that were not renewed, once the old key is retired', async () => {
    assert.equal(await api(former), 401)
    assert.equal(await api(carol), 200)
  })
})

async function api(browser: Browser): Promise<number> {
  return (await browser.api('GET', '/sessions')).status
}

async function auth(browser: Browser): Promise<unknown> {
  return (await browser.auth('GET', '/get-session')).body
}

function confirm(browser: Browser, code: string): Promise<Answer> {
  return browser.auth('POST', '/two-factor/verify-totp', { code })
}
