import type { z } from 'zod'
import type { ProbedKind } from '#core/monitors/kind-traits.ts'
import type { Net } from '#net/net.ts'
import type { HttpRequest } from '#net/http/http-request.ts'
import type { Resumption } from '#net/tls/tls.ts'
import { type BodyLook, createBodyLook, noFindings } from './body-look.ts'
import type { Check, Kind, OptionHost } from '#kinds/kind.ts'
import { askSigned, type SignedOutcome, signInHosts } from '#kinds/sign-in/sign-in.ts'
import { type Asking, openAsking } from './question-thread.ts'
import { routeHosts } from './route-options.ts'
import { lookResumed } from './resumption.ts'
import { judgeWeb, type WebObservation } from './web-judge.ts'
import { secretWays, type Ways, type WebOptions } from './web-options.ts'
import { askWeb, firstAsked, noAnswers } from './web-questions.ts'
import { webTargetProblem } from './web-target.ts'
import { perNet } from '#kinds/per-net.ts'

const maxRedirects = 10
const maxWireBytes = 10 * 1024 * 1024
/** A keyword or a JSON value has to stand within so many decoded bytes; texts of web-judge.ts name the limit. */
const maxSeenBytes = 2 * 1024 * 1024

/** One thread for all kinds of a location, so that workspaces take turns whatever kinds they have. */
export const askingOf: (net: Net) => Asking = perNet(() => openAsking())

/** What http and api have in common; `accept` is asked for where the monitor's own headers do not say otherwise. */
export function webKind<Options extends WebOptions>(kind: {
  name: ProbedKind
  options: z.ZodType<Options>
  accept: string
}): Kind<Options, WebObservation> {
  return {
    name: kind.name,
    options: kind.options,
    secretOptions: secretWays,
    optionHosts: wayHosts,
    targetProblem: webTargetProblem,
    observe: (check, net, signal) => {
      const tls = ownTls(check)
      const look = (resumption?: Resumption): Promise<WebObservation> => {
        const ask: WebMeans['ask'] = (request) => askSigned({ ...request, tls, resumption }, check, { net, signal })
        return observeWeb(check, { ask, asking: askingOf(net), accept: kind.accept }, signal)
      }
      if (!resumesTls(check, net)) return look()
      return lookResumed(check, look, { isUp: (seen) => judgeWeb(seen, check).status === 'up', signal })
    },
    judge: judgeWeb,
  }
}

/** A check that takes up a session may be made twice, and only these methods change nothing (RFC 9110 9.2.1). */
function resumesTls({ options, method }: Check<WebOptions>, net: Net): boolean {
  return (options.resume_tls ?? net.resumesTls) && (method === 'GET' || method === 'HEAD')
}

/** Hosts that the options name. */
export function wayHosts(options: Ways): OptionHost[] {
  return [...signInHosts(options), ...routeHosts(options)]
}

export type WebMeans = {
  ask: (request: HttpRequest) => Promise<SignedOutcome>
  asking: Asking
  accept: string
  /** Also where no expectation needs the body. */
  keepsBody?: boolean
}

/** Asks once for what the check is about. */
export async function observeWeb(
  check: Check<WebOptions>,
  { ask, asking, accept, keepsBody = false }: WebMeans,
  signal: AbortSignal,
): Promise<WebObservation> {
  const { absent_keyword: absentKeyword = null, body_sha256: sha256 } = check.options
  const body = createBodyLook({ keyword: check.keyword, absentKeyword, isHashed: sha256 !== undefined })
  const outcome = await ask(webRequest(check, { accept, body, keepsBody }))
  const findings = outcome.ok && body !== null ? body.findings() : noFindings
  const answers = outcome.ok ? await askWeb(outcome.answer, check, { asking, signal }) : noAnswers
  return { outcome, findings, answers }
}

type Wishes = { accept: string; body: BodyLook | null; keepsBody: boolean }

function webRequest(check: Check<WebOptions>, { accept, body, keepsBody }: Wishes): HttpRequest {
  const hasJson = check.options.json_path !== undefined
  const isKept = keepsBody || hasJson || firstAsked(check.options) !== null
  const isLooking = body !== null || isKept
  return {
    url: new URL(check.url),
    method: check.method,
    headers: webHeaders(check, accept),
    body: check.requestBody,
    maxRedirects: isAboutRedirects(check) ? 0 : maxRedirects,
    headersOnly: check.options.headers_only === true && !isLooking,
    maxBodyBytes: isKept ? maxSeenBytes : 0,
    maxDecodedBytes: isLooking ? maxSeenBytes : 0,
    maxWireBytes,
    timeoutMs: check.timeoutMs,
    ...(body === null ? {} : { isEnough: (piece, headers) => body.look(piece, headers) && !isKept }),
  }
}

/** Undefined where nothing but the usual is asked for. */
export function ownTls({ url, options }: Check<Ways>): HttpRequest['tls'] {
  const { certificate_authorities: authorities, client_certificate: client } = options
  const acceptsAny = options.accept_any_certificate === true
  if (authorities === undefined && client === undefined && !acceptsAny) return undefined
  return { host: new URL(url).hostname.replace(/^\[(.*)\]$/, '$1'), authorities, client, acceptsAny }
}

/** A monitor that expects only redirects wants to see the redirect itself. */
function isAboutRedirects({ expectedStatusMin, expectedStatusMax }: Check<WebOptions>): boolean {
  return expectedStatusMin >= 300 && expectedStatusMax < 400
}

/** The headers of the monitor win over ours. */
export function webHeaders(check: Pick<Check<unknown>, 'requestHeaders'>, accept: string): Record<string, string> {
  const headers: Record<string, string> = { 'user-agent': 'Perigee/1 (+uptime check)', accept }
  for (const name in check.requestHeaders) headers[name.toLowerCase()] = check.requestHeaders[name] ?? ''
  return headers
}
