// All that calls of jobs ask of the database, as one object: what becomes of a call can be tried without a database.
import type { Bound } from './bound.ts'
import type { Database } from './database/database.ts'
import { createImportedTargetFinder, createTargetFinder } from './monitors/call-targets.ts'
import { noteCallIntake, withdrawCallIntake } from './monitors/calls.ts'
import type { Secrets } from './database/secrets.ts'
import { readKnownSecrets } from './monitors/known-secrets.ts'
import { addToRunLog, readRunLog } from './monitors/run-logs.ts'
import { forgetOverrun, noteRunEnded, noteRunStarted, readOverruns } from './monitors/runs.ts'

export type CallStore = {
  findCallTarget: ReturnType<typeof createTargetFinder>
  findImportedTarget: ReturnType<typeof createImportedTargetFinder>
  noteRunStarted: Bound<typeof noteRunStarted>
  noteRunEnded: Bound<typeof noteRunEnded>
  readKnownSecrets: (workspaceId: string) => Promise<string[]>
  readRunLog: (monitorKey: string) => Promise<string | null>
  addToRunLog: (addition: { monitorKey: string; log: string }) => Promise<void>
  readOverruns: Bound<typeof readOverruns>
  forgetOverrun: Bound<typeof forgetOverrun>
  noteCallIntake: Bound<typeof noteCallIntake>
  withdrawCallIntake: Bound<typeof withdrawCallIntake>
}

export function createCallStore(database: Database, secrets: Pick<Secrets, 'decrypt' | 'encrypt'>): CallStore {
  return {
    findCallTarget: createTargetFinder(database),
    findImportedTarget: createImportedTargetFinder(database),
    noteRunStarted: (run) => noteRunStarted(database, run),
    noteRunEnded: (run) => noteRunEnded(database, run),
    readKnownSecrets: (workspaceId) => readKnownSecrets(database, secrets, workspaceId),
    readRunLog: (monitorKey) => readRunLog(database, secrets, monitorKey),
    addToRunLog: (addition) => addToRunLog(database, secrets, addition),
    readOverruns: () => readOverruns(database),
    forgetOverrun: (run) => forgetOverrun(database, run),
    noteCallIntake: (word) => noteCallIntake(database, word),
    withdrawCallIntake: (name) => withdrawCallIntake(database, name),
  }
}
