// People as they meet the service: browsers with cookies, and mailboxes behind a real SMTP server.
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { after } from 'node:test'
import { z } from 'zod'
import { createMailer } from '#jobs/contacts/mailer.ts'
import { insertPerson } from '#store/people/people.ts'
import { headerOf, textOf } from '../flow/mails.ts'
import { type Answer, type ApiRequest, type TestApi, type TestApiOptions, testApi } from './api.ts'
import { type Logged, startTestJobs } from './jobs.ts'
import { type MailServer, type ReceivedMail, startMailServer } from './mail-server.ts'
import { quickPasswords } from './passwords.ts'
import { until } from './until.ts'

export const origin = 'http://perigee.test'
export const password = 'correct horse battery'

/** One browser: it keeps cookies, and sends them with what its pages ask. */
export type Browser = {
  cookies: Map<string, string>
  /** Below /auth. */
  auth: (method: string, path: string, body?: unknown) => Promise<Answer>
  /** Below /api/v1, in a workspace. */
  api: (method: string, path: string, request?: ApiRequest & { workspace?: string }) => Promise<Answer>
}

export type Letter = { path: string; parameters: URLSearchParams; mail: string }

export type PeopleApi = {
  api: TestApi
  server: MailServer
  logged: Logged[]
  /** The lines that signing in logged. */
  log: unknown[]
  browser: (address?: string) => Browser
  /** The newest mail of this subject to an address, which is waited for and then forgotten, and where its link leads. */
  mailTo: (email: string, subject: RegExp) => Promise<Letter>
  /** A person with the password above and a verified address, who is signed in. How people sign up is sign-in.test.ts. */
  newcomer: (email: string, name?: string) => Promise<{ browser: Browser; personId: string; workspaceId: string }>
}

export async function peopleApi(options: TestApiOptions = {}): Promise<PeopleApi> {
  const server = await startMailServer()
  const mailer = createMailer({ smtpUrl: server.url, from: 'perigee@perigee.test', outboxFolder: tmpdir() })
  const running: { stop: () => Promise<void> }[] = []
  // Hooks run in the order of making: the jobs have to stop before their database goes.
  after(async () => {
    await Promise.all(running.map((jobs) => jobs.stop()))
    await mailer.close()
  })
  const log: unknown[] = []
  // The jobs keep one for themselves, and signing in takes two at once.
  const api = await testApi({ maxConnections: 5, log, ...options })
  const { sendMail } = mailer
  const jobs = await startTestJobs(api.database, { carriers: { sendMail }, secrets: api.services.secrets })
  running.push(jobs)
  const browser = (address = '192.0.2.10'): Browser => createBrowser(api, address)
  const mailTo: PeopleApi['mailTo'] = (email, subject) => readLetter(server, { email, subject })
  return {
    api,
    server,
    logged: jobs.logged,
    log,
    browser,
    mailTo,
    newcomer: async (email, name = 'Somebody') => {
      const own = browser()
      const person = { email, name, passwordHash: await quickPasswords.hash(password), at: new Date() }
      await api.database.transaction((transaction) => insertPerson(transaction, person))
      return { browser: own, ...(await signIn(own, email)) }
    },
  }
}

const signedInSchema = z.object({ user: z.object({ id: z.uuid() }) })
const workspacesSchema = z.object({ data: z.array(z.object({ id: z.uuid() })) })

export async function signIn(browser: Browser, email: string): Promise<{ personId: string; workspaceId: string }> {
  const answer = await browser.auth('POST', '/sign-in/email', { email, password })
  assert.equal(answer.status, 200, answer.text)
  const { id: personId } = signedInSchema.parse(answer.body).user
  const { data } = workspacesSchema.parse((await browser.api('GET', '/workspaces')).body)
  return { personId, workspaceId: data[0]?.id ?? '' }
}

/** The code of an `{error}` of the API or a `{code}` of better-auth. */
export function codeOf({ body }: Answer): string {
  const { error, code } = z.object({ error: z.string().optional(), code: z.string().optional() }).parse(body)
  return error ?? code ?? ''
}

/** In ascending order, for what was asked at once. */
export function statusesOf(answers: readonly Answer[]): number[] {
  return answers.map(({ status }) => status).toSorted((a, b) => a - b)
}

/** A browser of its own, without a mailbox. */
export function createBrowser(api: TestApi, address: string): Browser {
  const cookies = new Map<string, string>()
  const keep = (headers: Headers): void => {
    for (const cookie of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (/max-age=0/i.test(cookie)) cookies.delete(name)
      else cookies.set(name, value)
    }
  }
  const headersOf = (more: Record<string, string> = {}): Record<string, string> => ({
    Origin: origin,
    ...(cookies.size === 0 ? {} : { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
    ...more,
  })
  return {
    cookies,
    auth: async (method, path, body) => {
      const sent = body === undefined ? null : JSON.stringify(body)
      const headers = { ...headersOf(), ...(sent === null ? {} : { 'Content-Type': 'application/json' }) }
      const response = await api.app.request(`${origin}/auth${path}`, { method, headers, body: sent }, { address })
      keep(response.headers)
      const text = await response.text()
      const isJson = (response.headers.get('content-type') ?? '').includes('json')
      return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
    },
    api: (method, path, { workspace, headers, ...request } = {}) =>
      api.request(method, path, {
        token: null,
        address,
        ...request,
        headers: headersOf({ 'X-Perigee-Workspace': workspace ?? 'mine', ...headers }),
      }),
  }
}

async function readLetter(server: MailServer, { email, subject }: { email: string; subject: RegExp }): Promise<Letter> {
  let found: ReceivedMail | undefined
  await until(
    `a mail to ${email}: ${subject.source}`,
    async () => {
      found = server.received.findLast((mail) => mail.to.includes(email) && subject.test(headerOf(mail, 'Subject')))
      return found !== undefined
    },
    30_000,
  )
  const letter = found ?? assert.fail()
  server.received.splice(server.received.indexOf(letter), 1)
  const mail = textOf(letter)
  const [text = ''] = /https:\/\/perigee\.example\/\S*/.exec(mail) ?? []
  const url = new URL(text)
  return { path: url.pathname, parameters: new URLSearchParams(url.hash.slice(1)), mail }
}
