// The service as people meet it: its console, and their mail.
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { openDatabase } from '#store/database/database.ts'
import { runningConnection } from '#store/embedded/embedded.ts'
import { headerOf, textOf } from '../../flow/mails.ts'
import { type MailServer, type ReceivedMail, startMailServer } from '../../support/mail-server.ts'
import { serviceFolder } from '../../support/service-folder.ts'
import type { Perigee } from '../../support/perigee-process.ts'
import { until } from '../../support/until.ts'
import { type Chromium, startChromium } from './chromium.ts'
import { type CollectedSecrets, collectSecrets } from './collected-secrets.ts'
import { freePort } from '../../support/free-port.ts'

export const password = 'correct horse battery'

export type Console = Chromium & {
  origin: string
  perigee: Perigee
  dataFolder: string
  /** The secrets of this run, which must not show up in tables or logs. */
  collected: CollectedSecrets
  /** Has time pass, or more happen than a story has time for: a statement on the service's own database. */
  change: (statement: string) => Promise<void>
  /**
   * The link in the newest mail of this subject to an address, which is waited for and then forgotten. Of several
   * links, the first whose path begins so.
   */
  linkTo: (email: string, subject: RegExp, path?: string) => Promise<string>
}

/** `perigee start` on new data, at a name instead of digits: passkeys want one. */
export async function startConsole(environment: Readonly<Record<string, string>> = {}): Promise<Console> {
  const mail = await startMailServer()
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const folder = serviceFolder()
  const { dataFolder } = folder
  const perigee = folder.start({
    // The most verbose log is searched for secrets.
    PERIGEE_LOG_LEVEL: 'debug',
    PERIGEE_PORT: String(port),
    PERIGEE_PUBLIC_URL: origin,
    PERIGEE_SIGN_UP: 'open',
    PERIGEE_SMTP_URL: mail.url,
    PERIGEE_MAIL_FROM: 'perigee@perigee.test',
    PERIGEE_TRUSTED_PROXIES: '127.0.0.0/8',
    PERIGEE_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    // The limits are for people, and these stories press faster than any person does.
    PERIGEE_READS_PER_MINUTE: '10000',
    PERIGEE_WRITES_PER_MINUTE: '10000',
    ...environment,
  })
  await perigee.printed(/^Press Ctrl-C to stop\.$/m)
  const collected = collectSecrets()
  const chromium = await startChromium(origin, collected.watch)
  const linkTo = async (email: string, subject: RegExp, path = '/'): Promise<string> => {
    const link = await readLink(mail, { email, subject, start: origin + path })
    collected.note(link)
    return link
  }
  return { ...chromium, origin, perigee, dataFolder, collected, linkTo, change: (text) => change(dataFolder, text) }
}

async function change(dataFolder: string, statement: string): Promise<void> {
  const { pool, close } = openDatabase({ connection: runningConnection(dataFolder), maxConnections: 1 })
  try {
    await pool.query(statement)
  } finally {
    await close()
  }
}

/** Fills fields by their labels. */
export async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value)
}

export async function press(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
}

/** Waits for the page of this name. Its whole name: one of "Edit Shop" is not yet the page of "Shop". */
export async function see(page: Page, heading: string | RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
}

/** Pages read by themselves every 15 seconds; stories do not wait for it. What a page reads comes after its heading. */
export async function reloadUntilShown(page: Page, what: Locator): Promise<void> {
  await until(`${String(what)} is shown`, async () => {
    await page.reload()
    await see(page, /./)
    return isShownWithin(what, 2000)
  })
}

async function isShownWithin(what: Locator, ms: number): Promise<boolean> {
  try {
    await what.first().waitFor({ timeout: ms })
    return true
  } catch {
    return false
  }
}

export async function signIn(page: Page, email: string, secret = password): Promise<void> {
  await page.goto('/sign-in')
  await fill(page, { Email: email, Password: secret })
  await press(page, 'Sign in')
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await see(page, 'Sign in')
}

/** A new account, by the link of the mail, and signed in. */
export async function signUp(page: Page, { linkTo }: Console, person: { email: string; name: string }): Promise<void> {
  await page.goto('/sign-up')
  await fill(page, { 'Your name': person.name, Email: person.email, Password: password })
  await press(page, 'Create the account')
  await see(page, 'Check your mail')
  await page.goto(await linkTo(person.email, /Confirm your email/))
  await press(page, 'Confirm')
  await see(page, 'Your address is confirmed')
  await signIn(page, person.email)
  await see(page, 'Monitors')
}

type Wanted = { email: string; subject: RegExp; start: string }

async function readLink({ received }: MailServer, { email, subject, start }: Wanted): Promise<string> {
  let found: ReceivedMail | undefined
  await until(
    `a mail to ${email}: ${subject.source}`,
    async () => {
      found = received.findLast((mail) => mail.to.includes(email) && subject.test(headerOf(mail, 'Subject')))
      return found !== undefined
    },
    60_000,
  )
  const letter = found ?? assert.fail()
  received.splice(received.indexOf(letter), 1)
  const links = textOf(letter).match(/http:\/\/localhost:\d+\/\S+/g) ?? []
  return links.find((link) => link.startsWith(start)) ?? assert.fail(`No link in: ${textOf(letter)}`)
}
