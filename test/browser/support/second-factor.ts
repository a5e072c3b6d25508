// An authenticator app, as its person and the pages of it meet.
import type { Page } from 'playwright-core'
import { previousCode } from '../../support/one-time-code.ts'
import { fill, password, press, signIn } from './console.ts'

/** Turns the app on, on the security page. The code of the step before leaves the present one for the next sign-in. */
export async function turnOnApp(page: Page): Promise<{ secret: string; codes: string[] }> {
  await press(page, 'Set up')
  await fill(page, { 'Your password': password })
  await press(page, 'Continue')
  const secret = (await page.getByLabel('Secret of the app').textContent()) ?? ''
  await fill(page, { 'Code that the app shows': await previousCode(secret) })
  await press(page, 'Turn on')
  const codes = await backupCodes(page)
  await press(page, 'I have saved them')
  return { secret, codes }
}

/** Reads the backup codes, which the page shows only once. */
export async function backupCodes(page: Page): Promise<string[]> {
  return ((await page.getByLabel('Backup codes', { exact: true }).textContent()) ?? '').split(' ')
}

export async function signInByBackupCode(page: Page, email: string, code = ''): Promise<void> {
  await signIn(page, email)
  await press(page, 'Use a backup code')
  await fill(page, { 'Backup code': code })
  await press(page, 'Continue')
}
