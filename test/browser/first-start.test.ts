// The first minutes of an installation.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fill, password, press, see, signIn, signOut, startConsole } from './support/console.ts'
import { assertSecretsKept } from './support/kept-secrets.ts'

describe('the first start', async () => {
  const service = await startConsole({ PERIGEE_SIGN_UP: 'invited' })
  const { perigee, visitor, inspect, complaints } = service
  const [link = ''] = await perigee.printed(/http:\S+\/set-up#token=\S+/)

  it('says at the first address where its link is, and does not show it', async () => {
    const { page } = await visitor()
    await page.goto('/')
    await see(page, 'Sign in')
    await page.getByText('This installation has no owner yet.', { exact: false }).waitFor()
    assert.doesNotMatch(await page.content(), /token=/)
    await inspect(page, 'sign in, nobody owns it')
  })

  it('has the owner sign up by its link, once', async () => {
    const { page } = await visitor()
    await page.goto(link)
    await see(page, 'Set up Perigee')
    await inspect(page, 'set up')
    await fill(page, { 'Your name': 'Olivia', Email: 'no address', Password: 'short' })
    await press(page, "Create the owner's account")
    await page.getByText('This is not an email address.').waitFor()
    await page.getByText('Use 10 to 128 characters.').waitFor()
    await inspect(page, 'set up, refused')
    await fill(page, { Email: 'olivia@example.com', Password: password })
    await press(page, "Create the owner's account")
    await see(page, 'Set up Perigee')
    await page.getByRole('link', { name: 'Finish later' }).click()
    await see(page, 'Monitors')
    await inspect(page, 'monitors, none')
    await signOut(page)
    await signIn(page, 'olivia@example.com')
    await see(page, 'Monitors')

    const late = await visitor()
    await late.page.goto(link)
    await fill(late.page, { 'Your name': 'Mallory', Email: 'mallory@example.com', Password: password })
    await press(late.page, "Create the owner's account")
    await late.page.getByRole('alert').getByText('This link is not valid: it was used before or has expired.').waitFor()
  })

  it('has nothing to complain of, where a page still reads as the session ends', async () => {
    const { page } = await visitor()
    await signIn(page, 'olivia@example.com')
    await see(page, 'Monitors')
    const { promise: isSignedOut, resolve } = Promise.withResolvers<void>()
    await page.route('**/api/v1/alert-channels*', async (route) => {
      await isSignedOut
      await route.continue()
    })
    const isAsked = page.waitForRequest('**/api/v1/alert-channels*')
    await page.getByRole('link', { name: 'Contacts' }).first().click()
    await isAsked
    // As another tab of the same browser would.
    await page.evaluate(endSession)
    resolve()
    await see(page, 'Sign in')
  })

  it('lets nobody sign up who was not invited', async () => {
    const { page } = await visitor()
    await page.goto('/sign-in')
    await see(page, 'Sign in')
    assert.equal(await page.getByText('This installation has no owner yet.').count(), 0)
    assert.equal(await page.getByRole('link', { name: 'Create an account' }).count(), 0)
    await page.goto('/sign-up')
    await see(page, 'By invitation only')
    await inspect(page, 'sign up, by invitation')
  })

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))

  it('leaves no secret in the database nor in a log', () => {
    service.collected.note(link)
    return assertSecretsKept(service, ['password', 'cookie', 'token'])
  })
})

describe('PERIGEE_OWNER_EMAIL and _PASSWORD', async () => {
  const email = 'owner@example.com'
  const { perigee, visitor, complaints } = await startConsole({
    PERIGEE_OWNER_EMAIL: email,
    PERIGEE_OWNER_PASSWORD: password,
  })

  it('let the owner in, and no set-up link is printed', async () => {
    assert.doesNotMatch(perigee.stdout(), /set-up/)
    const { page } = await visitor()
    await signIn(page, email)
    await see(page, 'Monitors')
    await page.goto('/settings/members')
    await page.getByRole('list', { name: 'Members' }).getByText('Owner', { exact: true }).waitFor()
    assert.deepEqual(complaints, [])
  })
})

/** Runs in the page. */
async function endSession(): Promise<void> {
  const headers = { 'Content-Type': 'application/json', 'X-Perigee-Workspace': 'x' }
  await fetch('/auth/sign-out', { method: 'POST', headers, body: '{}' })
}
