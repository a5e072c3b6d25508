import { partCommands } from '#config/roles.ts'
import { checkDefinition, checkFilesDefinition, sloDefinition, verifyDefinition } from './checking.ts'
import type { CommandDefinition } from './definition.ts'
import { keysDefinition } from './keys.ts'
import { payDefinition, tokenDefinition, workspaceDefinition } from './owning.ts'
import {
  adoptDefinition,
  applyDefinition,
  discoverDefinition,
  exportDefinition,
  importDefinition,
  planDefinition,
  schemaDefinition,
  validateDefinition,
} from './projects.ts'
import {
  backupDefinition,
  doctorDefinition,
  migrateDefinition,
  restoreDefinition,
  resumeSendingDefinition,
  roleDefinition,
  startDefinition,
  statusDefinition,
} from './running.ts'
import { incidentsDefinition, monitorsDefinition, topDefinition } from './service.ts'
import { completionDefinition, manDefinition } from './shells.ts'

/** All commands, in the order in which they are listed. One with two forms has an entry for each. */
export const definitions: readonly CommandDefinition[] = [
  startDefinition,
  ...partCommands.map(roleDefinition),
  checkDefinition,
  checkFilesDefinition,
  monitorsDefinition,
  incidentsDefinition,
  topDefinition,
  payDefinition,
  sloDefinition,
  verifyDefinition,
  exportDefinition,
  planDefinition,
  applyDefinition,
  adoptDefinition,
  discoverDefinition,
  schemaDefinition,
  validateDefinition,
  importDefinition,
  tokenDefinition,
  workspaceDefinition,
  statusDefinition,
  doctorDefinition,
  migrateDefinition,
  backupDefinition,
  restoreDefinition,
  resumeSendingDefinition,
  keysDefinition,
  completionDefinition,
  manDefinition,
]

/** The commands with their summaries, each once. */
export const summaries: ReadonlyMap<string, string> = new Map(definitions.map(({ name, summary }) => [name, summary]))
