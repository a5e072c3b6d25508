import type { CheckConfiguration } from '#core/monitors/check.ts'
import { statusesToCheck, usualStatuses } from '#core/monitors/expected-statuses.ts'
import type { KindName } from '#core/monitors/kind-traits.ts'
import type { Verdict } from '#core/results/result.ts'
import { kinds } from '#kinds/index.ts'
import type { Net } from '#net/net.ts'

const timeoutMs = 5_000

/** One check as a monitor of that kind makes it. */
export function askKind(
  kind: KindName,
  { url, options = {} }: { url: string; options?: Record<string, unknown> },
  { net, signal }: { net: Net; signal: AbortSignal },
): Promise<Verdict> {
  const configuration: CheckConfiguration = {
    monitorId: '',
    version: 0,
    kind,
    url,
    method: 'GET',
    timeoutMs,
    ...statusesToCheck(usualStatuses),
    keyword: null,
    requestHeaders: {},
    requestBody: null,
    options,
  }
  return kinds[kind].check(configuration, net, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]))
}
