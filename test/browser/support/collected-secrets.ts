// Every secret that a run of browsers and agents meets: what is typed, shown, sent, answered, set as a cookie, or mailed.
import assert from 'node:assert/strict'
import type { BrowserContext, Request, Response } from 'playwright-core'
import type { Secrets } from '../../support/secret-search.ts'

export type CollectedSecrets = {
  /** Begins to collect the secrets that this browser sends and receives. */
  watch: (context: BrowserContext) => void
  /** Collects the secrets in a text: JSON, a form, or an address with its secret behind ? or #. */
  note: (text: string) => void
  /** All of them, once every answer was read. */
  all: () => Promise<Secrets>
}

/** Members that hold a secret, wherever they stand, and what it is called. */
const kinds: ReadonlyMap<string, string> = new Map([
  ['password', 'password'],
  ['currentPassword', 'password'],
  ['newPassword', 'password'],
  ['code', 'one-time code'],
  ['user_code', 'code of an agent'],
  ['token', 'token'],
  ['api_key', 'token'],
  ['claim_attempt_token', 'link of an agent'],
  ['claim_token', 'claim token'],
  ['assertion', 'assertion'],
  ['identity_assertion', 'assertion'],
  ['access_token', 'access token'],
  ['refresh_token', 'refresh token'],
  ['backupCodes', 'backup code'],
  ['secret', 'secret of an app'],
  ['endpoint', 'push subscription'],
  ['p256dh', 'push subscription'],
  ['auth', 'push subscription'],
  ['signing_secret', 'signing secret'],
])
/** Shorter ones are refused, as passwords are, and would be found in other words. */
const shortest = 6
/** Codes that stories mistype on purpose, which are no secrets. */
const repeated = /^(\d)\1*$/

export function collectSecrets(): CollectedSecrets {
  const found = new Map<string, string>()
  const reading: Promise<void>[] = []
  const keep = (what: string, secret: string): void => {
    if (secret.length >= shortest && !repeated.test(secret)) found.set(secret, what)
  }
  const note = (text: string): void => {
    for (const [name, value] of membersOf(text)) {
      const kind = kinds.get(name)
      if (kind !== undefined) keep(value.startsWith('pgk_') ? 'API token' : kind, value)
    }
  }
  return {
    note,
    watch: (context) => {
      context.on('request', (request) => textsOf(request).forEach(note))
      context.on('response', (response) => reading.push(readAnswer(response, { note, keep })))
    },
    all: async () => {
      await Promise.all(reading)
      return found
    },
  }
}

function textsOf(request: Request): string[] {
  const body = request.postData()
  return [request.url(), ...(body === null ? [] : [body])]
}

type Noting = { note: (text: string) => void; keep: (what: string, secret: string) => void }

/**
 * Headers and body of an answer. The browser drops the body once the page has moved on; the caller picks answers with
 * secrets.
 */
async function readAnswer(response: Response, { note, keep }: Noting): Promise<void> {
  // A service worker asks for files and pages of the console, which set no cookie. The browser may never tell the
  // headers of its requests as they were sent, and a reading of them would have no end.
  const isOfWorker = response.fromServiceWorker() || response.request().serviceWorker() !== null
  for (const { name, value } of isOfWorker ? [] : await response.headersArray().catch(() => [])) {
    const [, cookie = ''] = name.toLowerCase() === 'set-cookie' ? (/^[^=]+=([^;]*)/.exec(value) ?? []) : []
    keep('cookie', cookie)
    keep('cookie', decodeURIComponent(cookie))
  }
  if (isTelling(response)) note(await response.text().catch(() => ''))
}

/**
 * Sign-in answers hold the first half of the cookie, which opens nothing without the other one: the signature, which
 * no table has.
 */
function isTelling(response: Response): boolean {
  const { pathname } = new URL(response.url())
  return /^\/auth\/two-factor\/|^\/api\/v1\/(?:api-tokens|alert-channels(?:\/[^/]+\/signing-secret)?)$/.test(pathname)
}

/** Names and texts of everything that stands in a text of whatever kind. */
function membersOf(text: string): [string, string][] {
  if (/^[{[]/.test(text)) return walk('', JSON.parse(text))
  const [, after = text] = /^[a-z]+:[^?#]*[?#](.*)$/s.exec(text) ?? []
  return [...new URLSearchParams(after.replace('#', '&'))]
}

function walk(name: string, value: unknown): [string, string][] {
  if (typeof value === 'string') return URL.canParse(value) ? [[name, value], ...membersOf(value)] : [[name, value]]
  if (Array.isArray(value)) return value.flatMap((each: unknown) => walk(name, each))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([member, each]) => walk(member, each))
}

/** Fails unless the run met all of these kinds: a search for nothing finds nothing. */
export function assertMet(secrets: Secrets, wanted: readonly string[]): void {
  const met = new Set(secrets.values())
  assert.deepEqual(
    wanted.filter((kind) => !met.has(kind)),
    [],
    `met ${[...met].join(', ')}`,
  )
}
