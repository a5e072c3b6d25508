import { z } from 'zod'
import { StartError } from '#store/database/start-error.ts'
import { readList, readOne } from '#cli/lists.ts'
import type { Service } from '#cli/service.ts'
import { printable } from '#cli/table.ts'
import { shownFields, type ShownMonitor, shownMonitorSchema } from './shown-monitor.ts'

const longestName = 160
const candidatesShown = 10

/** The monitors that people named, each once. Throws StartError where one is not there, or could be several. */
export async function findMonitors(service: Service, wanted: readonly string[]): Promise<ShownMonitor[]> {
  const found = new Map<string, ShownMonitor>()
  for (const each of wanted) {
    const monitor = await findMonitor(service, each)
    found.set(monitor.id, monitor)
  }
  return [...found.values()]
}

export async function findMonitor(service: Service, wanted: string): Promise<ShownMonitor> {
  if (z.uuid().safeParse(wanted).success) {
    const path = `monitors/${wanted.toLowerCase()}`
    return (await readOne(service, path, z.object({ data: shownMonitorSchema }))).data
  }
  return chooseMonitor(await namedLike(service, wanted), wanted)
}

async function namedLike(service: Service, part: string): Promise<ShownMonitor[]> {
  if (part === '' || part.length > longestName) return []
  return readList(service, { path: 'monitors', query: { name: part, fields: shownFields } }, shownMonitorSchema)
}

/** One name that is exactly so counts for more than parts of others. Throws StartError. */
export function chooseMonitor(monitors: readonly ShownMonitor[], wanted: string): ShownMonitor {
  const exact = monitors.filter(({ name }) => name === wanted)
  const fitting = exact.length > 0 ? exact : monitors
  const [first, second] = fitting
  if (first === undefined) throw new StartError(`No monitor matches ${JSON.stringify(wanted)}.`)
  if (second === undefined) return first
  throw new StartError(ambiguity(fitting, wanted))
}

function ambiguity(fitting: readonly ShownMonitor[], wanted: string): string {
  const shown = fitting.slice(0, candidatesShown)
  const more = fitting.length - shown.length
  return [
    `${fitting.length} monitors match ${JSON.stringify(wanted)}. Give more of the name, or an id:`,
    ...shown.map(({ id, name, url }) => `  ${id}  ${printable(name)}${url === null ? '' : `  ${printable(url)}`}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ].join('\n')
}
