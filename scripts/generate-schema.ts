// Writes src/store/database/schema.ts, the query builder's types, from a freshly migrated database.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '#store/database/database.ts'
import { startEmbedded } from '#store/embedded/embedded.ts'
import { migrate } from '#store/database/migrate.ts'

const folder = mkdtempSync(join(tmpdir(), 'perigee-schema-'))
// The PostgreSQL of a root user runs as another one, who has to pass through.
chmodSync(folder, 0o711)
const embedded = await startEmbedded({ folder, settings: { fsync: 'off' } })
const { socketFolder, user, password } = embedded.connection
const database = openDatabase({ connection: embedded.connection, maxConnections: 4 })
await migrate(database)
await database.close()
const url = `postgres://${user}:${password}@localhost/postgres?host=${encodeURIComponent(socketFolder)}`
const generated = spawnSync(
  process.execPath,
  [
    `--import=${new URL('./name-compiler.ts', import.meta.url).href}`,
    fileURLToPath(import.meta.resolve('kysely-codegen/dist/cli/bin.js')),
    '--url',
    url,
    '--dialect',
    'postgres',
    '--type-only-imports',
    '--exclude-pattern',
    'graphile_worker.*',
    '--out-file',
    'src/store/database/schema.ts',
  ],
  { stdio: ['ignore', 'ignore', 'inherit'] },
)
await embedded.stop()
rmSync(folder, { recursive: true, force: true })
process.exitCode = generated.status ?? 1
