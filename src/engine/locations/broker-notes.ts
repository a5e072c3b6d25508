import type { EngineBus } from '#bus/bus.ts'
import type { LocationStore } from '#store/engine-store.ts'

export type BrokerNotesOptions = {
  store: Pick<LocationStore, 'noteBrokerAway' | 'endBrokerAway'>
  bus: Pick<EngineBus, 'isConnected'>
  /** The engine, by the name that it has in the table of engines. */
  name: string
  log: { warn: (message: string, details?: Record<string, unknown>) => void }
}

export type BrokerNotes = {
  /** To be called every few seconds. False while this engine does not know which probers there are. */
  look: () => boolean
  /** Writes nothing more, and takes back what was written. */
  end: () => Promise<void>
}

/** After so many looks with a broker every prober has been heard, and written down. */
const looksUntilHeard = 3

/** Writes down that an engine has no broker, because it hears of no prober then, and absence says nothing. */
export function createBrokerNotes({ store, bus, name, log }: BrokerNotesOptions): BrokerNotes {
  let looksWith = looksUntilHeard
  let isNoted = false
  let hasFailed = false
  let writing: Promise<void> | null = null

  async function write(isAway: boolean): Promise<void> {
    try {
      if (isAway) await store.noteBrokerAway(name)
      else await store.endBrokerAway(name)
      isNoted = isAway
      hasFailed = false
    } catch (error) {
      if (!hasFailed)
        log.warn('The state of the connection to the broker could not be stored.', { error: String(error) })
      hasFailed = true
    }
  }

  return {
    look: () => {
      looksWith = bus.isConnected() ? Math.min(looksWith + 1, looksUntilHeard) : 0
      const isHeard = looksWith >= looksUntilHeard
      if (isHeard === isNoted) writing ??= write(!isHeard).finally(() => (writing = null))
      return isHeard
    },
    end: async () => {
      await writing
      if (isNoted) await write(false)
    },
  }
}
