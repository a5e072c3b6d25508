import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { AppError } from '#core/language/error.ts'
import type { SignUp } from '#core/people/person.ts'
import type { Admission, Surface } from '#operations/admission/admission.ts'
import { isOwnOrigin } from '#operations/pipeline/session-credential.ts'
import { addressGroupHeader, addressHeader, authPath, withCurrentNames } from './people-parts.ts'

/** `address` is the client's, as the server found it, and `addressGroup` what limits count it as. */
export type PeopleEnv = { Variables: { address: string; addressGroup: string } }

export type PeopleRoutesOptions = {
  publicUrl: string
  signUp: SignUp
  admission: Pick<Admission, 'within'>
  /** Gives what answers, which takes a moment the first time. */
  open: () => Promise<(request: Request) => Promise<Response>>
  now: () => Date
}

const maxBodyBytes = 64 * 1024
/** How much is kept of a User-Agent, which the list of sessions shows. */
const longestBrowser = 500

/** What of better-auth is served. The rest of it, such as lists that show other sessions' tokens, is not. */
const paths: readonly ['GET' | 'POST', string][] = [
  ['POST', '/sign-up/email'],
  ['POST', '/sign-in/email'],
  ['POST', '/sign-in/magic-link'],
  ['GET', '/magic-link/verify'],
  ['POST', '/sign-out'],
  ['GET', '/get-session'],
  ['GET', '/verify-email'],
  ['POST', '/send-verification-email'],
  ['POST', '/request-password-reset'],
  ['POST', '/reset-password'],
  ['POST', '/change-password'],
  ['POST', '/change-email'],
  ['POST', '/update-user'],
  ['POST', '/delete-user'],
  ['POST', '/two-factor/enable'],
  ['POST', '/two-factor/disable'],
  ['POST', '/two-factor/verify-totp'],
  ['POST', '/two-factor/verify-backup-code'],
  ['POST', '/two-factor/generate-backup-codes'],
  ['GET', '/passkey/generate-register-options'],
  ['POST', '/passkey/verify-registration'],
  ['GET', '/passkey/generate-authenticate-options'],
  ['POST', '/passkey/verify-authentication'],
  ['GET', '/passkey/list-user-passkeys'],
  ['POST', '/passkey/update-passkey'],
  ['POST', '/passkey/delete-passkey'],
  ['POST', '/set-up'],
  ['POST', '/invitation'],
  ['POST', '/invitation/sign-up'],
  ['POST', '/provider/start'],
  ['POST', '/provider/link'],
  ['POST', '/provider/finish'],
]

/** What pages may say in a query string. Addresses to go on to are the pages' own affair. */
const queryNames = new Set(['token', 'name', 'authenticatorAttachment'])

/**
 * The way to better-auth. Requests come from our own pages, by fetch and as JSON: other origins are refused before
 * anything is read, also where no cookie is sent, so that no other site can sign a person in.
 */
export function createPeopleRoutes(options: PeopleRoutesOptions): Hono<PeopleEnv> {
  const { publicUrl, signUp, admission, open, now } = options
  const routes = new Hono<PeopleEnv>()
  const limit = bodyLimit({ maxSize: maxBodyBytes, onError: () => refusal(413, 'TOO_LARGE', 'The body is too large.') })
  for (const [method, path] of paths)
    routes.on(method, authPath + path, limit, async (context) => {
      const { raw } = context.req
      if (!isOwnOrigin(raw, publicUrl) || !isAsked(raw))
        return refusal(403, 'FORBIDDEN_ORIGIN', `Open the console at ${publicUrl}.`)
      if (path === '/sign-up/email' && signUp === 'invited')
        return refusal(403, 'SIGN_UP_BY_INVITATION', 'You need an invitation to sign up here.')
      const handle = await open()
      const request = asAllowed(raw, { body: await bodyOf(raw), from: context.var, names: { publicUrl, now: now() } })
      try {
        const caller = context.get('addressGroup')
        return asJson(await admission.within({ surface: surfaceOf(path), caller }, () => handle(request)))
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        const refused = refusal(error.status, error.code.toUpperCase(), error.message)
        if (error.retryAfterSeconds !== undefined) refused.headers.set('Retry-After', String(error.retryAfterSeconds))
        return refused
      }
    })
  return routes
}

/** A slow provider keeps the people of no other waiting. */
function surfaceOf(path: string): Surface {
  return path.startsWith('/provider/') ? 'long' : 'sign_in'
}

/**
 * Whether a page asked, by fetch. A link that a person opens, from a mail or another site, says none of this: else a
 * stranger's link would sign people in as the stranger. Where pages come by plain http, browsers leave the second out.
 */
function isAsked({ headers }: Request): boolean {
  return headers.has('origin') || headers.get('sec-fetch-site') === 'same-origin' || headers.has('x-perigee-workspace')
}

/** All of it, so that who sends slowly holds no place. A sender who goes away meanwhile has sent nothing. */
async function bodyOf(raw: Request): Promise<ArrayBuffer | null> {
  return raw.body === null ? null : raw.arrayBuffer().catch(() => null)
}

type Arrived = {
  body: ArrayBuffer | null
  from: PeopleEnv['Variables']
  names: Parameters<typeof withCurrentNames>[1]
}

/** The request as better-auth may see it: its own query members, and one word on where it came from. */
function asAllowed(raw: Request, { body, from, names }: Arrived): Request {
  const url = new URL(raw.url)
  const kept = [...url.searchParams].filter(([name]) => queryNames.has(name))
  url.search = new URLSearchParams(kept).toString()
  const request = new Request(url, { method: raw.method, headers: raw.headers, body })
  request.headers.set(addressHeader, from.address)
  request.headers.set(addressGroupHeader, from.addressGroup)
  const browser = raw.headers.get('user-agent')
  const cookies = raw.headers.get('cookie')
  if (cookies !== null) request.headers.set('cookie', withCurrentNames(cookies, names))
  if (browser !== null) request.headers.set('user-agent', browser.slice(0, longestBrowser))
  return request
}

/** Pages ask by fetch, which follows redirects unseen: where better-auth sends a browser on, say why. */
function asJson(response: Response): Response {
  if (response.status < 300 || response.status > 399) return response
  const location = new URL(response.headers.get('location') ?? '/', 'http://unused')
  const code = location.searchParams.get('error')?.toUpperCase()
  return code === undefined
    ? Response.json({ status: true }, { headers: cookiesOf(response) })
    : refusal(400, code, 'This link does not exist, was already used or has expired. Request a new one.')
}

function cookiesOf(response: Response): Headers {
  const headers = new Headers()
  for (const cookie of response.headers.getSetCookie()) headers.append('set-cookie', cookie)
  return headers
}

/** In the form of better-auth's own. */
function refusal(status: number, code: string, message: string): Response {
  return Response.json({ code, message }, { status })
}
