import type { Bus } from '#bus/bus.ts'
import { createMemoryBus } from '#bus/memory.ts'
import type { Config } from '#config/config.ts'
import type { Log } from './log.ts'
import type { ProberThreadsOptions } from '#prober/threads.ts'

/** The bus of this process, and how the threads of its probers reach it. */
export type OpenBus = { bus: Bus; forProbers: ProberThreadsOptions['bus'] }

/** In memory, unless PERIGEE_NATS_URL leads to other processes. Throws BusStartError. */
export async function openBus({ nats }: Pick<Config, 'nats'>, of: { name: string; log: Log }): Promise<OpenBus> {
  if (nats === null) {
    const bus = createMemoryBus()
    return { bus, forProbers: { type: 'memory', attach: bus.attach } }
  }
  // Its client is loaded where it is needed only.
  const { connectEngineBus } = await import('#bus/nats.ts')
  return { bus: await connectEngineBus({ nats, ...of }), forProbers: { type: 'nats', nats } }
}
