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
  stopEngine: (engine: EngineProcess) => Promise<void>
  /** Summed over the engines that run. */
  counter: (name: string) => Promise<number>
  cpu: () => PartsCpu
}

/** Milliseconds of CPU. */
export type PartsCpu = Record<'engines' | 'postgres' | 'broker' | 'senders', number>

export const benchLocation = 'local'
const perigee = fileURLToPath(new URL('../../bin/perigee.js', import.meta.url))
const startMs = 60_000

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
    await fill(foundation, config, seed)
    const prober = await proberOf(config)
    ends.unshift(prober.close)
    const engines: EngineProcess[] = []
    ends.unshift(async () => {
      await Promise.all(engines.splice(0).map(({ child }) => ended(child)))
    })
    await work(benchOf({ database: foundation.database, prober, engines, environment, postgres, broker }))
  } finally {
    for (const end of ends) await end()
  }
}

type Standing = {
  database: Database
  prober: ProberConnection
  engines: EngineProcess[]
  environment: Record<string, string>
  postgres: Embedded
  broker: NatsServer
}

function benchOf({ database, prober, engines, environment, postgres, broker }: Standing): ClusterBench {
  return {
    database,
    prober,
    engines,
    startEngine: async () => {
      const engine = await startEngineProcess(environment)
      engines.push(engine)
      return engine
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

async function startEngineProcess(environment: Record<string, string>): Promise<EngineProcess> {
  const child = startChild(process.execPath, ['--max-semi-space-size=16', perigee, 'engine'], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout?.on('data', (bytes: Buffer) => (said += bytes.toString()))
  const find = (): string | undefined => /^Perigee's engine is at (\S+)$/m.exec(said)?.[1]
  await waitFor('the engine to start', () => find() !== undefined || child.exitCode !== null, { deadlineMs: startMs })
  const url = find()
  if (url === undefined) throw new Error(`The engine did not start: ${said}`)
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
