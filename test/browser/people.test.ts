// How people come in, and what they do about it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { fill, password, press, see, signIn, signOut, signUp, startConsole } from './support/console.ts'
import { assertSecretsKept } from './support/kept-secrets.ts'
import { backupCodes, signInByBackupCode } from './support/second-factor.ts'
import { oneTimeCode, previousCode } from '../support/one-time-code.ts'

describe('people', async () => {
  const service = await startConsole()
  const { visitor, inspect, linkTo, complaints } = service

  it('sign up with the link of a mail', async () => {
    const { page } = await visitor()
    await page.goto('/sign-up')
    await see(page, 'Create an account')
    await inspect(page, 'sign up')
    await signUp(page, service, { email: 'ada@example.com', name: 'Ada' })
    await page.getByRole('button', { name: 'Workspace: My workspace' }).waitFor()
  })

  it('are told the same of a wrong password and an unknown address', async () => {
    const { page } = await visitor()
    await page.goto('/sign-in')
    await see(page, 'Sign in')
    await inspect(page, 'sign in')
    for (const email of ['ada@example.com', 'nobody@example.com']) {
      await fill(page, { Email: email, Password: 'not the password' })
      await press(page, 'Sign in')
      await page.getByRole('alert').getByText('Email and password do not match.').waitFor()
      if (email === 'ada@example.com') await inspect(page, 'sign in, refused')
      await page.reload()
    }
  })

  it('sign in with the link of a mail, once, and land where they wanted to', async () => {
    const { page } = await visitor()
    await page.goto('/settings/security')
    await see(page, 'Sign in')
    await press(page, 'Send me a link instead')
    await fill(page, { Email: 'ada@example.com' })
    await press(page, 'Send the link')
    await see(page, 'Check your mail')
    await inspect(page, 'link sent')
    const link = await linkTo('ada@example.com', /sign-in link/)
    await page.goto(link)
    await see(page, 'Sign in')
    await inspect(page, 'sign in by link')
    await press(page, 'Sign in')
    await see(page, 'Security')

    const other = await visitor()
    await other.page.goto(link)
    await press(other.page, 'Sign in')
    await other.page.getByRole('alert').waitFor()
  })

  it('go on at once where they are signed in already', async () => {
    const { page } = await visitor()
    await signIn(page, 'ada@example.com')
    await see(page, 'Monitors')
    await page.goto('/sign-in?return_to=%2Fsettings%2Faccount')
    await see(page, 'Account')
    await page.goto('/nothing/here')
    await see(page, 'There is nothing here')
    await page.goto('/settings/nothing')
    await see(page, 'There is nothing here')
    await inspect(page, 'not found')
  })

  it('are led to no other site after signing in', async () => {
    for (const to of ['//evil.example/', 'https://evil.example/', String.raw`/\evil.example`, '/.//evil.example/']) {
      const { page } = await visitor()
      await page.goto(`/sign-in?return_to=${encodeURIComponent(to)}`)
      await see(page, 'Sign in')
      await fill(page, { Email: 'ada@example.com', Password: password })
      await press(page, 'Sign in')
      await see(page, 'Monitors')
      assert.equal(new URL(page.url()).origin, service.origin)
    }
  })

  it('choose a new password with the link of a mail', async () => {
    const { page } = await visitor()
    await signUp(page, service, { email: 'forgetful@example.com', name: 'Fay' })
    await signOut(page)
    await page.getByRole('link', { name: 'Forgot it?' }).click()
    await see(page, 'Choose a new password')
    await inspect(page, 'forgot password')
    await fill(page, { Email: 'forgetful@example.com' })
    await press(page, 'Send the link')
    await page.goto(await linkTo('forgetful@example.com', /new password/))
    await fill(page, { 'New password': 'short' })
    await press(page, 'Set the password')
    await page.getByText('Use at least 10 characters.').waitFor()
    await inspect(page, 'reset password, refused')
    await fill(page, { 'New password': 'an entirely new one' })
    await press(page, 'Set the password')
    await see(page, 'The new password is set')
    await signIn(page, 'forgetful@example.com', 'an entirely new one')
    await see(page, 'Monitors')
  })

  it('sign in with a passkey, and without it no more', async () => {
    const { page } = await visitor()
    await withAuthenticator(page)
    await signUp(page, service, { email: 'keys@example.com', name: 'Kim' })
    await page.goto('/settings/security')
    await press(page, 'Add a passkey')
    await inspect(page, 'passkey, name')
    await fill(page, { Name: 'Laptop' })
    await press(page, 'Continue')
    await page.getByRole('list', { name: 'Passkeys' }).getByText('Laptop').waitFor()
    await signOut(page)
    await press(page, 'Sign in with a passkey')
    await see(page, 'Monitors')
    await page.goto('/settings/security')
    await press(page, 'Remove Laptop')
    await press(page, 'Remove')
    await page.getByText('Laptop', { exact: true }).waitFor({ state: 'detached' })
    await signOut(page)
    await press(page, 'Sign in with a passkey')
    await page.getByRole('alert').waitFor()
  })

  it('turn on an authenticator app, and are asked for its code or a backup code from then on', async () => {
    const { page } = await visitor()
    const email = 'careful@example.com'
    await signUp(page, service, { email, name: 'Cara' })
    await page.goto('/settings/security')
    await press(page, 'Set up')
    await fill(page, { 'Your password': 'not the password' })
    await press(page, 'Continue')
    await page.getByText('This is not your password.').waitFor()
    await fill(page, { 'Your password': password })
    await press(page, 'Continue')
    const secret = (await page.getByLabel('Secret of the app').textContent()) ?? ''
    await inspect(page, 'authenticator app')
    await fill(page, { 'Code that the app shows': '000000' })
    await press(page, 'Turn on')
    await page.getByText('This code is wrong or was used before.').waitFor()
    // The code of the step before leaves the present one for the next sign-in, because each code is good only once.
    await fill(page, { 'Code that the app shows': await previousCode(secret) })
    await press(page, 'Turn on')
    const [code] = await backupCodes(page)
    await inspect(page, 'backup codes')
    await press(page, 'I have saved them')
    await signOut(page)

    await signIn(page, email)
    await see(page, 'One more step')
    await inspect(page, 'second factor')
    await fill(page, { Code: oneTimeCode(secret, Date.now()) })
    await press(page, 'Continue')
    await see(page, 'Monitors')
    await signOut(page)

    await signInByBackupCode(page, email, code)
    await see(page, 'Monitors')
    await signOut(page)

    await signInByBackupCode(page, email, code)
    await page.getByText('This is not one of your backup codes').waitFor()
  })

  it('give no page anything to complain of', () => assert.deepEqual(complaints, []))

  it('leave no secret in the database nor in a log', () =>
    assertSecretsKept(service, ['password', 'cookie', 'token', 'one-time code', 'secret of an app', 'backup code']))
})

/** A passkey's device that is always there and always agrees (WebAuthn 11). */
async function withAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}
