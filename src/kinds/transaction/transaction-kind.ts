import type { ProbedKind } from '#core/monitors/kind-traits.ts'
import { decideStatuses, type ExpectedStatuses, statusesToCheck } from '#core/monitors/expected-statuses.ts'
import { noPhases, type Phases, type Verdict } from '#core/results/result.ts'
import type { Net } from '#net/net.ts'
import type { AnyKind, Check, OptionHost } from '#kinds/kind.ts'
import { defineKind } from '#kinds/kind.ts'
import { isPath, type Step, type TransactionOptions, transactionOptions } from './transaction-options.ts'
import type { Asking } from '#kinds/web/question-thread.ts'
import { judgeWeb } from '#kinds/web/web-judge.ts'
import { askingOf, observeWeb, ownTls, type WebMeans } from '#kinds/web/web-kind.ts'
import { secretWays, type Ways, type WebOptions } from '#kinds/web/web-options.ts'
import { webTargetProblem } from '#kinds/web/web-target.ts'

/** What became of a step; steps after a failed one are not made. `request` is for texts. */
export type StepRun = { request: string; verdict: Verdict }

/** Requests in a row that share cookies, as those of one visitor do. */
export function transactionKind(name: ProbedKind, maxSteps: number): AnyKind {
  return defineKind<TransactionOptions, StepRun[]>({
    name,
    options: transactionOptions(maxSteps),
    secretOptions: [{ list: 'steps', member: 'headers', sameBy: ['method', 'url'] }, ...secretWays],
    optionHosts,
    targetProblem: webTargetProblem,
    observe: (check, net, signal) => runSteps(check, { net, asking: askingOf(net) }, signal),
    judge: judgeRun,
  })
}

/** Paths stay on the host of the monitor's own target, which is looked at anyway. */
function optionHosts({ steps }: TransactionOptions): OptionHost[] {
  return steps.flatMap(({ url }, index) => {
    const host = url === undefined || isPath(url) ? null : new URL(url).hostname
    return host === null ? [] : [{ path: ['steps', index, 'url'], host }]
  })
}

type Means = { net: Net; asking: Asking }

async function runSteps(
  check: Check<TransactionOptions>,
  { net, asking }: Means,
  signal: AbortSignal,
): Promise<StepRun[]> {
  const cookies = await net.cookieJar()
  const tls = ownTls(check)
  const runs: StepRun[] = []
  for (const step of check.options.steps) {
    const stepCheck = checkOf(step, check)
    const ask: WebMeans['ask'] = (request) => net.http({ ...request, cookies, tls }, signal)
    const verdict = judgeWeb(await observeWeb(stepCheck, { ask, asking, accept: '*/*' }, signal), stepCheck)
    runs.push({ request: `${stepCheck.method} ${new URL(stepCheck.url).pathname.slice(0, 100)}`, verdict })
    if (verdict.status === 'down') break
  }
  return runs
}

/** A step as a check of its own: what it leaves out is the monitor's own setting. */
export function checkOf(step: Step, check: Check<TransactionOptions>): Check<WebOptions> {
  const { url: place = check.url, method, headers, body, keyword, ...rest } = step
  const { expected_status_min: _min, expected_status_max: _max, expected_statuses: _list, ...options } = rest
  const url = new URL(place, check.url)
  // What the monitor sends to its own origin may be a secret, which another one has no business to see.
  const inherited = url.origin === new URL(check.url).origin ? check.requestHeaders : {}
  return {
    ...check,
    url: url.href,
    method: method ?? check.method,
    requestHeaders: headers ?? inherited,
    requestBody: body === undefined ? check.requestBody : body,
    keyword: keyword === undefined ? check.keyword : keyword,
    ...statusesOf(step, check),
    options: { ...options, ...waysOf(check.options) },
  }
}

function waysOf({ steps: _steps, ...ways }: TransactionOptions): Ways {
  return ways
}

/** One bound alone moves the monitor's other one along, so that some status is always right. */
function statusesOf(step: Step, check: Check<TransactionOptions>): Partial<ExpectedStatuses> {
  const { expected_status_min: min, expected_status_max: max, expected_statuses: list } = step
  if (list !== undefined && list !== null) return statusesToCheck(decideStatuses({ expected_statuses: list }, null))
  if (min === undefined && max === undefined) return {}
  return {
    expectedStatusMin: min ?? Math.min(check.expectedStatusMin, max ?? check.expectedStatusMin),
    expectedStatusMax: max ?? Math.max(check.expectedStatusMax, min ?? check.expectedStatusMax),
    expectedStatuses: undefined,
  }
}

/** The run is as good as its worst step; of slow ones the first is named. Status code is that of the last step made. */
export function judgeRun(runs: readonly StepRun[]): Verdict {
  const verdicts = runs.map(({ verdict }) => verdict)
  const status = (['down', 'degraded'] as const).find((worse) => verdicts.some((verdict) => verdict.status === worse))
  const at = verdicts.findIndex((verdict) => verdict.status === status)
  return {
    status: status ?? 'up',
    statusCode: verdicts.at(-1)?.statusCode ?? null,
    latencyMs: total(verdicts.map(({ latencyMs }) => latencyMs)),
    error: at === -1 ? null : `Step ${at + 1} (${runs[at]?.request}): ${verdicts[at]?.error}`,
    phases: verdicts.map(({ phases }) => phases).reduce(addPhases, noPhases),
    details: {
      steps: verdicts.map(({ status: each, statusCode, latencyMs, error }, index) => ({
        index: index + 1,
        status: each,
        status_code: statusCode,
        latency_ms: latencyMs,
        error,
      })),
    },
  }
}

/** Null when a step has none, because it did not come to its end. */
function total(latencies: readonly (number | null)[]): number | null {
  return latencies.reduce((sum, latencyMs) => (sum === null || latencyMs === null ? null : sum + latencyMs), 0)
}

function addPhases(sum: Phases, phases: Phases): Phases {
  return {
    dnsMs: addMs(sum.dnsMs, phases.dnsMs),
    connectMs: addMs(sum.connectMs, phases.connectMs),
    tlsMs: addMs(sum.tlsMs, phases.tlsMs),
    ttfbMs: addMs(sum.ttfbMs, phases.ttfbMs),
    transferMs: addMs(sum.transferMs, phases.transferMs),
  }
}

function addMs(left: number | null, right: number | null): number | null {
  return left === null || right === null ? (left ?? right) : left + right
}
