import type { ProbedKind } from '#core/monitors/kind-traits.ts'
import { decideStatuses, type ExpectedStatuses, statusesToCheck } from '#core/monitors/expected-statuses.ts'
import { noPhases, type Phases, type Verdict } from '#core/results/result.ts'
import type { Net } from '#net/net.ts'
import type { AnyKind, Check, OptionHost } from '#kinds/kind.ts'
import { defineKind } from '#kinds/kind.ts'
import { totpName } from './capture-options.ts'
import { captureFrom, type Values } from './captures.ts'
import { urlWith, withValues } from './filled-step.ts'
import { secretBytes, totpCode } from './totp.ts'
import { redact } from '#core/language/redact.ts'
import { isPath, type Step, type TransactionOptions, transactionOptions } from './transaction-options.ts'
import { askSigned } from '#kinds/sign-in/sign-in.ts'
import type { Asking } from '#kinds/web/question-thread.ts'
import { judgeWeb } from '#kinds/web/web-judge.ts'
import { askingOf, observeWeb, ownTls, wayHosts, type WebMeans } from '#kinds/web/web-kind.ts'
import { secretWays, type Ways, type WebOptions } from '#kinds/web/web-options.ts'
import { webTargetProblem } from '#kinds/web/web-target.ts'

/** What became of a step; steps after a failed one are not made. `request` is for texts, and so is the name if it has one. */
export type StepRun = { name?: string | undefined; request: string; verdict: Verdict }

/** Requests in a row that share cookies, as those of one visitor do. */
export function transactionKind(name: ProbedKind, maxSteps: number): AnyKind {
  return defineKind<TransactionOptions, StepRun[]>({
    name,
    options: transactionOptions(maxSteps),
    secretOptions: [
      { list: 'steps', member: 'headers', sameBy: ['method', 'url'] },
      { list: 'secrets', member: 'value', sameBy: ['name'] },
      'totp_secret',
      ...secretWays,
    ],
    optionHosts,
    targetProblem: webTargetProblem,
    observe: (check, net, signal) => runSteps(check, { net, asking: askingOf(net) }, signal),
    judge: judgeRun,
  })
}

/** Paths stay on the host of the monitor's own target, which is looked at anyway. */
function optionHosts({ steps, secrets: _secrets, ...ways }: TransactionOptions): OptionHost[] {
  const hosts = steps.flatMap(({ url }, index) => {
    const host = url === undefined || isPath(url) ? null : new URL(url).hostname
    return host === null ? [] : [{ path: ['steps', index, 'url'], host }]
  })
  return [...hosts, ...wayHosts(ways)]
}

type Means = { net: Net; asking: Asking }

async function runSteps(
  check: Check<TransactionOptions>,
  { net, asking }: Means,
  signal: AbortSignal,
): Promise<StepRun[]> {
  const cookies = await net.cookieJar()
  const tls = ownTls(check)
  const ask: WebMeans['ask'] = (request) =>
    askSigned({ ...request, cookies, tls }, { ...check, options: waysOf(check.options) }, { net, signal })
  const values = new Map<string, string>()
  const learn = (name: string, value: string): void => {
    values.set(name, value)
    net.conceal(value)
  }
  for (const { name, value } of check.options.secrets ?? []) if (value !== undefined) learn(name, value)
  const runs: StepRun[] = []
  for (const step of check.options.steps) {
    // As late as can be: a code lasts half a minute.
    for (const code of codesOf(check)) learn(totpName, code)
    const verdict = await runStep({ step, check, values, learn }, { ask, asking, signal })
    const place = new URL(step.url ?? check.url, check.url).pathname.replaceAll('%7B', '{').replaceAll('%7D', '}')
    runs.push({
      name: step.name,
      request: `${step.method ?? check.method} ${place.slice(0, 100)}`,
      verdict: withoutValues(verdict, values),
    })
    if (verdict.status === 'down') break
  }
  return runs
}

function codesOf({ options: { totp_secret: secret } }: Check<TransactionOptions>): string[] {
  const bytes = secret === undefined ? null : secretBytes(secret)
  return bytes === null ? [] : [totpCode(bytes, Date.now())]
}

type StepTurn = {
  step: Step
  check: Check<TransactionOptions>
  values: Values
  learn: (name: string, value: string) => void
}
type StepMeans = { ask: WebMeans['ask']; asking: Asking; signal: AbortSignal }

async function runStep({ step, check, values, learn }: StepTurn, { ask, asking, signal }: StepMeans): Promise<Verdict> {
  const filled = withValues(checkOf({ ...step, url: urlWith(step, values) }, check), values)
  if ('problem' in filled) return failedBefore(filled.problem)
  const stepCheck = filled.check
  const { captures = [] } = step
  const observation = await observeWeb(
    stepCheck,
    { ask, asking, accept: '*/*', keepsBody: captures.some(({ header }) => header === undefined) },
    signal,
  )
  const verdict = judgeWeb(observation, stepCheck)
  const { outcome } = observation
  if (captures.length === 0 || verdict.status === 'down' || !outcome.ok) return verdict
  const found = await captureFrom(outcome.answer, captures, { asking, shareKey: check.shareKey ?? '', signal })
  if ('problem' in found)
    return {
      ...verdict,
      status: 'down',
      error: found.problem,
      details: { ...verdict.details, failed_assertion: 'capture' },
    }
  for (const [name, value] of found.values) learn(name, value)
  return verdict
}

function failedBefore(error: string): Verdict {
  return {
    status: 'down',
    statusCode: null,
    latencyMs: null,
    error,
    phases: noPhases,
    details: { failed_assertion: 'capture' },
  }
}

/** Shorter ones are parts of many words. */
const shortestHidden = 4

/** A server may say again what it was sent. */
function withoutValues(verdict: Verdict, values: Values): Verdict {
  if (verdict.error === null || values.size === 0) return verdict
  const hidden = [...values.values()].filter(({ length }) => length >= shortestHidden)
  return { ...verdict, error: redact(verdict.error, hidden) }
}

/** A step as a check of its own: what it leaves out is the monitor's own setting. */
export function checkOf(step: Step, check: Check<TransactionOptions>): Check<WebOptions> {
  const { name: _name, url: place = check.url, method, headers, body, keyword, captures: _captures, ...rest } = step
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

function waysOf({ steps: _steps, secrets: _secrets, totp_secret: _code, ...ways }: TransactionOptions): Ways {
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
    error: at === -1 ? null : `Step ${at + 1} (${calledIn(runs[at])}): ${verdicts[at]?.error}`,
    phases: verdicts.map(({ phases }) => phases).reduce(addPhases, noPhases),
    details: {
      steps: runs.map(toldStep),
    },
  }
}

/** As a text calls a step: `Sign in, POST /login`. */
function calledIn(run: StepRun | undefined): string {
  return [run?.name, run?.request].filter((each) => each !== undefined).join(', ')
}

function toldStep({ name, verdict }: StepRun, at: number): object {
  const { status, statusCode, latencyMs, error } = verdict
  const { http_version: version } = verdict.details
  const named = name === undefined ? {} : { name }
  const spoken = version === undefined ? {} : { http_version: version }
  return { index: at + 1, ...named, status, status_code: statusCode, ...spoken, latency_ms: latencyMs, error }
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
