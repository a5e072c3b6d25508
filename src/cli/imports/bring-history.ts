import { dayOf } from '#core/language/utc-day.ts'
import { daysBefore } from '#core/imports/history-days.ts'
import { type ImportSource, importSources } from '#core/imports/import-source.ts'
import type { ImportedMonitor } from '#core/imports/imported.ts'
import { StartError } from '#store/database/start-error.ts'
import type { PacedService } from '#cli/projects/paced-service.ts'
import { printable } from '#cli/table.ts'
import type { Terminal } from '#cli/terminal.ts'

export type History = {
  source: ImportSource
  /** Monitors of the file, and their ids by their keys, as far as they are there. */
  monitors: readonly ImportedMonitor[]
  ids: ReadonlyMap<string, string>
  now: Date
}

/** Gives monitors the days that the other tool counted before today. Whether all of them were taken. */
export async function bringHistory(history: History, paced: PacedService, { out }: Terminal): Promise<boolean> {
  const { source, monitors, ids, now } = history
  const today = dayOf(now)
  let brought = 0
  let isWhole = true
  for (const { key, history: counted } of monitors) {
    const id = ids.get(key)
    const days = daysBefore(today, counted)
    if (id === undefined || days.length === 0) continue
    const path = `monitors/${id}/imported-days`
    const outcome = await paced.ask({ method: 'PUT', path, body: { source: importSources[source], days } })
    if (outcome.type === 'lost') throw new StartError(outcome.problem)
    if (outcome.type === 'done') brought += days.length
    else {
      isWhole = false
      out.write(`! monitors.${key}: its history was not brought. ${printable(outcome.problem)}\n`)
    }
  }
  if (brought > 0) out.write(`Brought ${brought} ${brought === 1 ? 'day' : 'days'} of history.\n`)
  return isWhole
}
