// All that an engine asks of the database, as one object: what an engine does can be tried without a database.
import { partitionHoldSeconds } from '#core/monitors/schedule.ts'
import type { Bound } from './bound.ts'
import { tellClosed } from './contacts/closed-occasions.ts'
import { enqueueAlerts } from './contacts/deliveries.ts'
import { foldUnstable } from './contacts/unstable-alerts.ts'
import { withholdAlerts } from './contacts/withheld-alerts.ts'
import type { Database, Transaction, TransactionOptions } from './database/database.ts'
import { writeExpiries } from './expiries/expiries.ts'
import { beginEpisodes, endEpisodes } from './incidents/episodes.ts'
import { writeProblems } from './incidents/problems.ts'
import { openIncidents, resolveIncidents } from './incidents/transitions.ts'
import { endBrokerAway, noteBrokerAway } from './installation/broker-away.ts'
import { noteLocations } from './installation/location-presence.ts'
import { noteSetAside } from './installation/own-troubles.ts'
import {
  announceEngine,
  releasePartitions,
  renewPartitions,
  retireEngine,
  takePartitions,
} from './installation/partitions.ts'
import { writeGaps } from './monitors/monitor-gaps.ts'
import { readChildren } from './monitors/parents.ts'
import { readReached, writeReached } from './monitors/reached-addresses.ts'
import {
  readDeadlines,
  readFaces,
  readMembers,
  readMonitorKeys,
  readWatchPage,
  readWatchRows,
  readWatchSums,
} from './monitors/watch-rows.ts'
import { readHours } from './results/latency-hours.ts'
import { keepFromFolds } from './results/results-to-come.ts'
import { readBacklog } from './results/unfolded-results.ts'
import { withSoftwareCounts } from './results/repository-results.ts'
import { keepRejected, readLocationIds, storeResults, writeStates } from './results/store-batch.ts'

/** What happens together or not at all. */
export type EngineTransaction = {
  storeResults: Bound<typeof storeResults>
  withSoftwareCounts: Bound<typeof withSoftwareCounts>
  keepRejected: Bound<typeof keepRejected>
  keepFromFolds: Bound<typeof keepFromFolds>
  writeStates: Bound<typeof writeStates>
  writeProblems: Bound<typeof writeProblems>
  writeGaps: Bound<typeof writeGaps>
  writeExpiries: Bound<typeof writeExpiries>
  readReached: Bound<typeof readReached>
  writeReached: Bound<typeof writeReached>
  readFaces: Bound<typeof readFaces>
  readChildren: Bound<typeof readChildren>
  openIncidents: Bound<typeof openIncidents>
  resolveIncidents: Bound<typeof resolveIncidents>
  beginEpisodes: Bound<typeof beginEpisodes>
  endEpisodes: Bound<typeof endEpisodes>
  tellClosed: Bound<typeof tellClosed>
  withholdAlerts: Bound<typeof withholdAlerts>
  foldUnstable: Bound<typeof foldUnstable>
  enqueueAlerts: Bound<typeof enqueueAlerts>
}

type EngineWork<T> = (tx: EngineTransaction) => Promise<T>
type EngineOptions = Pick<TransactionOptions, 'plansOnce'>

export type EngineStore = {
  /** As `Database.transaction`: `work` may run several times. */
  transaction: <T>(work: EngineWork<T>, options?: EngineOptions) => Promise<T>
  announceEngine: Bound<typeof announceEngine>
  renewPartitions: (owner: string) => ReturnType<typeof renewPartitions>
  takePartitions: (owner: string, count: number) => ReturnType<typeof takePartitions>
  releasePartitions: Bound<typeof releasePartitions>
  retireEngine: Bound<typeof retireEngine>
  readWatchPage: Bound<typeof readWatchPage>
  readWatchRows: Bound<typeof readWatchRows>
  readWatchSums: Bound<typeof readWatchSums>
  readBacklog: Bound<typeof readBacklog>
  readDeadlines: Bound<typeof readDeadlines>
  readMembers: Bound<typeof readMembers>
  readMonitorKeys: Bound<typeof readMonitorKeys>
  readLocationIds: Bound<typeof readLocationIds>
  readHours: Bound<typeof readHours>
}

/** What the register of locations writes. */
export type LocationStore = {
  noteLocations: Bound<typeof noteLocations>
  noteSetAside: Bound<typeof noteSetAside>
  noteBrokerAway: Bound<typeof noteBrokerAway>
  endBrokerAway: Bound<typeof endBrokerAway>
}

export type EngineStoreOptions = {
  /** How long partitions are held without being renewed. */
  holdSeconds?: number
  /** Called after each transaction that may have left something to jobs; most only say that all is as it was. */
  onWork?: () => void
}

export function createEngineStore(
  database: Database,
  { holdSeconds = partitionHoldSeconds, onWork = (): void => {} }: EngineStoreOptions = {},
): EngineStore {
  return {
    transaction: (work, options) => transact(database, work, { ...options, onWork }),
    announceEngine: (owner) => announceEngine(database, owner),
    renewPartitions: (owner) => renewPartitions(database, { owner, holdSeconds }),
    takePartitions: (owner, count) => takePartitions(database, { owner, holdSeconds }, count),
    releasePartitions: (owner, partitions) => releasePartitions(database, owner, partitions),
    retireEngine: (owner) => retireEngine(database, owner),
    readWatchPage: (wanted) => readWatchPage(database, wanted),
    readWatchRows: (wanted) => readWatchRows(database, wanted),
    readWatchSums: (partitions) => readWatchSums(database, partitions),
    readBacklog: (partitions) => readBacklog(database, partitions),
    readDeadlines: (keys) => readDeadlines(database, keys),
    readMembers: (groupKeys) => readMembers(database, groupKeys),
    readMonitorKeys: (ids) => readMonitorKeys(database, ids),
    readLocationIds: () => readLocationIds(database),
    readHours: (wanted) => readHours(database, wanted),
  }
}

export function createLocationStore(database: Database): LocationStore {
  return {
    noteLocations: (present) => noteLocations(database, present),
    noteSetAside: (monitorIds) => noteSetAside(database, monitorIds),
    noteBrokerAway: (name) => noteBrokerAway(database, name),
    endBrokerAway: (name) => endBrokerAway(database, name),
  }
}

async function transact<T>(
  database: Database,
  work: EngineWork<T>,
  { onWork, ...options }: EngineOptions & { onWork: () => void },
): Promise<T> {
  let hasWork = false
  const noteWork = (): void => void (hasWork = true)
  try {
    return await database.transaction((tx) => work(within(tx, noteWork)), options)
  } finally {
    // Whether one that failed was committed, its caller may not know.
    if (hasWork) onWork()
  }
}

/** Calls `noteWork` where more is written than results, how monitors stand, and what was silent. */
function within(tx: Transaction, noteWork: () => void): EngineTransaction {
  const leaving = <List extends { readonly length: number }>(list: List): List => {
    if (list.length > 0) noteWork()
    return list
  }
  return {
    storeResults: (leases, results) => storeResults(tx, leases, results),
    withSoftwareCounts: (results) => withSoftwareCounts(tx, results),
    keepRejected: (rejected) => keepRejected(tx, rejected),
    keepFromFolds: (leases, results) => keepFromFolds(tx, leases, results),
    writeStates: (changes) => writeStates(tx, changes),
    writeProblems: (changes) => writeProblems(tx, changes),
    writeGaps: (changes) => writeGaps(tx, changes),
    writeExpiries: (seen) => writeExpiries(tx, leaving(seen)),
    readReached: (places) => readReached(tx, places),
    writeReached: (changes) => writeReached(tx, changes),
    readFaces: (keys) => readFaces(tx, keys),
    readChildren: (monitorIds) => readChildren(tx, monitorIds),
    openIncidents: (openings) => openIncidents(tx, leaving(openings)),
    resolveIncidents: (endings) => resolveIncidents(tx, leaving(endings)),
    beginEpisodes: (type, beginnings) => beginEpisodes(tx, type, leaving(beginnings)),
    endEpisodes: (type, endings) => endEpisodes(tx, type, leaving(endings)),
    tellClosed: (closings) => tellClosed(tx, leaving(closings)),
    withholdAlerts: (orders) => withholdAlerts(tx, leaving(orders)),
    foldUnstable: (orders) => foldUnstable(tx, leaving(orders)),
    enqueueAlerts: (orders) => enqueueAlerts(tx, leaving(orders)),
  }
}
