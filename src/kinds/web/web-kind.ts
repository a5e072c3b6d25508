import type { z } from 'zod'
import type { ProbedKind } from '#core/monitors/kind-traits.ts'
import type { HttpOutcome, HttpRequest } from '#net/http/http-request.ts'
import { createKeywordSearch, type KeywordSearch } from './keyword-search.ts'
import type { Check, Kind } from '#kinds/kind.ts'
import { judgeWeb, type WebObservation } from './web-judge.ts'
import type { WebOptions } from './web-options.ts'
import { webTargetProblem } from './web-target.ts'

const maxRedirects = 10
const maxWireBytes = 10 * 1024 * 1024
/** A keyword or a JSON value has to stand within so many decoded bytes; texts of web-judge.ts name the limit. */
const maxSeenBytes = 2 * 1024 * 1024

/** What http and api have in common; `accept` is asked for where the monitor's own headers do not say otherwise. */
export function webKind<Options extends WebOptions>(kind: {
  name: ProbedKind
  options: z.ZodType<Options>
  accept: string
}): Kind<Options, WebObservation> {
  return {
    name: kind.name,
    options: kind.options,
    secretOptions: [],
    targetProblem: webTargetProblem,
    observe: (check, net, signal) => observeWeb(check, (request) => net.http(request, signal), { accept: kind.accept }),
    judge: judgeWeb,
  }
}

/** Asks once for what the check is about. */
export async function observeWeb(
  check: Check<WebOptions>,
  ask: (request: HttpRequest) => Promise<HttpOutcome>,
  { accept }: { accept: string },
): Promise<WebObservation> {
  const search = hasKeyword(check) ? createKeywordSearch(check.keyword) : null
  const outcome = await ask(webRequest(check, accept, search))
  return { outcome, hasKeyword: outcome.ok && search !== null ? search.isFound() : null }
}

/** An empty keyword is in every body, so that there is nothing to look for. */
function hasKeyword<Given extends Check<WebOptions>>(check: Given): check is Given & { keyword: string } {
  return check.keyword !== null && check.keyword !== ''
}

function webRequest(check: Check<WebOptions>, accept: string, search: KeywordSearch | null): HttpRequest {
  const hasJson = check.options.json_path !== undefined
  const isLooking = search !== null || hasJson
  return {
    url: new URL(check.url),
    method: check.method,
    headers: webHeaders(check, accept),
    body: check.requestBody,
    maxRedirects: isAboutRedirects(check) ? 0 : maxRedirects,
    headersOnly: check.options.headers_only === true && !isLooking,
    maxBodyBytes: hasJson ? maxSeenBytes : 0,
    maxDecodedBytes: isLooking ? maxSeenBytes : 0,
    maxWireBytes,
    timeoutMs: check.timeoutMs,
    ...(search === null ? {} : { isEnough: (piece, headers) => search.look(piece, headers) && !hasJson }),
  }
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
