import { accountOperations } from './account.ts'
import { alertChannelOperations } from './alert-channels.ts'
import { incidentOperations } from './incidents.ts'
import { locationOperations } from './locations.ts'
import { monitorOperations } from './monitors.ts'
import type { AnyOperation } from './operation.ts'
import { resultOperations } from './results.ts'
import { uptimeOperations } from './uptime.ts'

/** Every verb of the API, in the order of its documents. */
export const operations: readonly AnyOperation[] = [
  ...accountOperations,
  ...alertChannelOperations,
  ...locationOperations,
  ...monitorOperations,
  ...resultOperations,
  ...uptimeOperations,
  ...incidentOperations,
]
