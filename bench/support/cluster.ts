// Engines in processes of their own, on a PostgreSQL with fsync and a broker; the bench plays API and probers.
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connectProberBus, type ProberConnection } from '#bus/nats.ts'
import type { Database } from '#store/database/database.ts'
import { type Embedded, startEmbedded } from '#store/embedded/embedded.ts'
import { openFoundation } from '#app/foundation.ts'
import { type Config, readConfig } from '#config/config.ts'
import { createLog } from '#app/log.ts'
import { feedsOff } from '../../test/support/feeds-off.ts'
import { noNatsServer, type NatsServer, startNatsServer } from '../../test/support/nats-server.ts'
import { operatorSetting } from '../../test/support/operator.ts'
import { owner } from '../console.ts'
import { startChild } from './child.ts'
import { fill, type Seed } from './installation.ts'
import { readMetric } from './metrics.ts'
import { treeCpu } from './process-tree.ts'
import { waitFor } from './service.ts'

export type EngineProcess = { child: ChildProcess; url: string }

export type ClusterBench = {
  database: Database
  prober: ProberConnection
  engines: EngineProcess[]
  startEngine: () => Promise<EngineProcess>
  /** A process that answers the API with the owner's token. */
  startApi: () => Promise<EngineProcess>
  workspaceId: string
  token: string
  stopEngine: (engine: EngineProcess) => Promise<void>
  /** Summed over the engines that run. */
  counter: (name: string) => Promise<number>
  cpu: () => PartsCpu
}

/** Milliseconds of CPU. */
export type PartsCpu = Record<'engines' | 'postgres' | 'broker' | 'senders', number>

export const benchLocation = 'local'
/** Where the console of the installation would be: nothing listens there. */
export const publicUrl = 'http://127.0.0.1:1'
const perigee = fileURLToPath(new URL('../../bin/perigee.js', import.meta.url))
const startMs = 300_000

/** Everything is gone again when `work` has ended, well or not. */
export async function withCluster(
  seed: (seed: Seed) => Promise<void>,
  work: (bench: ClusterBench) => Promise<void>,
): Promise<void> {
  if (noNatsServer !== false) throw new Error(`${noNatsServer}: npm run test:cluster installs it.`)
  const folder = mkdtempSync(join(tmpdir(), 'perigee-bench-'))
  // The PostgreSQL of a root user runs as another one, who has to pass through.
  chmodSync(folder, 0o711)
  const ends: (() => Promise<void>)[] = [async () => rmSync(folder, { recursive: true, force: true })]
  try {
    const postgres = await startEmbedded({ folder: join(folder, 'database'), settings: { max_connections: '200' } })
    ends.unshift(postgres.stop)
    const broker = await startNatsServer()
    ends.unshift(broker.stop)
    const environment = environmentOf(folder, postgres, broker)
    const config = readConfig(environment)
    const foundation = await openFoundation(config, createLog({ level: 'warn' }), { isAlone: false })
    ends.unshift(foundation.close)
    const { workspaceId, token } = await fill(foundation, config, seed)
    const prober = await proberOf(config)
    ends.unshift(prober.close)
    const engines: EngineProcess[] = []
    const apis: EngineProcess[] = []
    ends.unshift(async () => {
      await Promise.all([...engines.splice(0), ...apis.splice(0)].map(({ child }) => ended(child)))
    })
    const { database } = foundation
    const owned = { workspaceId, token }
    await work(benchOf({ database, prober, engines, apis, environment, postgres, broker, ...owned }))
  } finally {
    for (const end of ends) await end()
  }
}

type Standing = {
  database: Database
  prober: ProberConnection
  engines: EngineProcess[]
  apis: EngineProcess[]
  workspaceId: string
  token: string
  environment: Record<string, string>
  postgres: Embedded
  broker: NatsServer
}

function benchOf(standing: Standing): ClusterBench {
  const { database, prober, engines, apis, environment, postgres, broker, workspaceId, token } = standing
  return {
    database,
    prober,
    engines,
    workspaceId,
    token,
    startEngine: async () => {
      const engine = await startRole('engine', environment)
      engines.push(engine)
      return engine
    },
    startApi: async () => {
      const api = await startRole('api', environment)
      apis.push(api)
      return api
    },
    stopEngine: async (engine) => {
      engines.splice(engines.indexOf(engine), 1)
      await ended(engine.child)
    },
    counter: async (name) => {
      const values = await Promise.all(engines.map(({ url }) => readMetric(url, name)))
      return values.reduce((sum, value) => sum + value, 0)
    },
    cpu: () => ({
      engines: engines.reduce((sum, { child }) => sum + treeCpu(child.pid ?? 0).total, 0),
      postgres: treeCpu(postgres.pid()).total,
      broker: treeCpu(broker.pid).total,
      senders: treeCpu(process.pid).own,
    }),
  }
}

async function startRole(role: 'engine' | 'api', environment: Record<string, string>): Promise<EngineProcess> {
  const child = startChild(process.execPath, ['--max-semi-space-size=16', perigee, role], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout?.on('data', (bytes: Buffer) => (said += bytes.toString()))
  const find = (): string | undefined => /^Perigee's \w+ is at (\S+)$/m.exec(said)?.[1]
  await waitFor(`the ${role} to start`, () => find() !== undefined || child.exitCode !== null, { deadlineMs: startMs })
  const url = find()
  if (url === undefined) throw new Error(`The ${role} did not start: ${said}`)
  return { child, url }
}

function proberOf({ nats }: Config): Promise<ProberConnection> {
  if (nats === null) throw new Error('The bench needs a broker.')
  const log = { warn: (message: string): void => console.log(`  ${message}`) }
  return connectProberBus({ nats, name: 'bench', location: benchLocation, log })
}

function environmentOf(folder: string, { connection }: Embedded, broker: NatsServer): Record<string, string> {
  const { socketFolder, user, password, database } = connection
  const host = encodeURIComponent(socketFolder)
  return {
    PERIGEE_DATA_DIR: folder,
    PERIGEE_PORT: '0',
    PERIGEE_DATABASE_URL: `postgres://${user}:${encodeURIComponent(password)}@localhost/${database}?host=${host}`,
    PERIGEE_SECRET_KEY: randomBytes(32).toString('base64'),
    PERIGEE_PUBLIC_URL: publicUrl,
    PERIGEE_PLANS: '{"pro":{"slots":1000000,"minIntervalSeconds":10}}',
    PERIGEE_ALLOW_PRIVATE_TARGETS: 'true',
    PERIGEE_READS_PER_MINUTE: '1000000',
    PERIGEE_WRITES_PER_MINUTE: '1000000',
    PERIGEE_OWNER_EMAIL: owner.email,
    PERIGEE_OWNER_PASSWORD: owner.password,
    PERIGEE_OWNER_TOKEN: `pgk_${'bench'.repeat(8)}`,
    PERIGEE_NATS_URL: `nats://127.0.0.1:${broker.port}`,
    ...operatorSetting,
    ...feedsOff,
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}
