// All that calls of jobs ask of the database, as one object: what becomes of a call can be tried without a database.
import type { Bound } from './bound.ts'
import type { Database } from './database/database.ts'
import {
  findCallTarget,
  findImportedTarget,
  noteCallIntake,
  noteRunEnded,
  noteRunStarted,
  withdrawCallIntake,
} from './monitors/calls.ts'

export type CallStore = {
  findCallTarget: Bound<typeof findCallTarget>
  findImportedTarget: Bound<typeof findImportedTarget>
  noteRunStarted: Bound<typeof noteRunStarted>
  noteRunEnded: Bound<typeof noteRunEnded>
  noteCallIntake: Bound<typeof noteCallIntake>
  withdrawCallIntake: Bound<typeof withdrawCallIntake>
}

export function createCallStore(database: Database): CallStore {
  return {
    findCallTarget: (token) => findCallTarget(database, token),
    findImportedTarget: (path) => findImportedTarget(database, path),
    noteRunStarted: (run) => noteRunStarted(database, run),
    noteRunEnded: (run) => noteRunEnded(database, run),
    noteCallIntake: (word) => noteCallIntake(database, word),
    withdrawCallIntake: (name) => withdrawCallIntake(database, name),
  }
}
