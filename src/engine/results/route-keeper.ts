// Routes on their way from a location to the database (docs/evidence.md). All of it is bounded, and may be lost.
import type { TakenRoute } from '#core/incidents/route.ts'
import { isMonitorId } from '#core/monitors/monitor-id.ts'
import type { NewRoute } from '#store/incidents/routes.ts'
import type { Time } from '#time/time.ts'

export type RouteKeeperOptions = {
  keep: (route: NewRoute) => Promise<void>
  onLost: (details: { count: number; error?: string }) => void
  time: Pick<Time, 'nowMs' | 'steadyMs' | 'after'>
}

export type RouteKeeper = {
  note: (location: string, taken: TakenRoute) => void
  /** Resolves when what waits is written, or when its time is over. Never rejects. */
  close: () => Promise<void>
}

/** Of some 4 KB. */
const maxWaiting = 256
const closeMs = 2_000
/** What is lost is told no more often. */
const tellLostMs = 60_000

/** Writes one after the other, so that locations that send many take one connection of the database. */
export function createRouteKeeper({ keep, onLost, time }: RouteKeeperOptions): RouteKeeper {
  const waiting: NewRoute[] = []
  let writing: Promise<void> | null = null
  let [lost, toldMs] = [0, -Infinity]

  function lose(error: string | null): void {
    lost += 1
    if (time.steadyMs() - toldMs < tellLostMs) return
    onLost({ count: lost, ...(error === null ? {} : { error }) })
    ;[lost, toldMs] = [0, time.steadyMs()]
  }

  async function write(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      await keep(next).catch((error: unknown) => lose(String(error)))
    writing = null
  }

  return {
    note: (location, { monitorId, isFailure, agoMs, route }) => {
      if (!isMonitorId(monitorId)) return
      if (waiting.length >= maxWaiting) return lose(null)
      waiting.push({ monitorId, location, isFailure, takenAt: new Date(time.nowMs() - agoMs), route })
      writing ??= write()
    },
    close: async () => {
      if (writing === null) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const cancel = time.after(closeMs, resolve)
      await Promise.race([writing, promise])
      cancel()
    },
  }
}
