// The engine alone: real database with fsync, memory bus; the bench plays the probers.
import { randomUUID } from 'node:crypto'
import { createMemoryBus, type MemoryBus } from '#bus/memory.ts'
import { type Foundation, openFoundation } from '#app/foundation.ts'
import { type Engine, startEngine } from '../../src/engine/engine.ts'
import type { EngineObserver } from '../../src/engine/engine-options.ts'
import { createPresenceBook, type PresenceBook } from '#engine/locations/presence.ts'
import { createLog } from '#app/log.ts'
import { createEngineStore } from '#store/engine-store.ts'
import { systemTime } from '#time/time.ts'
import { createInstallation, fill, type Seed } from './installation.ts'

export type EngineBench = {
  bus: MemoryBus
  presence: PresenceBook
  foundation: Foundation
  observed: Observed
  start: () => Promise<Engine>
}

/** The engine's reports so far. */
export type Observed = { lagsMs: number[]; skipped: number; stored: number; rejected: number }

/** Everything is gone again when `work` has ended, well or not. */
export async function withEngine<T>(
  seed: (seed: Seed) => Promise<void>,
  work: (bench: EngineBench) => Promise<T>,
): Promise<T> {
  const installation = await createInstallation()
  const log = createLog({ level: 'warn' })
  try {
    const foundation = await openFoundation(installation.config, log)
    const bus = createMemoryBus()
    let engine: Engine | null = null
    try {
      await fill(foundation, installation.config, seed)
      const presence = createPresenceBook()
      bus.onPresence((message) => presence.note(message, Date.now()))
      const observed: Observed = { lagsMs: [], skipped: 0, stored: 0, rejected: 0 }
      const start = async (): Promise<Engine> => {
        const store = createEngineStore(foundation.engineDatabase)
        const observer = observerOf(observed)
        const name = 'bench'
        engine = await startEngine({
          store,
          bus,
          presence,
          name,
          readConfigurations: async () => [],
          observer,
          log,
          time: systemTime,
          newId: randomUUID,
          random: Math.random,
        })
        return engine
      }
      return await work({ bus, presence, foundation, observed, start })
    } finally {
      await bus.close()
      await stopped(engine)
      await foundation.close()
    }
  } finally {
    installation.remove()
  }
}

async function stopped(engine: Engine | null): Promise<void> {
  await engine?.stop()
}

function observerOf(observed: Observed): EngineObserver {
  return {
    round: (lagMs) => observed.lagsMs.push(lagMs),
    skipped: () => (observed.skipped += 1),
    stored: (count) => (observed.stored += count),
    rejected: () => (observed.rejected += 1),
    jumped: () => {},
    batch: () => {},
  }
}
