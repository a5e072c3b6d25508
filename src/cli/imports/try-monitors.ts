import type { CheckConfiguration } from '#core/monitors/check.ts'
import { decideStatuses, statusesToCheck } from '#core/monitors/expected-statuses.ts'
import { checkTimeMs, isKindName, usualKind } from '#core/monitors/kind-traits.ts'
import type { MonitorInput } from '#core/monitors/monitor.ts'
import type { Verdict } from '#core/results/result.ts'
import { concluded } from '#core/results/inverted.ts'
import { kinds } from '#kinds/index.ts'
import type { AnyKind } from '#kinds/kind.ts'
import { OwnTrouble } from '#net/dial/own-trouble.ts'
import type { Net } from '#net/net.ts'

/** What is tried of a monitor: its fields as the API takes them. */
export type TriedMonitor = { key: string; fields: Readonly<Record<string, unknown>> }

export type Trial =
  | { type: 'checked'; status: Verdict['status']; error: string | null; latencyMs: number | null }
  /** It checks nothing itself, or it is paused. */
  | { type: 'passive' }
  | { type: 'paused' }
  /** There was no time left, or this machine has trouble of its own. */
  | { type: 'untried'; why: string }

export type TryOptions = { net: Net; atOnce: number; forMs: number }

/** Checks each monitor once, some at once, as long as there is time. The answer has the keys of all. */
export async function tryMonitors(
  monitors: readonly TriedMonitor[],
  { net, atOnce, forMs }: TryOptions,
): Promise<ReadonlyMap<string, Trial>> {
  const trials = new Map<string, Trial>()
  const waiting = [...monitors]
  const end = AbortSignal.timeout(forMs)
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      trials.set(next.key, end.aborted ? outOfTime : await tryOne(next, net, end))
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return trials
}

const outOfTime: Trial = { type: 'untried', why: 'The time for checks was over.' }

async function tryOne({ fields }: TriedMonitor, net: Net, end: AbortSignal): Promise<Trial> {
  const { kind: name } = fields
  const kind = kinds[typeof name === 'string' && isKindName(name) ? name : usualKind]
  if (kind.isPassive) return { type: 'passive' }
  if (fields['paused'] === true) return { type: 'paused' }
  const configuration = configurationOf(fields, kind)
  const deadline = AbortSignal.any([end, AbortSignal.timeout(checkTimeMs(configuration))])
  try {
    const { status, error, latencyMs } = concluded(await kind.check(configuration, net, deadline), configuration)
    return end.aborted ? outOfTime : { type: 'checked', status, error, latencyMs }
  } catch (error) {
    if (error instanceof OwnTrouble) return { type: 'untried', why: error.message }
    throw error
  }
}

const usualTimeoutMs = 10_000

function configurationOf(fields: Readonly<Record<string, unknown>>, kind: AnyKind): CheckConfiguration {
  const input: Partial<MonitorInput> = fields
  return {
    monitorId: '00000000-0000-0000-0000-000000000000',
    version: 0,
    kind: kind.name,
    url: input.url ?? '',
    method: input.method ?? 'GET',
    timeoutMs: input.timeout_ms ?? usualTimeoutMs,
    ...statusesToCheck(decideStatuses(input, null)),
    keyword: input.keyword ?? null,
    requestHeaders: input.request_headers ?? {},
    requestBody: input.request_body ?? null,
    options: kind.options.parse(input.check_options ?? {}),
  }
}
