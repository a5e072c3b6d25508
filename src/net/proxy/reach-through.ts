import { forbiddenAddress } from '#core/monitors/forbidden-target.ts'
import { discard } from '#net/dial/connection.ts'
import { addTime, type PhaseTimes } from '#net/dial/phase-times.ts'
import { labelOf, type Parts, reach, type Reached, type Target } from '#net/dial/reach.ts'
import { openHttpTunnel } from './http-tunnel.ts'
import type { Proxy } from './proxy.ts'
import { ProxyFault, speakTo } from './proxy-wire.ts'
import { openSocks } from './socks5.ts'

/** Whether an HTTP proxy gets the request itself, with the whole URL, because there is no TLS to tunnel (RFC 9112 3.2.2). */
export function isForwarded({ protocol }: Proxy, isTls: boolean): boolean {
  return protocol === 'http' && !isTls
}

/** `isLed`: a redirect led to the target. */
type Way = { target: Target; proxy: Proxy; isLed: boolean }

/**
 * Connects to a target by a proxy, which looks up the target's name: of a target only a literal address can be refused
 * here, and none knows whether what redirects to it lies in the own network. Adds the look-up of the proxy's name to `dnsMs`, and all until the way is open to `connectMs`.
 */
export async function reachThrough(
  parts: Parts,
  { target, proxy, isLed }: Way,
  { signal, times }: { signal: AbortSignal; times: PhaseTimes },
): Promise<Reached> {
  const { host, port, isTls, timeoutMs } = target
  const { guard } = parts
  const rules = isLed ? (guard.afterPublic ?? guard) : guard
  if (rules.isForbiddenAddress(host))
    return {
      ok: false,
      failure: { phase: 'connect', code: 'forbidden_address', message: forbiddenAddress(host, host) },
    }
  const reached = await reach(parts, { ...target, host: proxy.host, port: proxy.port }, { signal, times })
  if (!reached.ok)
    return { ok: false, failure: { ...reached.failure, message: `By the proxy: ${reached.failure.message}` } }
  if (isForwarded(proxy, isTls)) return reached
  const { connection } = reached
  const startedAt = performance.now()
  const label = labelOf(proxy.host, proxy.port)
  const open = proxy.protocol === 'http' ? openHttpTunnel : openSocks
  try {
    await speakTo(connection, { signal, timeoutMs, label, isTls }, (wire) => open(wire, proxy, { host, port }))
    return reached
  } catch (error) {
    discard(connection)
    if (error instanceof ProxyFault) return { ok: false, failure: error.failure }
    throw error
  } finally {
    addTime(times, 'connectMs', performance.now() - startedAt)
  }
}
