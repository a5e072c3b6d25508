import { z } from 'zod'
import { noPhases, type Verdict } from '#core/results/result.ts'
import { text } from '#core/language/text.ts'
import type { Net } from '#net/net.ts'
import type { HttpAnswer, HttpOutcome } from '#net/http/http-request.ts'
import { type CloudIncident, type CloudReport, type Impact, impacts, worst } from './cloud-report.ts'
import { readSource, sourcesOf } from './cloud-source.ts'
import { type Check, defineKind } from '#kinds/kind.ts'
import { webHeaders } from '#kinds/web/web-kind.ts'
import { webTargetProblem } from '#kinds/web/web-target.ts'

const options = z
  .strictObject({
    components: z
      .array(text({ min: 1, max: 200 }))
      .max(50)
      .optional()
      .describe('Names of components as the provider writes them; case does not matter. Default: all.'),
    down_on: z
      .enum(['minor', 'major', 'critical'])
      .default('major')
      .describe('The least problem that counts as down; lesser ones are degraded. Default major.'),
  })
  .describe('What a provider says of itself on its public status page.')
type CloudOptions = z.infer<typeof options>

/** The report that was found, or why there is none; the figures are those of the last exchange. */
type CloudObservation = Pick<Verdict, 'statusCode' | 'latencyMs' | 'phases'> &
  ({ report: CloudReport } | { problem: string })

const maxReportMib = 4
const maxReportBytes = maxReportMib * 1024 * 1024
const maxExchanges = 3

/** What a cloud provider says of itself on its status page. */
export const cloudStatus = defineKind<CloudOptions, CloudObservation>({
  name: 'cloud_status',
  options,
  secretOptions: [],
  targetProblem: webTargetProblem,
  observe: findReport,
  judge: judgeCloud,
})

/** Tries the places where a report may be, one after the other, and a page's feed last. */
async function findReport(check: Check<CloudOptions>, net: Net, signal: AbortSignal): Promise<CloudObservation> {
  const target = new URL(check.url)
  const places = sourcesOf(target)
  let seen: CloudObservation = { statusCode: null, latencyMs: null, phases: noPhases, problem: noReport }
  for (let index = 0; index < Math.min(places.length, maxExchanges); index++) {
    const place = places[index] ?? target
    const outcome = await ask(place, { check, target }, (request) => net.http(request, signal))
    const figures = figuresOf(outcome)
    if (!outcome.ok) return { ...figures, problem: outcome.failure.message }
    const problem = answerProblem(outcome.answer)
    const source = problem === null ? await readSource(outcome.answer, Date.now()) : null
    if (source?.type === 'report') return { ...figures, report: source.report }
    if (source?.type === 'page') places.push(...source.feeds.slice(0, 1))
    // What the customer named tells more than the places that were only guessed.
    if (index === 0 || place.href === target.href) seen = { ...figures, problem: problem ?? noReport }
  }
  return seen
}

const noReport = 'No status report was found: the address leads to no Statuspage page, known JSON report or feed'

function ask(
  url: URL,
  { check, target }: { check: Check<CloudOptions>; target: URL },
  send: (request: Parameters<Net['http']>[0]) => Promise<HttpOutcome>,
): Promise<HttpOutcome> {
  const requestHeaders = url.origin === target.origin ? check.requestHeaders : {}
  return send({
    url,
    method: 'GET',
    headers: webHeaders({ requestHeaders }, 'application/json, application/rss+xml, application/atom+xml, */*;q=0.5'),
    body: null,
    maxRedirects: 10,
    headersOnly: false,
    maxBodyBytes: maxReportBytes,
    maxWireBytes: maxReportBytes,
    timeoutMs: check.timeoutMs,
  })
}

function figuresOf(outcome: HttpOutcome): Pick<Verdict, 'statusCode' | 'latencyMs' | 'phases'> {
  const { phases, latencyMs } = outcome
  return outcome.ok
    ? { statusCode: outcome.answer.status, latencyMs, phases }
    : { statusCode: outcome.status, latencyMs: null, phases }
}

function answerProblem({ status, isTruncated }: HttpAnswer): string | null {
  if (status < 200 || status > 299) return `The status page answered with HTTP status ${status}`
  return isTruncated ? `The status report is longer than ${maxReportMib} MiB` : null
}

export function judgeCloud(observation: CloudObservation, check: Pick<Check<CloudOptions>, 'options'>): Verdict {
  const { statusCode, latencyMs, phases } = observation
  const base = { statusCode, latencyMs, phases }
  if ('problem' in observation) return { ...base, status: 'down', error: observation.problem, details: {} }
  const { report } = observation
  const wanted = check.options.components ?? []
  const missing = wanted.filter((name) => report.components?.every((each) => !isSameName(each.name, name)) === true)
  const incidents = report.incidents.filter((incident) => wanted.length === 0 || touches(incident, wanted))
  const indicator = levelOf(report, wanted, incidents)
  const details = { indicator, incidents: incidents.slice(0, 10).map(({ name, impact }) => ({ name, impact })) }
  if (missing.length > 0) {
    const names = missing.map((name) => `"${name}"`).join(', ')
    return { ...base, status: 'down', error: `Component ${names} not found on the status page`, details }
  }
  if (indicator === 'none') return { ...base, status: 'up', error: null, details }
  const isDown = impacts.indexOf(indicator) >= impacts.indexOf(check.options.down_on)
  const error = problemText(indicator, { affected: affectedOf(report, wanted), incidents })
  return { ...base, status: isDown ? 'down' : 'degraded', error, details }
}

function levelOf(report: CloudReport, wanted: readonly string[], incidents: readonly CloudIncident[]): Impact {
  if (wanted.length === 0) return report.indicator
  const chosen = report.components?.filter(({ name }) => wanted.some((each) => isSameName(each, name)))
  return worst((chosen ?? incidents).map(({ impact }) => impact))
}

/** Names of the chosen components that are not well; where none were chosen the incidents tell. */
function affectedOf({ components }: CloudReport, wanted: readonly string[]): string[] {
  const chosen = components?.filter(({ name }) => wanted.some((each) => isSameName(each, name))) ?? []
  return chosen.filter(({ impact }) => impact !== 'none').map(({ name }) => name)
}

function touches({ components, text: prose }: CloudIncident, wanted: readonly string[]): boolean {
  const mentioned = prose.toLowerCase()
  return wanted.some(
    (name) =>
      components.some((component) => isSameName(component, name)) || mentioned.includes(name.trim().toLowerCase()),
  )
}

function isSameName(left: string, right: string): boolean {
  return left.trim().toLowerCase() === right.trim().toLowerCase()
}

const words = { minor: 'a minor problem', major: 'a major outage', critical: 'a critical outage' }

function problemText(
  indicator: Exclude<Impact, 'none'>,
  { affected, incidents }: { affected: readonly string[]; incidents: readonly CloudIncident[] },
): string {
  const of = affected.length === 0 ? '' : ` of ${affected.slice(0, 5).join(', ')}`
  const named = incidents.filter(({ impact }) => impact !== 'none')
  const titles = named.slice(0, 3).map(({ name }) => `"${name.slice(0, 100)}"`)
  const more = named.length > 3 ? ` and ${named.length - 3} more` : ''
  const because = titles.length === 0 ? '' : `: ${titles.join(', ')}${more}`
  return `The status page reports ${words[indicator]}${of}${because}`
}
