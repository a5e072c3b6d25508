import { timeoutFailure } from '#net/dial/connect-failure.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import { type Parts, untilAborted } from '#net/dial/reach.ts'
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
  { resolver }: Pick<Parts, 'resolver'>,
  { name, timeoutMs }: ServiceRequest,
  signal: AbortSignal,
): Promise<ServiceOutcome> {
  const found = await untilAborted(resolver.resolveService(name), signal)
  const failure = (): NetFailure => timeoutFailure('dns', timeoutMs, name)
  return found === 'aborted' ? { ok: false, failure: failure() } : found
}
