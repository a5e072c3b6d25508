import type { EngineBus } from '#bus/bus.ts'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import type { EngineStore } from '#store/engine-store.ts'
import type { NewEvidence } from '#store/incidents/evidence.ts'
import type { NewView } from '#store/incidents/views.ts'
import type { PresenceBook } from '#engine/locations/presence.ts'
import type { Tracer } from '#otlp/tracer.ts'
import type { Time } from '#time/time.ts'

export type EngineOptions = {
  /**
   * By connections of the engine's own: PostgreSQL ends their transactions when they go silent, so that an engine that
   * stands still blocks no other.
   */
  store: EngineStore
  /** How often what is held is renewed. Default: every two seconds. */
  renewMs?: number
  bus: EngineBus
  presence: PresenceBook
  /** Unique among all engines of the database. */
  name: string
  readConfigurations: (location: string, ids: string[]) => Promise<CheckConfiguration[]>
  /** Writes what locations saw of incidents, apart from their transactions. Default: nothing is kept. */
  keepEvidence?: (list: readonly NewEvidence[]) => Promise<void>
  /** The same of what locations saw in short. */
  keepViews?: (list: readonly NewView[]) => Promise<void>
  observer: EngineObserver
  log: EngineLog
  /** Default: no round is traced. */
  tracer?: Tracer | null
  time: Time
  /** Makes the ids of incidents and episodes: UUIDs. */
  newId: () => string
  /** From 0 to 1. */
  random: () => number
  /**
   * Told when the clock has jumped, and by how many milliseconds. The engine goes on when what the database holds is of the
   * new time; after a failure it asks again.
   */
  onClockJump?: (jumpMs: number) => Promise<void>
}

type Write = (message: string, details?: Record<string, unknown>) => void
export type EngineLog = { debug: Write; info: Write; warn: Write }

/** Called with what the metrics count. */
export type EngineObserver = {
  round: (lagMs: number) => void
  skipped: () => void
  stored: (count: number) => void
  rejected: () => void
  /** The clock of the installation jumped. */
  jumped: () => void
  /** Results that arrived together were stored, or could not be and were handed back. */
  batch: (batch: { results: number; seconds: number; isStored: boolean }) => void
}
