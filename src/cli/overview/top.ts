import { setTimeout as delay } from 'node:timers/promises'
import { StartError } from '#store/database/start-error.ts'
import { asksForHelp, readArguments } from '#cli/arguments.ts'
import { usageOf } from '#cli/definitions/definition.ts'
import { topDefinition } from '#cli/definitions/service.ts'
import { acknowledge, readIncidents } from '#cli/incidents.ts'
import { readList, readOne } from '#cli/lists.ts'
import { detailSchema } from '#cli/monitors/monitor-text.ts'
import { shownFields, shownMonitorSchema } from '#cli/monitors/shown-monitor.ts'
import { readNearService, type Service } from '#cli/service.ts'
import { printable } from '#cli/table.ts'
import { paintFor } from '#cli/terminal/paint.ts'
import { type Terminal, UsageError } from '#cli/terminal.ts'
import { listenForStop } from '#cli/stop-signals.ts'
import { takeScreen } from './full-screen.ts'
import { linesOf, pageOf } from './top-screen.ts'
import { chosenRow, firstState, type Key, keysOf, moved, type Sight, type TopState, withSight } from './top-state.ts'

/** At most a third of the 300 requests a minute that a token has unless an operator says otherwise. */
const everyMs = 2000
const msForRequest = 600
const afterFailureMs = 5000
const pageSize = 500
const clockMs = 1000

const usage = usageOf(topDefinition)

/** `perigee top`: see its usage. */
export async function runTop(argv: readonly string[], { out }: Terminal): Promise<number> {
  if (asksForHelp(argv)) {
    out.write(usage)
    return 0
  }
  const { values, positionals } = readArguments(argv, topDefinition.options, usage)
  if (positionals.length > 0) throw new UsageError('top takes no arguments.', usage)
  const service = readNearService(values, usage)
  if (values.json === true) {
    out.write(`${JSON.stringify(await readSight(service))}\n`)
    return 0
  }
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new UsageError(
      'top needs a terminal. Without one, use "perigee top --json" or "perigee monitors list".',
      usage,
    )
  // A service that cannot be asked at all is told as by other commands, before the screen is taken.
  const first = await readSight(service)
  await watch(service, first)
  return 0
}

async function readSight(service: Service): Promise<Sight> {
  const [monitors, incidents] = await Promise.all([
    readList(service, { path: 'monitors', query: { fields: shownFields } }, shownMonitorSchema),
    readIncidents(service, { status: 'open,acknowledged' }),
  ])
  return { monitors, incidents }
}

/** Until a key or a signal says that it is enough. */
async function watch(service: Service, first: Sight): Promise<void> {
  const stopping = listenForStop()
  const ended = new AbortController()
  const end = AbortSignal.any([stopping.signal, ended.signal])
  let state = withSight(firstState, first)
  const show = (next: TopState): void => {
    state = next
    const size = screen.size()
    screen.draw(
      linesOf(state, { ...size, now: new Date(), paint: paintFor(process.stdout), service: service.root.host }),
    )
  }
  const act = (key: Key): void => {
    if (key === 'quit') ended.abort()
    else if (key === 'enter') void open(service, state, (change) => show(change(state)))
    else if (key === 'acknowledge') void acknowledgeChosen(service, state, (change) => show(change(state)))
    else show(moved(state, key, pageOf(screen.size())))
  }
  const screen = takeScreen(
    (input) => keysOf(input).forEach(act),
    () => show(state),
  )
  try {
    show(state)
    const clock = setInterval(() => show(state), clockMs)
    end.addEventListener('abort', () => clearInterval(clock))
    // A request that is under way is not waited for.
    const isOver = new Promise<void>((resolve) => end.addEventListener('abort', () => resolve()))
    await Promise.race([isOver, refresh(service, { end, state: () => state, show: (change) => show(change(state)) })])
  } finally {
    screen.leave()
  }
}

type Change = (state: TopState) => TopState
type Refreshing = { end: AbortSignal; state: () => TopState; show: (change: Change) => void }

/** Reads again and again what there is, as often as the limits of a token allow. */
async function refresh(service: Service, { end, state, show }: Refreshing): Promise<void> {
  let pauseMs = everyMs
  let failure: string | null = null
  while (!end.aborted) {
    await delay(pauseMs, undefined, { signal: end }).catch(() => {})
    if (end.aborted) return
    try {
      const sight = await readSight(service)
      if (end.aborted) return
      const former = failure
      failure = null
      show((before) => withSight({ ...before, note: before.note === former ? null : before.note }, sight))
      const { open: opened } = state()
      if (opened !== null) await readDetail(service, opened.id, show)
      const requests = 2 + Math.ceil(sight.monitors.length / pageSize)
      pauseMs = Math.max(everyMs, requests * msForRequest)
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      pauseMs = afterFailureMs
      failure = error.message
      show((before) => ({ ...before, note: error.message }))
    }
  }
}

async function open(service: Service, state: TopState, show: (change: Change) => void): Promise<void> {
  const row = chosenRow(state)
  if (row === null || state.open !== null) return
  show((before) => ({ ...before, open: { id: row.id, detail: null }, note: null }))
  await telling(show, () => readDetail(service, row.id, show))
}

async function readDetail(service: Service, id: string, show: (change: Change) => void): Promise<void> {
  const detail = await readOne(service, `monitors/${id}`, detailSchema)
  // Meanwhile a person may have gone back, or on to another one.
  show((before) => (before.open?.id === id ? { ...before, open: { id, detail } } : before))
}

async function acknowledgeChosen(service: Service, state: TopState, show: (change: Change) => void): Promise<void> {
  const row = chosenRow(state)
  if (row === null) return
  const { incident, name } = row
  if (incident === null) return show((before) => ({ ...before, note: `${name} has no ongoing incident.` }))
  await telling(show, async () => {
    const { status } = await acknowledge(service, incident.id)
    const sight = await readSight(service)
    show((before) => ({ ...withSight(before, sight), note: `${printable(incident.title)}: ${status}.` }))
  })
}

/** A refusal is shown, and the screen goes on. */
async function telling(show: (change: Change) => void, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    show((before) => ({ ...before, note: error.message }))
  }
}
