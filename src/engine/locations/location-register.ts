import type { EngineBus, Presence } from '#bus/bus.ts'
import { oneLine } from '#core/language/one-line.ts'
import type { LocationStore } from '#store/engine-store.ts'
import { createBrokerNotes } from './broker-notes.ts'
import type { PresentLocation } from '#store/installation/location-presence.ts'
import type { Time } from '#time/time.ts'

export type LocationRegisterOptions = {
  store: LocationStore
  bus: Pick<EngineBus, 'onPresence' | 'isConnected'>
  /** Of the engine of this process. */
  name: string
  /** For how long a location has had no network of its own; null while it has one. */
  lostNetworkMs: (location: string) => number | null
  log: { warn: (message: string, details?: Record<string, unknown>) => void }
  time: Pick<Time, 'every'>
}

const noteMs = 5_000
/** More codes than this in one period are not looked at: an installation has some dozens. */
const maxPresent = 200
const codePattern = /^(?=.{1,32}$)[a-z0-9]+(?:-[a-z0-9]+)*$/
const maxNameLength = 100

/** So many monitors that are set aside are written down. */
const maxAside = 100
const idPattern = /^[0-9a-f-]{36}$/

/**
 * Writes down which locations have a prober, and makes new ones known, the first time at once; which monitors probers
 * have set aside; and that it cannot know, while it has no broker. Every engine does; the bus has verified the location
 * of a presence. Returns a function that ends it.
 */
export function registerLocations(options: LocationRegisterOptions): () => Promise<void> {
  const { store, bus, lostNetworkMs, log, time } = options
  const present = new Map<string, string>()
  const noted = new Set<string>()
  const asides = createAsideNotes({ store, log })
  const broker = createBrokerNotes(options)
  let writing: Promise<void> | null = null
  let hasFailed = false
  let isEnded = false

  function note({ location, locationName, isLeaving, setAside = [] }: Presence): void {
    asides.hear(setAside)
    if (isLeaving || !codePattern.test(location) || present.size >= maxPresent) return
    present.set(location, nameOf(locationName) || location)
    if (!noted.has(location) && !hasFailed) flush()
  }

  function flush(): void {
    if (isEnded || writing !== null || present.size === 0) return
    const locations = Array.from(present, ([code, name]) => ({ code, name, lostNetworkMs: lostNetworkMs(code) }))
    present.clear()
    writing = write(locations).finally(() => {
      writing = null
      // Locations that came meanwhile are made known at once as well.
      if (!hasFailed && [...present.keys()].some((code) => !noted.has(code))) flush()
    })
  }

  async function write(locations: PresentLocation[]): Promise<void> {
    try {
      await store.noteLocations(locations)
      hasFailed = false
      for (const { code } of locations) noted.add(code)
    } catch (error) {
      if (!hasFailed) log.warn('The state of locations could not be stored.', { error: String(error) })
      hasFailed = true
    }
  }

  const forget = bus.onPresence(note)
  const endNoting = time.every(noteMs, () => {
    flush()
    if (broker.look()) asides.write()
  })
  return async () => {
    forget()
    endNoting()
    isEnded = true
    await Promise.all([writing, asides.settled(), broker.end()])
  }
}

type AsideNotes = {
  hear: (monitorIds: readonly string[]) => void
  /** Writes what was heard since the last time. Each prober has said it once in that time. */
  write: () => void
  settled: () => Promise<void>
}

function createAsideNotes({ store, log }: Pick<LocationRegisterOptions, 'store' | 'log'>): AsideNotes {
  const heard = new Set<string>()
  let writing = Promise.resolve()
  // A process before this one may have written some that are none any more.
  let areSome = true
  let hasFailed = false

  async function note(monitorIds: string[]): Promise<void> {
    try {
      await store.noteSetAside(monitorIds)
      areSome = monitorIds.length > 0
      hasFailed = false
    } catch (error) {
      if (!hasFailed) log.warn('The monitors that are set aside could not be stored.', { error: String(error) })
      hasFailed = true
    }
  }

  return {
    hear: (monitorIds) => {
      for (const id of monitorIds) if (heard.size < maxAside && idPattern.test(id)) heard.add(id)
    },
    write: () => {
      const monitorIds = [...heard].toSorted()
      heard.clear()
      if (areSome || monitorIds.length > 0) writing = writing.then(() => note(monitorIds))
    },
    settled: () => writing,
  }
}

function nameOf(name: string | undefined): string {
  return oneLine(name ?? '')
    .slice(0, maxNameLength)
    .toWellFormed()
}
