// All that calls of jobs ask of the database, as one object: what becomes of a call can be tried without a database.
import type { Bound } from './bound.ts'
import type { Database } from './database/database.ts'
import { createImportedTargetFinder, createTargetFinder } from './monitors/call-targets.ts'
import { noteCallIntake, noteRunEnded, noteRunStarted, withdrawCallIntake } from './monitors/calls.ts'

export type CallStore = {
  findCallTarget: ReturnType<typeof createTargetFinder>
  findImportedTarget: ReturnType<typeof createImportedTargetFinder>
  noteRunStarted: Bound<typeof noteRunStarted>
  noteRunEnded: Bound<typeof noteRunEnded>
  noteCallIntake: Bound<typeof noteCallIntake>
  withdrawCallIntake: Bound<typeof withdrawCallIntake>
}

export function createCallStore(database: Database): CallStore {
  return {
    findCallTarget: createTargetFinder(database),
    findImportedTarget: createImportedTargetFinder(database),
    noteRunStarted: (run) => noteRunStarted(database, run),
    noteRunEnded: (run) => noteRunEnded(database, run),
    noteCallIntake: (word) => noteCallIntake(database, word),
    withdrawCallIntake: (name) => withdrawCallIntake(database, name),
  }
}
