// All that the delivery of alerts asks of the database, as one object: it can be tried without a database.
import type { Bound } from './bound.ts'
import { listBundledFindings } from './contacts/bundle-members.ts'
import { placeInBundle } from './contacts/bundles.ts'
import {
  listOtherMailContacts,
  noteContactFailing,
  noteContactWorking,
  recordContactChange,
  switchContactOff,
} from './contacts/contact-states.ts'
import { claimDelivery, endDelivery, handBackDelivery, postponeDelivery } from './contacts/delivery-attempts.ts'
import { nudgeFollowers } from './contacts/delivery-nudges.ts'
import { holdDelivery } from './contacts/held-alerts.ts'
import { enqueueNotices } from './contacts/notices.ts'
import { nudgeDeliveries } from './contacts/nudges.ts'
import type { Database, Transaction } from './database/database.ts'
import { noteTold } from './software/finding-alerts.ts'

/** What happens together or not at all. */
export type DeliveryTransaction = {
  endDelivery: Bound<typeof endDelivery>
  postponeDelivery: Bound<typeof postponeDelivery>
  holdDelivery: Bound<typeof holdDelivery>
  nudgeDeliveries: Bound<typeof nudgeDeliveries>
  noteContactWorking: Bound<typeof noteContactWorking>
  noteContactFailing: Bound<typeof noteContactFailing>
  switchContactOff: Bound<typeof switchContactOff>
  recordContactChange: Bound<typeof recordContactChange>
  listOtherMailContacts: Bound<typeof listOtherMailContacts>
  enqueueNotices: Bound<typeof enqueueNotices>
  noteTold: Bound<typeof noteTold>
  listBundledFindings: Bound<typeof listBundledFindings>
}

export type DeliveryStore = {
  /** As `Database.transaction`: `work` may run several times. */
  transaction: <T>(work: (tx: DeliveryTransaction) => Promise<T>) => Promise<T>
  claimDelivery: Bound<typeof claimDelivery>
  placeInBundle: Bound<typeof placeInBundle>
  handBackDelivery: Bound<typeof handBackDelivery>
  nudgeDeliveries: Bound<typeof nudgeDeliveries>
  nudgeFollowers: Bound<typeof nudgeFollowers>
}

export function createDeliveryStore(database: Database): DeliveryStore {
  return {
    transaction: (work) => database.transaction((tx) => work(within(tx))),
    claimDelivery: (id) => claimDelivery(database, id),
    placeInBundle: (claim, seconds) => placeInBundle(database, claim, seconds),
    handBackDelivery: (claim) => handBackDelivery(database, claim),
    nudgeDeliveries: (ids) => nudgeDeliveries(database.pool, ids),
    nudgeFollowers: (of) => nudgeFollowers(database, of),
  }
}

function within(tx: Transaction): DeliveryTransaction {
  return {
    endDelivery: (claim, end) => endDelivery(tx, claim, end),
    postponeDelivery: (claim, until) => postponeDelivery(tx, claim, until),
    holdDelivery: (claim, until) => holdDelivery(tx, claim, until),
    nudgeDeliveries: (ids) => nudgeDeliveries(tx.client, ids),
    noteContactWorking: (id) => noteContactWorking(tx, id),
    noteContactFailing: (id) => noteContactFailing(tx, id),
    switchContactOff: (id, by) => switchContactOff(tx, id, by),
    recordContactChange: (change) => recordContactChange(tx, change),
    listOtherMailContacts: (of) => listOtherMailContacts(tx, of),
    enqueueNotices: (notices) => enqueueNotices(tx, notices),
    noteTold: (alert) => noteTold(tx, alert),
    listBundledFindings: (bundleId) => listBundledFindings(tx, bundleId),
  }
}
