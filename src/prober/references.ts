import type { Net } from '#net/net.ts'

/** host:port of places that answer whenever this location has a network (PERIGEE_REFERENCE_TARGETS). */
export type ReferenceTarget = { host: string; port: number }

const timeoutMs = 3_000
/** An answer holds for a moment: many checks may fail at once. */
const validMs = 2_000

/**
 * Whether this location reaches the world: false when every reference target fails (docs/decisions/rounds-and-time.md,
 * "The prober's own trouble").
 */
export type References = () => Promise<boolean>

export function createReferences(
  net: Net,
  targets: readonly ReferenceTarget[],
  now: () => number = Date.now,
): References {
  let askedMs = -Infinity
  let answer: Promise<boolean> = Promise.resolve(true)
  return () => {
    if (targets.length === 0) return Promise.resolve(true)
    if (now() - askedMs > validMs) {
      askedMs = now()
      answer = isAnyReachable(net, targets)
    }
    return answer
  }
}

async function isAnyReachable(net: Net, targets: readonly ReferenceTarget[]): Promise<boolean> {
  const attempts = targets.map(async ({ host, port }) => {
    const signal = AbortSignal.timeout(timeoutMs)
    const outcome = await net.tcp({ host, port, expectedText: null, maxBytes: 1 }, signal)
    if (!outcome.ok) throw new Error(outcome.failure.message)
  })
  return Promise.any(attempts).then(
    () => true,
    () => false,
  )
}
