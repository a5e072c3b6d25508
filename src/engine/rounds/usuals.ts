import { usualOf, usualSpan } from '#core/results/usual.ts'
import type { EngineStore } from '#store/engine-store.ts'
import type { Watched } from './watched.ts'

/** Of one statement, and of one run: what is left comes with the next. */
const monitorsAtOnce = 50
const monitorsOfRun = 500
const hourMs = 3_600_000
/** After the full hour, monitors are read again over so many seconds, so that they are no crowd. */
const spreadSeconds = 900

export type UsualsOptions = {
  store: Pick<EngineStore, 'readHours'>
  monitors: () => Iterable<Watched>
  now: () => number
}

/**
 * Reads what is usual for the monitors that tell when they are slow: once when they are new here, then once an hour,
 * since it is another at another time of the day.
 */
export async function readUsuals({ store, monitors, now }: UsualsOptions): Promise<void> {
  const nowMs = now()
  const due = dueOf(monitors(), nowMs)
  for (let first = 0; first < due.length; first += monitorsAtOnce) {
    const some = due.slice(first, first + monitorsAtOnce)
    const monitorKeys = some.map(({ key }) => key)
    const known = await store.readHours({ monitorKeys, ...usualSpan(new Date(nowMs)) })
    for (const { key, episodes } of some)
      if (episodes !== null) {
        episodes.usual.ms = usualOf(known.get(key))
        episodes.usual.dueMs = nextReading(key, nowMs)
      }
  }
}

function dueOf(monitors: Iterable<Watched>, nowMs: number): Watched[] {
  const due: Watched[] = []
  for (const watched of monitors) {
    const { episodes, settings } = watched
    if (episodes === null || settings.alertSlowFactor === null || episodes.usual.dueMs > nowMs) continue
    due.push(watched)
    if (due.length === monitorsOfRun) break
  }
  return due
}

function nextReading(key: number, nowMs: number): number {
  return Math.floor(nowMs / hourMs + 1) * hourMs + (key % spreadSeconds) * 1000
}
