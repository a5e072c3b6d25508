import { firstOccasion, nextLookUp, retryLookUp, timeOfEnd } from '#core/expiry.ts'
import { publicDomain } from '#kinds/dns/registrable-domain.ts'
import type { LookUp, RegistrationSource } from '#kinds/domain/registration.ts'
import { untilAborted } from '#net/dial/reach.ts'
import {
  claimDomains,
  type ClaimedDomain,
  endLookUp,
  failLookUp,
  listUnnamed,
  nameDomains as writeNames,
} from '#store/expiries/expiry-domains.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const namesAtOnce = 500
/** So many look-ups of a process are under way at once; each ends within a minute. */
const lookUpsAtOnce = 8
const claimsAtOnce = 64
/** Longer than they can take one after the other. */
const claimMs = 20 * minuteMs

type Parts = Pick<JobParts, 'database' | 'log' | 'now'>

/** Finds out the registrable domains of monitors that are new or have another target. */
export async function nameDomains({ database, now }: Parts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const unnamed = await listUnnamed(database, namesAtOnce)
    const named = await Promise.all(
      unnamed.map(async ({ key, targetVersion, url }) => {
        const host = URL.parse(url)?.hostname ?? ''
        return { key, targetVersion, domain: (await publicDomain(host)) ?? '' }
      }),
    )
    const count = named.length === 0 ? 0 : await database.transaction((tx) => writeNames(tx, named, now()))
    // Domains that another process is changing meanwhile come back in the list.
    if (count < namesAtOnce) return
  }
}

/** Looks up the domains that are due, of all processes each in one only. Failures are tried again later. */
export async function lookUpDomains(parts: Parts, source: RegistrationSource, signal: AbortSignal): Promise<void> {
  const { database, now } = parts
  while (!signal.aborted) {
    const nowMs = now().getTime()
    const claimed = await claimDomains(database, {
      now: new Date(nowMs),
      claimedUntil: new Date(nowMs + claimMs),
      notWantedUntil: new Date(nowMs + dayMs),
      limit: claimsAtOnce,
    })
    if (claimed.length === 0) return
    const waiting = claimed.values()
    const worker = async (): Promise<void> => {
      for (const domain of waiting) await lookUp({ domain, parts, source }, signal)
    }
    await Promise.all(Array.from({ length: lookUpsAtOnce }, worker))
  }
}

type Task = { domain: ClaimedDomain; parts: Parts; source: RegistrationSource }

/** A process that stops leaves the rest of its claims; another takes them when they have lapsed. */
async function lookUp({ domain, parts, source }: Task, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const found = await untilAborted(source(domain.name), signal)
  if (found !== 'aborted') await write(domain, found, parts)
}

async function write({ name, failures }: ClaimedDomain, found: LookUp, { database, log, now }: Parts): Promise<void> {
  const readAt = now()
  if (!found.ok) {
    const failed = failures + 1
    await failLookUp(database, { name, failures: failed, dueAt: retryLookUp(failed, readAt) })
    log.info('The registration of a domain could not be read.', { domain: name, failures: failed, why: found.problem })
    return
  }
  const { expiresAt: text } = found.registration
  const endMs = text === null ? null : timeOfEnd(text)
  const expiresAt = endMs === null ? null : new Date(endMs)
  const alertAt = expiresAt === null ? null : firstOccasion({ subject: 'domain', expiresAt })
  await database.transaction((tx) => endLookUp(tx, { name, expiresAt, readAt, alertAt }, nextLookUp(expiresAt, readAt)))
}
