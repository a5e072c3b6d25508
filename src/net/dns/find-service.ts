import { timeoutFailure } from '#net/dial/connect-failure.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import { type Parts, tellUnresolved, untilAborted } from '#net/dial/reach.ts'
import type { ServiceResolution } from '#net/dial/resolve.ts'

export type ServiceRequest = {
  /** The owner name of SRV records, such as _sip._tcp.example.com. */
  name: string
  /** The text of a time-out names this time; `signal` ends the look-up. */
  timeoutMs: number
}

/** The codes dns_not_found and dns_no_address mean that there are no such records. */
export type ServiceOutcome = ServiceResolution

/** The found hosts are not dialled here: they pass the guard later, like any target. */
export async function findService(
  { resolver, traffic }: Pick<Parts, 'resolver' | 'traffic'>,
  { name, timeoutMs }: ServiceRequest,
  signal: AbortSignal,
): Promise<ServiceOutcome> {
  const found = await untilAborted(resolver.resolveService(name), signal)
  const outcome = found === 'aborted' ? { ok: false as const, failure: timeoutFailure('dns', timeoutMs, name) } : found
  if (!outcome.ok && !isAbsent(outcome.failure)) tellUnresolved(traffic, outcome.failure)
  return outcome
}

/** A host may well be there without a record of its services, so that this concludes nothing. */
function isAbsent({ code }: NetFailure): boolean {
  return code === 'dns_not_found' || code === 'dns_no_address'
}
