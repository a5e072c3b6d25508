// What has to hold of monitors that wait to be called once nothing has gone wrong for a while.
import assert from 'node:assert/strict'
import { lengthMs } from './call-watch.ts'
import type { Context } from './context.ts'
import { isCalled, type MonitorRow, type StateRow } from './model-database.ts'
import type { Targets } from './targets.ts'

/** What became of a deadline is known after this time. */
const knownMs = 10_000
const foundMs = 10_000

export function assertCalls(context: Context, targets: Targets): void {
  for (const monitor of context.database.monitors.values()) {
    if (!isCalled(monitor)) continue
    assertDeadline(context, monitor)
    assertFolded(context, monitor)
    if (context.mischief.struck() === 0) assertFound(context, { monitor, targets })
    if (context.mischief.struck() === 0) context.watchdogs.calls.assertHungTold(monitor)
  }
}

/** The next deadline lies ahead, and not too far. */
function assertDeadline(context: Context, monitor: MonitorRow): void {
  const { deadline, status } = stateOf(context, monitor)
  // A run that was the first to begin may be told of and be no call.
  if (deadline === null && monitor.maxRunSeconds !== null) return
  if (deadline === null) return assert.equal(status, 'pending', `${monitor.id} awaits no call.`)
  if (!isAwaited(context, monitor)) return
  const aheadMs = deadline / 1000 - context.database.nowMs()
  assert.ok(aheadMs > -knownMs, `A deadline of ${monitor.id} passed ${-aheadMs} ms ago.`)
  assert.ok(aheadMs <= lengthMs(monitor) + knownMs, `The deadline of ${monitor.id} is ${aheadMs} ms away.`)
}

/**
 * Whether a call is awaited by the present time: one has come since the story began. Where the clock jumped, an engine may
 * have folded a call before it knew of that, whose deadline is of the former time.
 */
export function isAwaited(context: Context, monitor: MonitorRow): boolean {
  return stateOf(context, monitor).deadline !== null && !context.clock.hasJumped
}

function stateOf({ database }: Context, { key }: MonitorRow): StateRow {
  return database.states.get(key) ?? assert.fail('A state is gone.')
}

/** Each call is folded, whenever it came, but for those of a story before. */
function assertFolded(context: Context, monitor: MonitorRow): void {
  const { database, clock } = context
  const { id, key } = monitor
  const { round } = stateOf(context, monitor)
  const newest = Math.max(
    ...(database.results
      .get(key)
      ?.values()
      .map((result) => result.round) ?? []),
  )
  // Results of a time to come may be there where the clock went back.
  assert.ok(newest <= round || clock.hasJumped, `A call of ${id} is stored and not folded.`)
}

/** Where nothing went wrong, each time that a job was dead or failed has exactly one incident. */
function assertFound(
  { database, watchdogs }: Context,
  { monitor, targets }: { monitor: MonitorRow; targets: Targets },
): void {
  const neededMs = lengthMs(monitor) + monitor.failureThreshold * monitor.intervalSeconds * 1000 + foundMs
  const courses = [...database.incidents.values()].flatMap(({ id, monitorId }) =>
    monitorId === monitor.id ? (watchdogs.courses.get(id) ?? []) : [],
  )
  for (const { fromMs, toMs } of targets.outages(monitor.id)) {
    if (toMs - fromMs < neededMs) continue
    const running = courses.filter(({ openedMs, endedMs }) => openedMs < toMs && endedMs >= toMs)
    const opened = courses.filter(({ openedMs }) => openedMs >= fromMs && openedMs < toMs)
    const what = `of ${monitor.id} from ${fromMs} to ${toMs}`
    assert.equal(running.length, 1, `Running incidents ${what}`)
    assert.ok(opened.length <= 1, `${opened.length} new incidents ${what}`)
  }
}
