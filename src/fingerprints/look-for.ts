import type { CheckConfiguration } from '#core/monitors/check.ts'
import { noPhases, type Verdict } from '#core/results/result.ts'
import { type Seen, seenDetails } from '#core/software/location-scan.ts'
import type { Net } from '#net/net.ts'
import { scanWebsite } from './scan.ts'

/**
 * Looks a website through for the one product that a configuration asks for (`looksFor`), in place of the check of its
 * kind. What was seen is in the details of the verdict, as `core/software/location-scan` reads them.
 */
export async function lookFor(configuration: CheckConfiguration, net: Net, signal: AbortSignal): Promise<Verdict> {
  const { url, requestHeaders: headers, looksFor } = configuration
  const target = URL.parse(url)
  if (target === null || looksFor === undefined)
    return verdictOf({ saw: 'failed', problem: 'There is no URL to scan.' })
  const outcome = await scanWebsite({ url: target, headers }, net, signal)
  if (outcome.type === 'failed') return verdictOf({ saw: 'failed', problem: outcome.problem })
  const found = outcome.software.find(({ product }) => product === looksFor)
  if (found === undefined) return verdictOf({ saw: 'nothing' })
  const { version, evidence } = found
  return verdictOf(version === null ? { saw: 'no_version', evidence } : { saw: 'version', version, evidence })
}

function verdictOf(seen: Seen): Verdict {
  return {
    status: seen.saw === 'failed' ? 'down' : 'up',
    statusCode: null,
    latencyMs: null,
    error: seen.saw === 'failed' ? seen.problem : null,
    phases: noPhases,
    details: seenDetails(seen),
  }
}
