import type { Registry } from 'prom-client'
import type { Backlog, EngineBus } from '#bus/bus.ts'
import type { Database } from '#store/database/database.ts'
import { addGauge, addGauges, type Labelled } from './metrics-gauge.ts'

/** Pools of connections by what they are for. */
export type Pools = Readonly<Record<string, { readonly pool: WatchedPool }>>

type WatchedPool = Pick<Database['pool'], 'totalCount' | 'idleCount' | 'waitingCount'> & { options: { max: number } }

export function addPoolGauges(registers: Registry[], pools: Pools): void {
  const each = (value: (pool: WatchedPool) => number): Labelled =>
    Object.entries(pools).map(([name, { pool }]) => [{ pool: name }, value(pool)] as const)
  addGauges(registers, {
    name: 'perigee_database_connections',
    help: 'Open connections to PostgreSQL, by pool and state: busy or idle.',
    labelNames: ['pool', 'state'],
    read: () =>
      Object.entries(pools).flatMap(([name, { pool }]) => [
        [{ pool: name, state: 'busy' }, pool.totalCount - pool.idleCount] as const,
        [{ pool: name, state: 'idle' }, pool.idleCount] as const,
      ]),
  })
  addGauges(registers, {
    name: 'perigee_database_connections_limit',
    help: 'Connections that a pool may open.',
    labelNames: ['pool'],
    read: () => each((pool) => pool.options.max),
  })
  addGauges(registers, {
    name: 'perigee_database_requests_waiting',
    help: 'Work that waits for a connection of its pool.',
    labelNames: ['pool'],
    read: () => each((pool) => pool.waitingCount),
  })
}

/** Tried as `/readyz` tries it. */
export function addStoringGauge(registers: Registry[], isStoring: () => Promise<boolean>): void {
  addGauges(registers, {
    name: 'perigee_database_stores',
    help: '1 while the database stores what it is given.',
    labelNames: [],
    read: async () => [[{}, Number(await isStoring())] as const],
  })
}

export function addBusGauge(registers: Registry[], bus: Pick<EngineBus, 'isConnected'>): void {
  addGauge(registers, {
    name: 'perigee_bus_connected',
    help: '1 while the broker can be reached.',
    read: () => Number(bus.isConnected()),
  })
}

export function addBacklogGauges(registers: Registry[], readBacklog: () => Promise<readonly Backlog[]>): void {
  const each = (name: string, help: string, value: (backlog: Backlog) => number): void =>
    addGauges(registers, {
      name,
      help,
      labelNames: ['stream'],
      read: async () => (await readBacklog()).map((backlog) => [{ stream: backlog.stream }, value(backlog)] as const),
    })
  each('perigee_bus_backlog_messages', 'Messages that wait at the broker.', ({ messages }) => messages)
  each('perigee_bus_backlog_bytes', 'What they take there.', ({ bytes }) => bytes)
  each('perigee_bus_backlog_age_seconds', 'How long the oldest of them has waited.', ({ oldestAt }) =>
    oldestAt === null ? 0 : Math.max(0, (Date.now() - oldestAt.getTime()) / 1000),
  )
}
