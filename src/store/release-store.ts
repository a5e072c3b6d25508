// All that telling what outlasted its maintenance asks of the database, as one object: it can be tried without a database.
import type { Bound } from './bound.ts'
import { enqueueAlerts } from './contacts/deliveries.ts'
import { foldUnstable } from './contacts/unstable-alerts.ts'
import { takeReleased } from './contacts/withheld-alerts.ts'
import type { Database } from './database/database.ts'

/** What happens together or not at all. */
export type ReleaseTransaction = {
  takeReleased: Bound<typeof takeReleased>
  foldUnstable: Bound<typeof foldUnstable>
  enqueueAlerts: Bound<typeof enqueueAlerts>
}

export type ReleaseStore = {
  /** As `Database.transaction`: `work` may run several times. */
  transaction: <T>(work: (tx: ReleaseTransaction) => Promise<T>) => Promise<T>
}

export function createReleaseStore(database: Database): ReleaseStore {
  return {
    transaction: (work) =>
      database.transaction((tx) =>
        work({
          takeReleased: (now, limit) => takeReleased(tx, now, limit),
          foldUnstable: (orders) => foldUnstable(tx, orders),
          enqueueAlerts: (orders) => enqueueAlerts(tx, orders),
        }),
      ),
  }
}
