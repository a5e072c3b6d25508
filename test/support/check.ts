import type { CheckConfiguration } from '#core/monitors/check.ts'
import type { Verdict } from '#core/results/result.ts'
import type { AnyKind } from '#kinds/kind.ts'
import { openNet } from './net.ts'

export function configurationOf(
  kind: AnyKind,
  wishes: Partial<CheckConfiguration> & { url: string },
): CheckConfiguration {
  return {
    monitorId: '00000000-0000-7000-8000-000000000000',
    version: 1,
    kind: kind.name,
    method: 'GET',
    timeoutMs: 3000,
    expectedStatusMin: 200,
    expectedStatusMax: 399,
    keyword: null,
    requestHeaders: {},
    requestBody: null,
    options: {},
    ...wishes,
  }
}

/** One check as a prober makes it. */
export function checkOnce(
  kind: AnyKind,
  wishes: Partial<CheckConfiguration> & { url: string },
  net = openNet,
): Promise<Verdict> {
  const configuration = configurationOf(kind, wishes)
  return kind.check(configuration, net, AbortSignal.timeout(configuration.timeoutMs))
}
