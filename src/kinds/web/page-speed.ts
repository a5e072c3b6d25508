import { kindTraits } from '#core/monitors/kind-traits.ts'
import { z } from 'zod'
import { noPhases, type Verdict } from '#core/results/result.ts'
import { text } from '#core/language/text.ts'
import type { Net } from '#net/net.ts'
import { type AnyKind, type Check, defineKind } from '#kinds/kind.ts'
import { askService, memberOf, type ServiceAnswer, serviceUrl } from './outside-service.ts'
import { perNet } from '#kinds/per-net.ts'
import { createScoreMemory } from './score-memory.ts'
import { webTargetProblem } from './web-target.ts'

const options = z
  .strictObject({
    api_key: text({ min: 1, max: 500 })
      .optional()
      .describe('Key of the page-speed measurement service; kept encrypted and never returned.'),
    strategy: z
      .enum(['mobile', 'desktop'])
      .default('mobile')
      .describe('The device that is measured for. Default mobile.'),
    minimum_score: z
      .int()
      .min(0)
      .max(100)
      .optional()
      .describe('Down below this score, in points of 100. Default: measure only.'),
  })
  .describe('How fast a page is, as an outside service measures it.')
type PageSpeedOptions = z.infer<typeof options>

/** A score of 0 to 100, or why there is none: for the page's own reason or the service's. */
export type PageSpeedObservation =
  | { type: 'score'; score: number }
  | { type: 'unloadable'; problem: string }
  | { type: 'unknown'; problem: string }

export const pageSpeed = pageSpeedKind()

/** How fast a page is, as an outside service measures it (docs/decisions/targets-and-kinds.md, "Page speed"). */
function pageSpeedKind(): AnyKind {
  const memoryOf = perNet(createScoreMemory)
  return defineKind<PageSpeedOptions, PageSpeedObservation>({
    name: 'page_speed',
    options,
    secretOptions: ['api_key'],
    targetProblem: webTargetProblem,
    observe: async (check, net, signal) => {
      const memory = memoryOf(net)
      const { strategy, api_key: key } = check.options
      const subject = JSON.stringify([check.url, strategy, key ?? null])
      const known = memory.recall(subject, performance.now())
      if (known !== null) return { type: 'score', score: known }
      const observation = readMeasurement(await measure(check, net, signal))
      if (observation.type === 'score') memory.keep(subject, observation.score, performance.now())
      return observation
    },
    judge: judgeScore,
  })
}

function measure(check: Check<PageSpeedOptions>, net: Net, signal: AbortSignal): Promise<ServiceAnswer> {
  const { strategy, api_key: key } = check.options
  const url = serviceUrl(net.services.pageSpeedUrl, '/pagespeedonline/v5/runPagespeed', [
    ['url', check.url],
    ['strategy', strategy],
    ['category', 'performance'],
    // Without screenshots and audits an answer has a few hundred bytes instead of a megabyte.
    ['fields', 'lighthouseResult(runtimeError,categories/performance/score)'],
    ...(key === undefined ? [] : [['key', key] as const]),
  ])
  const timeoutMs = kindTraits.page_speed.longestCheckMs
  return askService({ name: 'page-speed service', url, timeoutMs, secret: key ?? null }, net, signal)
}

/** Codes by which the measuring browser says that it is the page's fault (Lighthouse, "errors"). */
const pageErrors =
  /\b(?:FAILED_DOCUMENT_REQUEST|ERRORED_DOCUMENT_REQUEST|NO_DOCUMENT_REQUEST|INSECURE_DOCUMENT_REQUEST|DNS_FAILURE|NO_FCP|NO_LCP|NOT_HTML|PAGE_HUNG|CHROME_INTERSTITIAL_ERROR|INVALID_URL)\b/

export function readMeasurement(answer: ServiceAnswer): PageSpeedObservation {
  if (answer.type === 'trouble') return { type: 'unknown', problem: answer.problem }
  if (answer.type === 'refusal')
    return pageErrors.test(answer.message)
      ? { type: 'unloadable', problem: unloadable(answer.message) }
      : { type: 'unknown', problem: answer.problem }
  const code = memberOf(answer.json, 'lighthouseResult', 'runtimeError', 'code')
  if (typeof code === 'string' && pageErrors.test(code)) return { type: 'unloadable', problem: unloadable(code) }
  const score = memberOf(answer.json, 'lighthouseResult', 'categories', 'performance', 'score')
  if (typeof score === 'number' && score >= 0 && score <= 1) return { type: 'score', score: Math.round(score * 100) }
  return { type: 'unknown', problem: 'The page-speed service answered without a score' }
}

function unloadable(message: string): string {
  return `The page could not be loaded to be measured: ${message}`
}

/** Trouble with the service says nothing about the page: degraded. */
export function judgeScore(
  observation: PageSpeedObservation,
  { options: { strategy, minimum_score: minimum } }: Pick<Check<PageSpeedOptions>, 'options'>,
): Verdict {
  const base = { statusCode: null, latencyMs: null, phases: noPhases }
  if (observation.type !== 'score') {
    const status = observation.type === 'unloadable' ? 'down' : 'degraded'
    return { ...base, status, error: observation.problem, details: { strategy } }
  }
  const { score } = observation
  const isSlow = minimum !== undefined && score < minimum
  const error = isSlow ? `The score is ${score} (${strategy}), below the minimum of ${minimum}` : null
  return { ...base, status: isSlow ? 'down' : 'up', error, details: { score, strategy } }
}
