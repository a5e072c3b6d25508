import type { LookUp, RegistrationSource } from './registration.ts'

/** A look-up that succeeded, and when. */
export type Known = Extract<LookUp, { ok: true }> & { readAt: Date }

export type Finding =
  /** `latencyMs` is null where it was known before. */
  | { ok: true; known: Known; latencyMs: number | null }
  /** `problem` is null where the look-up did not end in time. */
  | { ok: false; problem: string | null }

export type Registrations = {
  /** What is known about a registrable domain. Stops waiting by `signal`; the look-up goes on for the next caller. */
  find: (domain: string, signal: AbortSignal) => Promise<Finding>
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const failureMs = 300_000
/** What was found once serves so long while its registry does not answer. */
const staleMs = 7 * dayMs
const maxDomains = 10_000

type Entry = { finding: Finding; validUntilMs: number }

/**
 * Domains looked up for all monitors of a thread together: again after a day, after an hour where a renewal is
 * awaited, and five minutes after a failure. `now` is a clock that may be set; a look-up is never older than it says.
 */
export function createRegistrations(source: RegistrationSource, now: () => Date): Registrations {
  const entries = new Map<string, Entry>()
  const underWay = new Map<string, Promise<Finding>>()

  async function look(domain: string): Promise<Finding> {
    const startedMs = performance.now()
    const lookUp = await source(domain).finally(() => underWay.delete(domain))
    const latencyMs = Math.round(performance.now() - startedMs)
    const entry = entryOf(lookUp, entries.get(domain), now())
    entries.delete(domain)
    const [oldest] = entries.keys()
    if (entries.size >= maxDomains && oldest !== undefined) entries.delete(oldest)
    entries.set(domain, entry)
    return lookUp.ok && entry.finding.ok ? { ...entry.finding, latencyMs } : entry.finding
  }

  function share(domain: string): Promise<Finding> {
    const running = underWay.get(domain)
    if (running !== undefined) return running
    const started = look(domain)
    underWay.set(domain, started)
    return started
  }

  return {
    find: (domain, signal) => {
      const entry = entries.get(domain)
      const isValid = entry !== undefined && entry.validUntilMs > now().getTime()
      return isValid ? Promise.resolve(entry.finding) : untilAborted(share(domain), signal)
    },
  }
}

function entryOf(lookUp: LookUp, old: Entry | undefined, now: Date): Entry {
  const nowMs = now.getTime()
  if (lookUp.ok) {
    const finding = { ok: true, known: { ...lookUp, readAt: now }, latencyMs: null } as const
    return { finding, validUntilMs: nowMs + (isRenewalAwaited(lookUp, nowMs) ? hourMs : dayMs) }
  }
  const validUntilMs = nowMs + failureMs
  if (old?.finding.ok === true && nowMs - old.finding.known.readAt.getTime() < staleMs)
    return { finding: old.finding, validUntilMs }
  return { finding: { ok: false, problem: lookUp.problem }, validUntilMs }
}

/** Before the longest usual warning, and whatever is wrong with the domain. */
const soonMs = 31 * dayMs

function isRenewalAwaited({ registration }: Extract<LookUp, { ok: true }>, nowMs: number): boolean {
  const { isRegistered, expiresAt, statuses } = registration
  if (!isRegistered || statuses.some((status) => /hold$|^pending delete$|^redemption period$/.test(status))) return true
  return expiresAt !== null && Date.parse(expiresAt) - nowMs < soonMs
}

const notInTime: Finding = { ok: false, problem: null }

async function untilAborted(pending: Promise<Finding>, signal: AbortSignal): Promise<Finding> {
  const { promise: aborted, resolve } = Promise.withResolvers<Finding>()
  const onAbort = (): void => resolve(notInTime)
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([pending, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
