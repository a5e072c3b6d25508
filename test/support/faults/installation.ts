// A process of each role, joined by a broker that each side reaches by a cable of its own.
import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import type { ProcessRole } from '#config/roles.ts'
import { testDatabase } from '../database.ts'
import { type NatsServer, startNatsServer } from '../nats-server.ts'
import { operatorSetting } from '../operator.ts'
import { type Perigee, spawnPerigee } from '../perigee-process.ts'
import { type Cable, layCable } from './cable.ts'
import { faultFolder, type FaultyService, seenAt, token } from './faulty-service.ts'

export type Installation = {
  broker: NatsServer
  /** Between the broker and the location's prober, and between it and all others. */
  cables: { prober: Cable; core: Cable }
  /** As the process with the API sees it. */
  service: FaultyService
  /** What each process says of itself. */
  troubles: () => Promise<string[]>
}

const roles = ['api', 'engine', 'jobs', 'prober'] as const satisfies readonly ProcessRole[]

export async function startInstallation(environment: Readonly<Record<string, string>>): Promise<Installation> {
  const broker = await startNatsServer()
  after(broker.stop)
  const cables = { prober: await layCable(broker.port), core: await layCable(broker.port) }
  const folder = faultFolder()
  const common = {
    HOME: folder,
    PERIGEE_DATA_DIR: folder,
    PERIGEE_DATABASE_URL: await databaseUrl(),
    PERIGEE_SECRET_KEY: randomBytes(32).toString('base64'),
    PERIGEE_OWNER_TOKEN: token,
    PERIGEE_READS_PER_MINUTE: '1000000',
    PERIGEE_WRITES_PER_MINUTE: '1000000',
    ...operatorSetting,
    ...environment,
  }
  const start = async (role: ProcessRole): Promise<{ perigee: Perigee; url: string }> => {
    const { port } = role === 'prober' ? cables.prober : cables.core
    const own = {
      PERIGEE_NATS_URL: `nats://127.0.0.1:${port}`,
      ...(role === 'prober' ? { PERIGEE_LOCATIONS: 'ams=Amsterdam' } : {}),
    }
    const perigee = spawnPerigee({ args: [role], environment: { ...common, ...own } })
    const [, url = ''] = await perigee.printed(/^Perigee's \w+ is at (http:\/\/\S+)/m)
    return { perigee, url }
  }
  const [first, ...others] = roles
  // The API sets up the owner.
  const api = await start(first)
  const started = [api, ...(await Promise.all(others.map(start)))]
  const service = seenAt(api.url, api.perigee)
  const processes = started.map(({ perigee, url }) => seenAt(url, perigee))
  return {
    broker,
    cables,
    service,
    troubles: async () => {
      const each = await Promise.all(processes.map((one) => one.troubles().catch((error) => [String(error)])))
      return [...new Set(each.flat())]
    },
  }
}

async function databaseUrl(): Promise<string> {
  const {
    PERIGEE_TEST_SOCKET: socket = '',
    PERIGEE_TEST_USER: user = '',
    PERIGEE_TEST_PASSWORD: password = '',
  } = process.env
  const { pool } = await testDatabase()
  const { rows } = await pool.query<{ name: string }>('select current_database() as name')
  return `postgres://${user}:${encodeURIComponent(password)}@localhost/${rows[0]?.name ?? ''}?host=${encodeURIComponent(socket)}`
}
