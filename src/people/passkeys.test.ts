import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { type Answering, type Device, passkeyDevice } from '../../test/support/authenticator.ts'
import type { Answer } from '../../test/support/api.ts'
import { oneTimeCode } from '../../test/support/one-time-code.ts'
import { type Browser, codeOf, origin, password, peopleApi } from '../../test/support/people.ts'
import { maxPasskeys } from './auth-passkey.ts'

const host = 'perigee.test'
const asked = z.looseObject({ userVerification: z.string(), challenge: z.string() })
const creation = z.looseObject({
  authenticatorSelection: z.looseObject({ userVerification: z.string(), residentKey: z.string() }),
})

describe('a passkey', async () => {
  const people = await peopleApi()
  let count = 0

  async function somebody(): Promise<{ email: string; browser: Browser }> {
    count += 1
    const email = `passkey${count}@example.com`
    return { email, browser: (await people.newcomer(email)).browser }
  }

  it('signs in its person, without the code of an app', async () => {
    const { email, browser } = await somebody()
    const own = device()
    assert.equal((await add(browser, own)).status, 200)
    const enabled = await browser.auth('POST', '/two-factor/enable', { password })
    const { totpURI } = z.object({ totpURI: z.string() }).parse(enabled.body)
    const code = oneTimeCode(new URL(totpURI).searchParams.get('secret') ?? '', Date.now())
    assert.equal((await browser.auth('POST', '/two-factor/verify-totp', { code })).status, 200)
    const halfway = await people.browser().auth('POST', '/sign-in/email', { email, password })
    assert.match(halfway.text, /twoFactorRedirect/)
    const elsewhere = people.browser()
    assert.equal((await signIn(elsewhere, own)).status, 200)
    assert.equal(await isSignedIn(elsewhere), true)
  })

  it('is asked to make sure of its person, and to be found without an address', async () => {
    const { browser } = await somebody()
    const { authenticatorSelection } = creation.parse(
      (await browser.auth('GET', '/passkey/generate-register-options')).body,
    )
    assert.deepEqual(
      [authenticatorSelection.userVerification, authenticatorSelection.residentKey],
      ['required', 'required'],
    )
    for (const visitor of [browser, people.browser()]) {
      const { userVerification } = asked.parse(
        (await visitor.auth('GET', '/passkey/generate-authenticate-options')).body,
      )
      assert.equal(userVerification, 'required')
    }
  })

  it('of a device that did not make sure of its person is neither kept nor believed', async () => {
    const { browser } = await somebody()
    const own = device()
    const refused = await add(browser, own, { isVerified: false })
    assert.deepEqual([refused.status, codeOf(refused)], [401, 'USER_VERIFICATION_REQUIRED'])
    assert.equal((await browser.auth('GET', '/passkey/list-user-passkeys')).text, '[]')
    assert.equal((await add(browser, own)).status, 200)
    const elsewhere = people.browser()
    const doubted = await signIn(elsewhere, own, { isVerified: false })
    assert.deepEqual([doubted.status, codeOf(doubted)], [401, 'USER_VERIFICATION_REQUIRED'])
    assert.equal(await isSignedIn(elsewhere), false)
    assert.equal((await signIn(elsewhere, own)).status, 200)
  })

  const lies: [string, Answering][] = [
    ['on another site', { origin: 'https://evil.example' }],
    ['to another question', { challenge: 'AAAA' }],
  ]
  for (const [what, answering] of lies)
    it(`that was used ${what} signs nobody in`, async () => {
      const { browser } = await somebody()
      const own = device()
      await add(browser, own)
      const elsewhere = people.browser()
      assert.equal((await signIn(elsewhere, own, answering)).status, 400)
      assert.equal(await isSignedIn(elsewhere), false)
    })

  it('answers each question once, and each answer counts where it was asked', async () => {
    const { browser } = await somebody()
    const own = device()
    await add(browser, own)
    const [one, other] = [people.browser(), people.browser()]
    const { body } = await one.auth('GET', '/passkey/generate-authenticate-options')
    const response = own.get(body)
    assert.equal((await other.auth('POST', '/passkey/verify-authentication', { response })).status, 400)
    assert.equal((await one.auth('POST', '/passkey/verify-authentication', { response })).status, 200)
    const again = await one.auth('POST', '/passkey/verify-authentication', { response })
    assert.deepEqual([again.status, codeOf(again)], [400, 'CHALLENGE_NOT_FOUND'])
  })

  it('of somebody else is not taken over by its id', async () => {
    const [victim, thief] = [await somebody(), await somebody()]
    const own = device()
    await add(victim.browser, own)
    const refused = await add(thief.browser, device(own.id))
    assert.deepEqual([refused.status, codeOf(refused)], [400, 'PASSKEY_EXISTS'])
    assert.equal((await signIn(people.browser(), own)).status, 200)
  })

  it('is one of twenty at most, with a name of one line', async () => {
    const { browser } = await somebody()
    for (const name of ['', 'x'.repeat(161), 'two\nlines', 7]) {
      const refused = await add(browser, device(), { name })
      assert.deepEqual([refused.status, codeOf(refused)], [400, 'INVALID_NAME'], String(name))
    }
    const { id } = z.object({ id: z.uuid() }).parse((await add(browser, device())).body)
    const renamed = await browser.auth('POST', '/passkey/update-passkey', { id, name: 'x'.repeat(161) })
    assert.deepEqual([renamed.status, codeOf(renamed)], [400, 'INVALID_NAME'])
    for (let more = 1; more < maxPasskeys; more += 1) assert.equal((await add(browser, device())).status, 200)
    const refused = await add(browser, device())
    assert.deepEqual([refused.status, codeOf(refused)], [422, 'LIMIT_REACHED'])
  })
})

function device(id?: string): Device {
  return passkeyDevice({ host, origin, ...(id === undefined ? {} : { id: Buffer.from(id, 'base64url') }) })
}

type Adding = Answering & { name?: unknown }

async function add(browser: Browser, own: Device, { name = 'Laptop', ...answering }: Adding = {}): Promise<Answer> {
  const options = await browser.auth('GET', '/passkey/generate-register-options')
  const response = own.create(options.body, answering)
  return browser.auth('POST', '/passkey/verify-registration', { response, name })
}

async function signIn(browser: Browser, own: Device, answering?: Answering): Promise<Answer> {
  const options = await browser.auth('GET', '/passkey/generate-authenticate-options')
  return browser.auth('POST', '/passkey/verify-authentication', { response: own.get(options.body, answering) })
}

async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.api('GET', '/sessions')).status === 200
}
