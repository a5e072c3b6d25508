import { z } from 'zod'
import { StartError } from '#store/database/start-error.ts'
import { asksForHelp, assertOfVerb, readArguments } from '#cli/arguments.ts'
import { usageOf } from '#cli/definitions/definition.ts'
import { monitorsDefinition } from '#cli/definitions/service.ts'
import { parsed, type Query, readList, readOne } from '#cli/lists.ts'
import { readNearService, refusalOf, send, type Service } from '#cli/service.ts'
import { printable } from '#cli/table.ts'
import { canAsk, confirm } from '#cli/terminal/confirm.ts'
import { columnsOf, paintFor } from '#cli/terminal/paint.ts'
import { type Terminal, UsageError } from '#cli/terminal.ts'
import { findMonitor, findMonitors } from './find-monitor.ts'
import { detailSchema, detailText, listText } from './monitor-text.ts'
import { shownFields, type ShownMonitor, shownMonitorSchema } from './shown-monitor.ts'

const usage = usageOf(monitorsDefinition)
const { options } = monitorsDefinition

type Order = { service: Service; isJson: boolean }

/** `perigee monitors`: see its usage. */
export async function runMonitors(argv: readonly string[], terminal: Terminal): Promise<number> {
  if (asksForHelp(argv)) {
    terminal.out.write(usage)
    return 0
  }
  const { values, positionals } = readArguments(argv, options, usage)
  const [verb = '', ...wanted] = positionals
  if (!Object.hasOwn(monitorsDefinition.verbs, verb))
    throw wrong('Name an action: list, show, pause, resume or delete.')
  assertOfVerb(verb, values, { options, usage })
  if (verb === 'list' && wanted.length > 0)
    throw wrong('list does not take a name. To find monitors by a part of their name, give --name.')
  if (verb !== 'list' && wanted.length === 0) throw wrong('Name a monitor by its name or its id.')
  if (verb === 'show' && wanted.length > 1) throw wrong('show takes one monitor. Quote names that have spaces.')
  const isSure = values.yes ?? false
  if (verb === 'delete' && !isSure && !canAsk())
    throw wrong(
      'Deleting a monitor also deletes its results permanently. There is no terminal to ask you in, so give --yes to confirm.',
    )
  const order = { service: readNearService(values, usage), isJson: values.json ?? false }
  switch (verb) {
    case 'list':
      return list(order, pick(values), terminal)
    case 'show':
      return show(order, wanted[0] ?? '', terminal)
    case 'delete':
      return remove(order, { wanted, isSure }, terminal)
    case 'pause':
    case 'resume':
    default:
      return act(order, { wanted, verb: verb === 'pause' ? 'pause' : 'resume' }, terminal)
  }
}

type Filters = { status?: string; kind?: string; tag?: string; name?: string }

function pick({ status, kind, tag, name }: Filters): Query {
  return { status, kind, tag, name }
}

async function list({ service, isJson }: Order, filters: Query, { out }: Terminal): Promise<number> {
  const query = isJson ? filters : { ...filters, fields: shownFields }
  const monitors = await readList(service, { path: 'monitors', query }, shownMonitorSchema)
  const columns = columnsOf(out)
  out.write(
    isJson
      ? `${JSON.stringify({ monitors })}\n`
      : listText(monitors, { now: new Date(), columns, paint: paintFor(out) }),
  )
  return 0
}

async function show({ service, isJson }: Order, wanted: string, { out }: Terminal): Promise<number> {
  const { id } = await findMonitor(service, wanted)
  const detail = await readOne(service, `monitors/${id}`, detailSchema)
  const layout = { now: new Date(), columns: columnsOf(out), paint: paintFor(out) }
  out.write(isJson ? `${JSON.stringify(detail)}\n` : detailText(detail, layout))
  return 0
}

const changedSchema = z.object({
  data: shownMonitorSchema,
  held_back: z.looseObject({ message: z.string() }).optional(),
})

/** All are found before one is changed, so that a name that is wrong changes nothing. */
async function act(
  { service, isJson }: Order,
  { wanted, verb }: { wanted: readonly string[]; verb: 'pause' | 'resume' },
  { out, err }: Terminal,
): Promise<number> {
  const changed: ShownMonitor[] = []
  let isHeldBack = false
  for (const { id } of await findMonitors(service, wanted)) {
    const { data, held_back: heldBack } = parsed(await change(service, 'POST', `monitors/${id}/${verb}`), changedSchema)
    changed.push(data)
    if (heldBack !== undefined) {
      isHeldBack = true
      err.write(`${printable(data.name)} stays paused: ${printable(heldBack.message)}\n`)
    } else if (!isJson) out.write(`${printable(data.name)} is ${verb === 'pause' ? 'paused' : 'resumed'}.\n`)
  }
  if (isJson) out.write(`${JSON.stringify({ monitors: changed })}\n`)
  return isHeldBack ? 1 : 0
}

async function remove(
  { service, isJson }: Order,
  { wanted, isSure }: { wanted: readonly string[]; isSure: boolean },
  { out }: Terminal,
): Promise<number> {
  const monitors = await findMonitors(service, wanted)
  if (!isSure && !(await confirm(questionOf(monitors)))) throw new StartError('Nothing was deleted.')
  for (const { id, name } of monitors) {
    await change(service, 'DELETE', `monitors/${id}`)
    if (!isJson) out.write(`${printable(name)} and its results were deleted.\n`)
  }
  if (isJson) out.write(`${JSON.stringify({ deleted: monitors.map(({ id, name }) => ({ id, name })) })}\n`)
  return 0
}

function questionOf(monitors: readonly ShownMonitor[]): string {
  const names = monitors.map(({ name }) => printable(name)).join(', ')
  return `Permanently delete ${names} and all results?`
}

async function change(service: Service, method: 'POST' | 'DELETE', path: string): Promise<unknown> {
  const sent = await send(service, { path, maxBytes: 1024 * 1024, request: { method } })
  if (sent.type === 'lost') throw new StartError(sent.problem)
  if (sent.status !== 200 && sent.status !== 204) throw new StartError(refusalOf(sent))
  return sent.body
}

function wrong(message: string): UsageError {
  return new UsageError(message, usage)
}
