import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MonitorSettings } from '#core/monitors/monitor.ts'
import { partitionOf } from '#core/monitors/schedule.ts'
import { bootstrap } from '#store/installation/bootstrap.ts'
import type { Database } from '#store/database/database.ts'
import { toColumns } from '#store/monitors/monitor-rows.ts'
import type { Secrets } from '#store/database/secrets.ts'
import { type Foundation, openFoundation } from '#app/foundation.ts'
import { feedVariables } from '#config/config-feeds.ts'
import { type Config, readConfig } from '#config/config.ts'
import { createLog } from '#app/log.ts'
import { testSettings } from '../../test/support/settings.ts'

/** Everything that a bench needs to write its monitors. */
export type Seed = { database: Database; secrets: Secrets; workspaceId: string }

export type Installation = {
  folder: string
  /** For the service's process. */
  environment: Record<string, string>
  config: Config
  /** Lets `seed` write into the database, which runs for that alone. */
  prepare: (seed: (seed: Seed) => Promise<void>) => Promise<{ token: string; workspaceId: string }>
  remove: () => void
}

const token = `pgk_${'bench'.repeat(8)}`
const rowsAtOnce = 1_000
const feeds = Object.keys(feedVariables).filter((name) => name.startsWith('PERIGEE_FEED_'))

/** A data folder with nothing in it yet, and settings that stand in no bench's way. */
export async function createInstallation(given: Record<string, string> = {}): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-bench-'))
  // The PostgreSQL of a root user runs as another one, who has to pass through.
  chmodSync(folder, 0o711)
  const environment = {
    PERIGEE_DATA_DIR: folder,
    PERIGEE_PORT: '0',
    PERIGEE_OWNER_TOKEN: token,
    PERIGEE_PLANS: '{"pro":{"slots":1000000,"minIntervalSeconds":10}}',
    PERIGEE_READS_PER_MINUTE: '1000000',
    PERIGEE_WRITES_PER_MINUTE: '1000000',
    PERIGEE_ALLOW_PRIVATE_TARGETS: 'true',
    // Reading feeds from the internet would be measured as well.
    ...Object.fromEntries(feeds.map((name) => [name, 'off'])),
    ...given,
  }
  const config = readConfig(environment)
  return {
    folder,
    environment,
    config,
    prepare: async (seed) => {
      const foundation = await openFoundation(config, createLog({ level: 'warn' }))
      try {
        return await fill(foundation, config, seed)
      } finally {
        await foundation.close()
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The owner's workspace and what a bench adds to it. */
export async function fill(
  { database, secrets }: Foundation,
  config: Config,
  seed: (seed: Seed) => Promise<void>,
): Promise<{ token: string; workspaceId: string }> {
  const { owner, locations } = config
  const { workspaceId } = await bootstrap(database, { ...owner, locations, now: new Date() })
  await seed({ database, secrets, workspaceId })
  return { token, workspaceId }
}

/** Monitors as `insertMonitor` makes them, many at a time. Returns their ids. */
export async function addMonitors(
  { database, secrets, workspaceId }: Seed,
  count: number,
  settingsOf: (index: number) => Partial<MonitorSettings>,
): Promise<string[]> {
  const createdAt = new Date()
  const ids = Array.from({ length: count }, () => crypto.randomUUID())
  for (let from = 0; from < count; from += rowsAtOnce) {
    const some = ids.slice(from, from + rowsAtOnce)
    const rows = some.map((id, offset) =>
      rowOf({ id, workspaceId, createdAt, settings: settingsOf(from + offset) }, secrets),
    )
    await database.query.insertInto('monitors').values(rows).execute()
    await database.query
      .insertInto('monitor_state')
      .columns(['monitor_key', 'version', 'round_at'])
      .expression((query) =>
        query.selectFrom('monitors').select(['key', 'version', 'created_at']).where('id', 'in', some),
      )
      .execute()
  }
  await database.pool.query('analyze monitors, monitor_state')
  return ids
}

type Row = { id: string; workspaceId: string; createdAt: Date; settings: Partial<MonitorSettings> }

function rowOf({ id, workspaceId, createdAt, settings }: Row, secrets: Secrets) {
  const columns = toColumns(id, testSettings({ locations: ['local'], request_headers: {}, ...settings }), secrets)
  return {
    ...columns,
    id,
    workspace_id: workspaceId,
    partition: partitionOf(id),
    billing: 'plan',
    created_at: createdAt,
    updated_at: createdAt,
  }
}
