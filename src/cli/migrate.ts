import { readConfig } from '#config/config.ts'
import { asksForHelp, readArguments } from './arguments.ts'
import { usageOf } from './definitions/definition.ts'
import { migrateDefinition } from './definitions/running.ts'
import { withDatabase } from './operator-database.ts'
import { type Terminal, UsageError } from './terminal.ts'

const usage = usageOf(migrateDefinition)

export async function runMigrate(argv: readonly string[], { out }: Terminal): Promise<number> {
  if (asksForHelp(argv)) {
    out.write(usage)
    return 0
  }
  if (readArguments(argv, {}, usage).positionals.length > 0) throw new UsageError('migrate takes no arguments.', usage)
  await withDatabase(readConfig(), async () => {
    out.write('The database has the schema of this release, or of a newer release that this one can work with.\n')
  })
  return 0
}
