import { setTimeout as wait } from 'node:timers/promises'
import { scanWebsite } from '#fingerprints/scan.ts'
import type { KindName, ScannedKind } from '#core/monitors/kind-traits.ts'
import { dueFrom, phaseMs } from '#core/monitors/schedule.ts'
import { resolveSoftware } from '#core/software/software-catalog.ts'
import { fitting } from '#core/software/list-size.ts'
import { type NamedSoftware, distinctSoftware } from '#core/software/software-change.ts'
import { dayMs } from '#core/language/utc-day.ts'
import { repository } from '#kinds/repository/repository.ts'
import type { Net } from '#net/net.ts'
import type { Transaction } from '#store/database/database.ts'
import { claimScan, putOffUnwanted } from '#store/software/scan-claims.ts'
import { type ClaimedScan, endScan, releaseScan } from '#store/software/software-scans.ts'
import { listManualProducts, listSeenAt, lockSoftware, replaceSoftware, sizeOfList } from '#store/software/software.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'
import { type RepositoryScan, scanRepository } from './repository-scan.ts'

type Scan = (claim: ClaimedScan, net: Net, signal: AbortSignal) => Promise<RepositoryScan>

/** How the software of each kind is found, and how often. */
const scanners = {
  http: { scan: scanSite, nextAt: afterWeek },
  api: { scan: scanSite, nextAt: afterWeek },
  repository: { scan: scanManifests, nextAt: onNextDay },
} satisfies Record<ScannedKind, { scan: Scan; nextAt: NextAt }>

/** Each for itself, so that slow repositories hold up no websites. */
const lanes = [...Map.groupBy(Object.keys(scanners).filter(isScanned), (kind) => scanners[kind].scan).values()]
/** For each lane of a process. */
const scansAtOnce = 4
/** Scans under way of one workspace or host: first come those with none, then, while there is room, those with one. */
const turns = [1, 2]
const lookMs = 1000
/** Longer than any scan takes, with what is written of it; after it one that came to nothing is made anew. */
const claimMs = 5 * 60_000
const notFollowedMs = 7 * dayMs

type Parts = Pick<JobParts, 'database' | 'carriers' | 'privateNet' | 'secrets' | 'log' | 'now'>

/**
 * Makes the scans that are due, a few at a time, until none is. What becomes due meanwhile begins as soon as there is
 * room, however long the others take. Any number of processes do it side by side.
 */
export async function scanSoftware(parts: Parts, signal: AbortSignal): Promise<void> {
  await putOffUnwanted(parts.database, new Date(parts.now().getTime() + notFollowedMs))
  await Promise.all(lanes.map((kinds) => scanLane(kinds, parts, signal)))
}

async function scanLane(kinds: readonly KindName[], parts: Parts, signal: AbortSignal): Promise<void> {
  const running = new Set<Promise<void>>()
  try {
    while (!signal.aborted) {
      const before = running.size
      const claim = before < scansAtOnce ? await claimNext(kinds, parts) : null
      if (claim !== null) {
        const done = scanOrTell(claim, parts, signal).finally(() => running.delete(done))
        running.add(done)
      } else if (before === 0) return
      // A scan that ended while a claim was looked for has made room.
      else if (running.size === before) await oneOf(running, signal)
    }
  } finally {
    await Promise.all(running)
  }
}

/** Scans that a person asked for come first. */
async function claimNext(kinds: readonly KindName[], { database, secrets, now }: Parts): Promise<ClaimedScan | null> {
  for (const isRequested of [true, false])
    for (const below of turns) {
      const claimedUntil = new Date(now().getTime() + claimMs)
      const claim = await claimScan(database, secrets, { kinds, claimedUntil, isRequested, below })
      if (claim !== null) return claim
    }
  return null
}

/** Until one has ended, or it is time to look whether another is due. */
async function oneOf(running: ReadonlySet<Promise<void>>, signal: AbortSignal): Promise<void> {
  const over = new AbortController()
  const look = wait(lookMs, undefined, { signal: AbortSignal.any([signal, over.signal]), ref: false })
  await Promise.race([...running, look.catch(() => {})])
  over.abort()
}

function scanOrTell(claim: ClaimedScan, parts: Parts, signal: AbortSignal): Promise<void> {
  return scan(claim, parts, signal).catch((error: unknown) =>
    parts.log.warn('A software scan could not be run.', { ...namesOf(claim), error }),
  )
}

async function scan(claim: ClaimedScan, parts: Parts, signal: AbortSignal): Promise<void> {
  const { kind, mayReachPrivate } = claim.configuration
  const { database, carriers, privateNet, log } = parts
  if (!isScanned(kind)) return
  const net = (mayReachPrivate === true ? privateNet : null) ?? carriers.net
  const scanned = await scanners[kind].scan(claim, net, signal)
  if (signal.aborted) return releaseScan(database, claim)
  const isWritten = await write({ claim, scanned, nextAt: scanners[kind].nextAt }, parts)
  const details = namesOf(claim)
  if (!isWritten) log.debug('A scan was of what a monitor does not watch any more.', details)
  else if (scanned.type === 'failed') log.info('A software scan failed.', { ...details, why: scanned.problem })
  else log.debug('A software scan was run.', { ...details, ...countOf(scanned) })
}

function namesOf({ configuration }: ClaimedScan): Record<string, unknown> {
  return { monitor_id: configuration.monitorId, kind: configuration.kind }
}

function countOf(scanned: Exclude<RepositoryScan, { type: 'failed' }>): Record<string, unknown> {
  return scanned.type === 'read' ? { products: scanned.software.length } : {}
}

/** The list and the time of the scan in one transaction. False where the scan counts for nothing any more. */
async function write(
  { claim, scanned, nextAt }: { claim: ClaimedScan; scanned: RepositoryScan; nextAt: NextAt },
  { database, now }: Parts,
): Promise<boolean> {
  const { monitorKey } = claim
  const at = now()
  const dueAt = nextAt(claim, { at, isDone: scanned.type !== 'failed' })
  return database.transaction(async (tx) => {
    if (!(await lockSoftware(tx, monitorKey))) return false
    if (scanned.type !== 'read')
      return endScan(tx, claim, { at, error: scanned.problem, revision: claim.revision, dueAt })
    const { found, isCut } = await toList(tx, monitorKey, scanned)
    const error = isCut ? [scanned.problem, cutText].filter((text) => text !== null).join(' ') : scanned.problem
    // What found no room is read again the next time, when there may be some.
    const revision = isCut ? null : scanned.revision
    if (!(await endScan(tx, claim, { at, error, revision, dueAt }))) return false
    await replaceSoftware(tx, { monitorKey, source: 'detected', label: null }, { found, at })
    return true
  })
}

/** Entries that a person made stay, and so do entries that were seen in places which this scan could not look at. */
async function toList(
  tx: Transaction,
  monitorKey: string,
  { software, unread }: Extract<RepositoryScan, { type: 'read' }>,
): Promise<{ found: NamedSoftware[]; isCut: boolean }> {
  const manual = new Set(await listManualProducts(tx, monitorKey))
  const earlier = await listSeenAt(tx, monitorKey, unread)
  const before = await sizeOfList(tx, monitorKey)
  const others = await sizeOfList(tx, monitorKey, { besides: 'detected' })
  const wanted = distinctSoftware([...software, ...earlier]).filter(({ product }) => !manual.has(product))
  const found = fitting(wanted, { before, others })
  return { found, isCut: found.length < wanted.length }
}

const cutText = 'The list has no room for all of its software, so some is left out.'

/** When the next scan is due. */
type NextAt = (claim: ClaimedScan, last: { at: Date; isDone: boolean }) => Date

function afterWeek(_: ClaimedScan, { at, isDone }: { at: Date; isDone: boolean }): Date {
  return new Date(at.getTime() + (isDone ? 7 * dayMs : dayMs))
}

/**
 * At a time of the day that the monitor's id gives, so that monitors made together are not scanned together for ever.
 */
function onNextDay({ configuration: { monitorId } }: ClaimedScan, { at }: { at: Date }): Date {
  const schedule = { phaseMs: phaseMs(monitorId, dayMs), intervalMs: dayMs }
  return new Date(dueFrom(at.getTime() + dayMs / 2, schedule))
}

async function scanSite({ configuration }: ClaimedScan, net: Net, signal: AbortSignal): Promise<RepositoryScan> {
  const { url, requestHeaders: headers } = configuration
  const target = URL.parse(url)
  if (target === null) return { type: 'failed', problem: 'The monitor has no URL to look at.' }
  const outcome = await scanWebsite({ url: target, headers }, net, signal)
  if (outcome.type === 'failed') return outcome
  const software = outcome.software.map(({ product, version, evidence }) => ({
    product,
    name: resolveSoftware(product)?.name ?? product,
    version,
    evidence,
  }))
  return { type: 'read', revision: null, software, unread: [], problem: null }
}

function scanManifests(
  { configuration, revision: lastRevision }: ClaimedScan,
  net: Net,
  signal: AbortSignal,
): Promise<RepositoryScan> {
  const { url, options } = configuration
  const { token } = repository.options.parse(options)
  return scanRepository({ url, token: typeof token === 'string' ? token : undefined, lastRevision }, { net }, signal)
}

function isScanned(kind: string): kind is keyof typeof scanners {
  return Object.hasOwn(scanners, kind)
}
