import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { z } from 'zod'
import type { Answer } from '../../test/support/api.ts'
import { oneTimeCode, stepMs } from '../../test/support/one-time-code.ts'
import { type Browser, codeOf, password, peopleApi, statusesOf } from '../../test/support/people.ts'

describe('the second factor', async () => {
  const people = await peopleApi()
  let count = 0
  // In the middle of a step, and standing still: no test meets the edge of one by chance.
  const noon = (Math.floor(Date.now() / stepMs) + 0.5) * stepMs
  beforeEach(() => mock.timers.enable({ apis: ['Date'], now: noon }))
  afterEach(() => mock.timers.reset())

  /** A person with an authenticator app, and the codes that the app knows. */
  async function withApp() {
    count += 1
    const email = `second${count}@example.com`
    const { browser } = await people.newcomer(email)
    const enabled = await browser.auth('POST', '/two-factor/enable', { password })
    assert.equal(enabled.status, 200, enabled.text)
    const { totpURI, backupCodes } = enabling.parse(enabled.body)
    const secret = new URL(totpURI).searchParams.get('secret') ?? ''
    const code = (steps: number): string => oneTimeCode(secret, Date.now() + steps * stepMs)
    // The code of the step before leaves the present one for the test, because each code is good only once.
    const confirmed = await browser.auth('POST', '/two-factor/verify-totp', { code: code(-1) })
    assert.equal(confirmed.status, 200, confirmed.text)
    return { email, browser, code, backupCodes }
  }

  async function halfway(email: string): Promise<Browser> {
    const browser = people.browser()
    const answer = await browser.auth('POST', '/sign-in/email', { email, password })
    assert.deepEqual(redirect.parse(answer.body), { twoFactorRedirect: true, twoFactorMethods: ['totp'] })
    assert.equal((await browser.api('GET', '/sessions')).status, 401)
    assert.ok(!isKnown(browser), 'a password alone makes no browser known')
    return browser
  }

  it('lets in with the code of now, and with no code twice', async () => {
    const { email, code } = await withApp()
    const now = code(0)
    const [first, second] = [await halfway(email), await halfway(email)]
    const answers = await Promise.all([confirm(first, now), confirm(second, now)])
    assert.deepEqual(statusesOf(answers), [200, 401])
    const sessions = await Promise.all([first.api('GET', '/sessions'), second.api('GET', '/sessions')])
    assert.deepEqual(statusesOf(sessions), [200, 401])
    assert.equal([first, second].filter(isKnown).length, 1)
    const third = await halfway(email)
    const again = await confirm(third, now)
    assert.deepEqual([again.status, codeOf(again)], [401, 'INVALID_CODE'])
    assert.equal((await third.api('GET', '/sessions')).status, 401)
  })

  it('trusts no device, neither for a code that was used before nor for a good one', async () => {
    const { email, code, backupCodes } = await withApp()
    assert.equal((await confirm(await halfway(email), code(0))).status, 200)
    const browser = await halfway(email)
    for (const [path, given] of [
      ['totp', code(0)],
      ['totp', code(1)],
      ['backup-code', backupCodes[0]],
    ])
      await browser.auth('POST', `/two-factor/verify-${path}`, { code: given, trustDevice: true })
    assert.ok(![...browser.cookies.keys()].some((name) => name.includes('trust')))
    assert.equal((await browser.api('GET', '/sessions')).status, 401)
    await halfway(email)
    const again = await browser.auth('POST', '/sign-in/email', { email, password })
    assert.equal(redirect.safeParse(again.body).success, true)
  })

  it('knows codes of one step before and after, by a moved clock, and no older or later ones', async () => {
    const { email, code } = await withApp()
    const codes = new Map([-3, -2, 1, 2, 3].map((steps) => [steps, code(steps)]))
    for (const steps of [-3, -2, 2, 3]) {
      const answer = await confirm(await halfway(email), codes.get(steps) ?? '')
      assert.deepEqual([answer.status, codeOf(answer)], [401, 'INVALID_CODE'], `${steps} steps`)
    }
    assert.equal((await confirm(await halfway(email), codes.get(1) ?? '')).status, 200)
    mock.timers.setTime(noon + 2 * stepMs)
    assert.equal((await confirm(await halfway(email), codes.get(2) ?? '')).status, 200)
  })

  it('takes each backup code once, and none that another person has', async () => {
    const { email, backupCodes } = await withApp()
    const other = await withApp()
    const use = async (code: string) => (await halfway(email)).auth('POST', '/two-factor/verify-backup-code', { code })
    const [first = '', second = ''] = backupCodes
    assert.ok(backupCodes.length >= 10)
    assert.equal((await use(first)).status, 200)
    assert.equal((await use(first)).status, 401)
    assert.equal((await use(other.backupCodes[0] ?? '')).status, 401)
    assert.equal((await use(second)).status, 200)
  })

  it('is asked for behind a link by mail as well', async () => {
    const { email, code } = await withApp()
    const browser = people.browser()
    await browser.auth('POST', '/sign-in/magic-link', { email })
    const { parameters } = await people.mailTo(email, /Your sign-in link/)
    const opened = await browser.auth('GET', `/magic-link/verify?token=${parameters.get('token') ?? ''}`)
    assert.deepEqual([opened.status, redirect.parse(opened.body).twoFactorRedirect], [200, true])
    assert.equal((await browser.api('GET', '/sessions')).status, 401)
    assert.equal((await confirm(browser, code(0))).status, 200)
    assert.equal((await browser.api('GET', '/sessions')).status, 200)
  })

  it('locks after ten wrong codes, whatever comes then', async () => {
    const { email, code } = await withApp()
    for (let tries = 0; tries < 10; tries += 1) await confirm(await halfway(email), '000000')
    const locked = await confirm(await halfway(email), code(0))
    assert.deepEqual([locked.status, codeOf(locked)], [429, 'ACCOUNT_TEMPORARILY_LOCKED'])
  })

  it('is switched off with the password only', async () => {
    const { email, browser } = await withApp()
    const disable = (given: string) => browser.auth('POST', '/two-factor/disable', { password: given })
    assert.equal((await disable('incorrect horse')).status, 400)
    assert.equal((await disable(password)).status, 200)
    assert.equal((await people.browser().auth('POST', '/sign-in/email', { email, password })).status, 200)
  })
})

function confirm(browser: Browser, code: string): Promise<Answer> {
  return browser.auth('POST', '/two-factor/verify-totp', { code })
}

const enabling = z.object({ totpURI: z.string(), backupCodes: z.array(z.string()) })
const redirect = z.object({ twoFactorRedirect: z.literal(true), twoFactorMethods: z.array(z.string()) })

function isKnown({ cookies }: Browser): boolean {
  return [...cookies.keys()].some((name) => name.endsWith('known_browser'))
}
