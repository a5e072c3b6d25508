import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { jetstream, type JetStreamClient, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { Bus } from '#bus/bus.ts'
import type { NatsOptions } from '#bus/nats-options.ts'
import { connectEngineBus, connectProberBus, type ProberConnection } from '#bus/nats.ts'
import { noPhases, type Result } from '#core/results/result.ts'
import { partitionOf } from '#core/monitors/schedule.ts'
import { type NatsServer, type NatsServerOptions, startNatsServer } from './nats-server.ts'

export type Warning = { message: string; details: Record<string, unknown> | undefined }

/**
 * The broker and the connections that a test opens; they are closed in the opposite order when the test's file ends, or
 * by `close`.
 */
export type BusBench = {
  readonly server: NatsServer
  readonly warnings: Warning[]
  engine: (changes?: Partial<NatsOptions>) => Promise<Bus>
  prober: (location: string, changes?: Partial<NatsOptions>) => Promise<ProberConnection>
  /** Asks the broker itself, past the bus. */
  raw: () => Promise<{ client: NatsConnection; manager: JetStreamManager; stream: JetStreamClient }>
  close: () => Promise<void>
}

export async function openBusBench(options: NatsServerOptions = {}): Promise<BusBench> {
  const server = await startNatsServer(options)
  const warnings: Warning[] = []
  const log = { warn: (message: string, details?: Record<string, unknown>) => void warnings.push({ message, details }) }
  const ends: (() => Promise<void>)[] = [server.stop]
  const opened = <T extends { close: () => Promise<void> }>(bus: T): T => {
    ends.push(bus.close)
    return bus
  }
  const close = async (): Promise<void> => {
    for (const end of ends.splice(0).toReversed()) await end()
  }
  after(close)
  return {
    server,
    warnings,
    engine: async (changes = {}) =>
      opened(await connectEngineBus({ nats: { ...server.options, ...changes }, name: 'engine', log, startMs: 5_000 })),
    prober: async (location, changes = {}) =>
      opened(
        await connectProberBus({
          nats: { ...server.options, ...changes },
          name: `prober-${location}`,
          location,
          log,
          startMs: 5_000,
        }),
      ),
    raw: async () => {
      const client = await connect({ servers: [...server.options.servers], maxReconnectAttempts: -1 })
      ends.push(() => client.close())
      return { client, manager: await jetstreamManager(client), stream: jetstream(client) }
    },
    close,
  }
}

/** A result of a monitor of its own, in the partition that is asked for. */
export function resultIn(partition: number, location = 'here'): Result {
  const monitorId = `${randomUUID().slice(0, -2)}${partition.toString(16).padStart(2, '0')}`
  return {
    monitorId,
    version: 1,
    round: 1_763_744_400_000_000,
    location,
    verdict: { status: 'up', statusCode: 200, latencyMs: 5, error: null, phases: noPhases, details: {} },
  }
}

export function partitionsOf(results: readonly Result[]): Set<number> {
  return new Set(results.map(({ monitorId }) => partitionOf(monitorId)))
}
