// The settings that people change about themselves, and the pages that show them.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../support/until.ts'
import { fill, password, press, see, signIn, signOut, signUp, startConsole } from './support/console.ts'
import { assertSecretsKept } from './support/kept-secrets.ts'
import { backupCodes, signInByBackupCode, turnOnApp } from './support/second-factor.ts'

describe('people in their settings', async () => {
  const service = await startConsole()
  const { visitor, inspect, linkTo, complaints } = service

  it('see where they are signed in, and end it', async () => {
    const email = 'everywhere@example.com'
    const [here, there] = [await visitor(), await visitor()]
    await signUp(here.page, service, { email, name: 'Eve' })
    await signIn(there.page, email)
    await see(there.page, 'Monitors')
    await here.page.goto('/settings/security')
    await here.page.getByRole('button', { name: /^Sign out Chrome/ }).waitFor()
    await inspect(here.page, 'security')
    await here.page.getByRole('button', { name: /^Sign out Chrome/ }).click()
    await here.page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
    await here.page.getByRole('button', { name: /^Sign out Chrome/ }).waitFor({ state: 'detached' })
    // The page there asks again by itself, and learns it.
    await see(there.page, 'Sign in')
  })

  it('change their password, which signs them out everywhere else', async () => {
    const email = 'changing@example.com'
    const [here, there] = [await visitor(), await visitor()]
    await signUp(here.page, service, { email, name: 'Chen' })
    await signIn(there.page, email)
    await see(there.page, 'Monitors')
    await here.page.goto('/settings/security')
    await fill(here.page, { 'Current password': 'not the password', 'New password': 'a quite different one' })
    await press(here.page, 'Change the password')
    await here.page.getByText('This is not your password.').waitFor()
    await fill(here.page, { 'Current password': password })
    await press(here.page, 'Change the password')
    await here.page.getByText('Your password is changed.').waitFor()
    await see(there.page, 'Sign in')
    await signIn(there.page, email)
    await there.page.getByRole('alert').getByText('Email and password do not match.').waitFor()
    await signIn(there.page, email, 'a quite different one')
    await see(there.page, 'Monitors')
    await here.page.reload()
    await see(here.page, 'Security')
  })

  it('have new backup codes made, which end the old ones, and turn the app off', async () => {
    const { page } = await visitor()
    const email = 'renewing@example.com'
    await signUp(page, service, { email, name: 'Rene' })
    await page.goto('/settings/security')
    const { codes: old } = await turnOnApp(page)
    await press(page, 'New backup codes')
    await fill(page, { 'Your password': password })
    await press(page, 'Continue')
    const codes = await backupCodes(page)
    await press(page, 'I have saved them')
    await signOut(page)
    await signInByBackupCode(page, email, old[0])
    await page.getByText('This is not one of your backup codes').waitFor()
    await fill(page, { 'Backup code': codes[0] ?? '' })
    await press(page, 'Continue')
    await see(page, 'Monitors')
    await page.goto('/settings/security')
    await press(page, 'Turn off')
    await inspect(page, 'authenticator app, off')
    await fill(page, { 'Your password': password })
    await press(page, 'Continue')
    await page.getByRole('button', { name: 'Set up' }).waitFor()
    await signOut(page)
    await signIn(page, email)
    await see(page, 'Monitors')
  })

  it('choose the colours, for this browser and for good', async () => {
    const { page } = await visitor()
    await signUp(page, service, { email: 'ada@example.com', name: 'Ada' })
    const isColour = (colour: string): Promise<void> =>
      until(`the page is ${colour}`, async () => (await colourOf(page)) === colour)
    const choose = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: /^Account of/ }).click()
      await page.getByRole('menuitemradio', { name }).click()
    }
    const light = await colourOf(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await until('the page is dark', async () => (await colourOf(page)) !== light)
    const dark = await colourOf(page)
    await page.emulateMedia({ colorScheme: 'light' })
    await isColour(light)
    await choose('Dark')
    await isColour(dark)
    await page.reload()
    await see(page, 'Monitors')
    assert.equal(await colourOf(page), dark)
    await page.getByRole('button', { name: /^Account of/ }).click()
    assert.equal(await page.getByRole('menuitemradio', { name: 'Dark' }).getAttribute('aria-checked'), 'true')
    await page.keyboard.press('Escape')
    await choose('Light')
    await isColour(light)
    await choose('As the system')
    await page.emulateMedia({ colorScheme: 'dark' })
    await isColour(dark)
  })

  it('change their name, and their address once both mailboxes agree', async () => {
    const { page } = await visitor()
    await signUp(page, service, { email: 'old@example.com', name: 'Old Name' })
    await page.goto('/settings/account')
    await see(page, 'Account')
    await inspect(page, 'account')
    await fill(page, { 'Your name': 'New Name' })
    await press(page, 'Save')
    await page.getByRole('button', { name: 'Account of New Name' }).waitFor()
    await fill(page, { 'New address': 'new@example.com' })
    await press(page, 'Change')
    await page.goto(await linkTo('old@example.com', /change of your email/i))
    await see(page, 'Confirm')
    await inspect(page, 'confirm')
    await press(page, 'Confirm')
    await see(page, 'Confirmed')
    await page.goto(await linkTo('new@example.com', /Confirm your email/))
    await press(page, 'Confirm')
    await see(page, 'Your address is confirmed')
    await page.getByRole('link', { name: 'Continue' }).click()
    await page.getByText('new@example.com').first().waitFor()
  })

  it('delete their account, once nobody is left without an owner, and are in no workspace meanwhile', async () => {
    const { page } = await visitor()
    const email = 'leaving@example.com'
    await signUp(page, service, { email, name: 'Lea' })
    const remove = async (): Promise<void> => {
      await page.goto('/settings/account')
      await press(page, 'Delete …')
      await fill(page, { Password: password })
      await press(page, 'Delete permanently')
    }
    await remove()
    await page.getByRole('alert').getByText('Make someone else an owner of "My workspace" first').waitFor()
    await inspect(page, 'delete the account, refused')
    await page.goto('/settings/workspace')
    await press(page, 'Delete …')
    await press(page, 'Delete permanently')
    await see(page, 'You are not in a workspace')
    await inspect(page, 'no workspace, any more')
    await page.getByRole('link', { name: 'your sign-in settings' }).click()
    await see(page, 'Security')
    await inspect(page, 'security, no workspace')
    await page.getByRole('link', { name: 'Workspace' }).click()
    await see(page, 'You are not in a workspace')
    await remove()
    await see(page, 'Sign in')
    await signIn(page, email)
    await page.getByRole('alert').getByText('Email and password do not match.').waitFor()
  })

  it('give no page anything to complain of', () => assert.deepEqual(complaints, []))

  it('leave no secret in the database nor in a log', () =>
    assertSecretsKept(service, ['password', 'cookie', 'token', 'one-time code', 'secret of an app', 'backup code']))
})

function colourOf(page: Page): Promise<string> {
  return page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor')
}
