import { z } from 'zod'
import { StartError } from '#store/database/start-error.ts'
import { asksForHelp, assertOfVerb, readArguments } from './arguments.ts'
import { usageOf } from './definitions/definition.ts'
import { incidentsDefinition } from './definitions/service.ts'
import { parsed, readList } from './lists.ts'
import { findMonitor } from './monitors/find-monitor.ts'
import { ageOf } from './monitors/monitor-text.ts'
import { type ShownIncident, shownIncidentSchema } from './monitors/shown-monitor.ts'
import { readNearService, refusalOf, send, type Service } from './service.ts'
import { printable, table } from './table.ts'
import { columnsOf, paintFor, styleOf } from './terminal/paint.ts'
import { type Terminal, UsageError } from './terminal.ts'

const usage = usageOf(incidentsDefinition)
const { options } = incidentsDefinition

/** Those that are not resolved are few; of the others the newest are told. */
const maxShown = 500
const running = 'open,acknowledged'

type Order = { service: Service; isJson: boolean }

/** `perigee incidents`: see its usage. */
export async function runIncidents(argv: readonly string[], terminal: Terminal): Promise<number> {
  if (asksForHelp(argv)) {
    terminal.out.write(usage)
    return 0
  }
  const { values, positionals } = readArguments(argv, options, usage)
  const [verb = '', ...wanted] = positionals
  if (!Object.hasOwn(incidentsDefinition.verbs, verb)) throw new UsageError('Name an action: list or ack.', usage)
  assertOfVerb(verb, values, { options, usage })
  const isAll = values.all ?? false
  if (verb === 'list' && wanted.length > 0) throw new UsageError('list does not take a name.', usage)
  if (verb === 'ack' && isAll === wanted.length > 0)
    throw new UsageError('Name an incident by its id or its monitor, or give --all.', usage)
  const order = { service: readNearService(values, usage), isJson: values.json ?? false }
  if (verb === 'list') return list(order, values.status ?? running, terminal)
  return acknowledgeAll(order, isAll ? null : wanted, terminal)
}

async function list({ service, isJson }: Order, status: string, { out }: Terminal): Promise<number> {
  const incidents = await readIncidents(service, { status }, maxShown)
  if (isJson) out.write(`${JSON.stringify({ incidents })}\n`)
  else if (incidents.length === 0) out.write(status === running ? 'No ongoing incidents.\n' : 'No incidents match.\n')
  else out.write(listText(incidents, out))
  return 0
}

function listText(incidents: readonly ShownIncident[], out: Terminal['out']): string {
  const now = new Date()
  const paint = paintFor(out)
  const rows = incidents.map(({ status, started_at: started, monitor_name: monitor, title, cause }) => [
    status,
    `${ageOf(started, now)} ago`,
    monitor,
    cause ?? title,
  ])
  return table(['STATE', 'BEGAN', 'MONITOR', 'CAUSE'], rows, {
    columns: columnsOf(out),
    paint: (cell, { column, row }) => (column === 0 ? paint(styleOf(rows[row]?.[0] ?? ''), cell) : cell),
  })
}

/** Null for all that are open. Everything is found before one is acknowledged. */
async function acknowledgeAll(
  { service, isJson }: Order,
  wanted: readonly string[] | null,
  { out }: Terminal,
): Promise<number> {
  const found = new Map<string, ShownIncident>()
  const asked = wanted === null ? [await readIncidents(service, { status: 'open' })] : await findAll(service, wanted)
  for (const incident of asked.flat()) found.set(incident.id, incident)
  const incidents: ShownIncident[] = []
  for (const { id } of found.values()) {
    const now = await acknowledge(service, id)
    incidents.push(now)
    if (!isJson) out.write(`${printable(now.title)}: ${now.status}.\n`)
  }
  if (isJson) out.write(`${JSON.stringify({ incidents })}\n`)
  else if (incidents.length === 0) out.write('No open incidents.\n')
  return 0
}

async function findAll(service: Service, wanted: readonly string[]): Promise<ShownIncident[][]> {
  const found: ShownIncident[][] = []
  for (const each of wanted) found.push(await findIncidents(service, each))
  return found
}

/** The incident of this id, or those of a monitor that are open. */
async function findIncidents(service: Service, wanted: string): Promise<ShownIncident[]> {
  if (z.uuid().safeParse(wanted).success) {
    const path = `incidents/${wanted.toLowerCase()}`
    const sent = await send(service, { path, maxBytes: 4 * 1024 * 1024, request: {} })
    if (sent.type === 'answered' && sent.status === 200)
      return [parsed(sent.body, z.object({ data: shownIncidentSchema })).data]
  }
  const { id, name } = await findMonitor(service, wanted)
  const incidents = await readIncidents(service, { status: running, monitor_id: id })
  if (incidents.length === 0) throw new StartError(`${printable(name)} has no ongoing incident.`)
  return incidents
}

export function readIncidents(
  service: Service,
  query: Readonly<Record<string, string>>,
  maxItems?: number,
): Promise<ShownIncident[]> {
  return readList(
    service,
    { path: 'incidents', query, ...(maxItems === undefined ? {} : { maxItems }) },
    shownIncidentSchema,
  )
}

/** Throws StartError where the service refuses. */
export async function acknowledge(service: Service, id: string): Promise<ShownIncident> {
  const path = `incidents/${id}/acknowledge`
  const sent = await send(service, { path, maxBytes: 1024 * 1024, request: { method: 'POST' } })
  if (sent.type === 'lost') throw new StartError(sent.problem)
  if (sent.status !== 200) throw new StartError(refusalOf(sent))
  return parsed(sent.body, z.object({ data: shownIncidentSchema })).data
}
