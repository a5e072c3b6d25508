import type { ReadImport } from '#operations/imports/source-thread.ts'
import { askExport } from '#cli/projects/export.ts'
import { pacedService } from '#cli/projects/paced-service.ts'
import type { Service } from '#cli/service.ts'
import type { Terminal } from '#cli/terminal.ts'
import { bringHistory } from './bring-history.ts'
import { ownedBy } from './import-record.ts'
import { keepAddresses } from './keep-addresses.ts'

const notAll = 2

/** What the file of a project cannot say: the addresses of jobs, and the history. It may be done again. */
export async function finishImport(
  { source, settled }: ReadImport,
  service: Service,
  terminal: Terminal,
): Promise<number> {
  const { project, calls, file } = settled
  const monitors = ownedBy(project.id, await askExport(service)).filter(({ section }) => section === 'monitors')
  const ids = new Map(monitors.map(({ key, id }) => [key, id]))
  const paced = pacedService(service, (seconds) => void terminal.out.write(`  waiting ${seconds} s\n`))
  const isLed = await keepAddresses({ project, calls, ids }, paced, terminal)
  const history = { source, monitors: file.monitors, ids, now: new Date() }
  const isBrought = await bringHistory(history, paced, terminal)
  return isLed && isBrought ? 0 : notAll
}
