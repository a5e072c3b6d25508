import { randomUUID } from 'node:crypto'
import type { SloAlert } from '#core/contacts/alerting.ts'
import { alarmChange, type AlarmChange, sightOf } from '#core/objectives/alarm.ts'
import { type Measured, stateOf } from '#core/objectives/attainment.ts'
import { dayMs } from '#core/language/utc-day.ts'
import type { Transaction } from '#store/database/database.ts'
import { changeAlarm, claimSlos, tellAlarm, type Told } from '#store/objectives/slo-alarms.ts'
import { policyOfSlo, takeSloStep } from '#store/objectives/slo-steps.ts'
import type { StoredSlo } from '#store/objectives/slos.ts'
import { readMeasured } from '#store/objectives/timelines.ts'
import { forgetGaps } from '#store/monitors/monitor-gaps.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'
import type { Chore } from '#jobs/runner/timer.ts'

const second = 1000
const hour = 3600 * second
/** Half a minute within the five minutes of the shortest window. */
const everyMs = 30 * second
const slosAtOnce = 20
const gapsAtOnce = 1000
/** As long as maintenance is known. */
const keptMs = 400 * dayMs

/** Tells objectives whose budget burns. Any number of processes may do it at once. */
export function objectiveChores(parts: JobParts): Chore[] {
  return [
    { name: 'tell_slos', everyMs, run: (signal) => tellSlos(parts, signal) },
    { name: 'forget_monitor_gaps', everyMs: hour, run: (signal) => forgetOld(parts, signal) },
  ]
}

type Parts = Pick<JobParts, 'database' | 'log' | 'now'>

/** One look at each objective that nobody looked at lately. */
export async function tellSlos({ database, log, now }: Parts, signal: AbortSignal): Promise<void> {
  let number = 0
  const began = now()
  const before = new Date(began.getTime() - everyMs / 2)
  while (!signal.aborted) {
    const slos = await claimSlos(database, { now: began, before, limit: slosAtOnce })
    for (const slo of slos) if (await tellSlo(slo, { database, now: began })) number += 1
    if (slos.length < slosAtOnce) break
  }
  if (number > 0) log.info('Alerts of objectives were queued.', { number })
}

/**
 * What was told changes, and the alerts are written, in one transaction: each is told once, whoever looks at it. Where
 * nothing changes, a step of its policy may be due; none is taken while nothing is measured.
 */
async function tellSlo(slo: StoredSlo, { database, now }: Pick<Parts, 'database'> & { now: Date }): Promise<boolean> {
  const { id, workspaceId, window_days: windowDays, objective, alarm } = slo
  const asked = { workspaceId, sloIds: [id], now, windowDays: Math.max(9, windowDays) }
  const measured = (await readMeasured(database, asked)).get(id) ?? []
  const sight = sightOf({ objective, windowDays }, measured, now.getTime())
  const change = alarmChange(alarm?.reason ?? null, sight)
  const seen = { alarmId: alarm?.id ?? randomUUID(), measured, now }
  if (change !== null) {
    const told = { slo, change, alert: alertOf(slo, change, seen), at: now }
    return database.transaction((tx) => tellChange(tx, told))
  }
  if (sight === 'unknown' || sight.alarm === null) return false
  const escalation = alarm?.escalation ?? null
  if (escalation === null || escalation.at === null) return false
  const alert = alertOf(slo, { type: 'slo.burning', alarm: sight.alarm }, seen)
  return database.transaction((tx) => takeSloStep(tx, { slo, alert, escalation, at: now }))
}

type Change = { slo: StoredSlo; change: AlarmChange; alert: SloAlert; at: Date }

/** False where another process was quicker. */
async function tellChange(tx: Transaction, { slo, change, alert, at }: Change): Promise<boolean> {
  const { alarm } = slo
  const next = change.type === 'slo.recovered' ? null : { id: alert.data.episode.id, reason: change.alarm.reason }
  const policy = alarm === null ? await policyOfSlo(tx, slo) : null
  if (!(await changeAlarm(tx, { slo, next, policy, at }))) return false
  const isEscalated = policy !== null || (alarm !== null && alarm.escalation !== null)
  await tellAlarm(tx, { slo, alert, at, told: toldOf(slo, { isOver: next === null, isEscalated }) })
  if (policy !== null)
    await takeSloStep(tx, { slo, alert, at, escalation: { policyId: policy.id, step: 0, turn: 0, at } })
  return true
}

/** With a policy only its steps tell more contacts, and those that the objective names are told at once. */
function toldOf(slo: StoredSlo, { isOver, isEscalated }: { isOver: boolean; isEscalated: boolean }): Told {
  if (isOver) return { who: 'told', contactIds: [] }
  return isEscalated ? { who: 'told', contactIds: slo.alert_channel_ids ?? [] } : { who: 'chosen' }
}

type Seen = { alarmId: string; measured: readonly Measured[]; now: Date }

function alertOf(slo: StoredSlo, change: AlarmChange, { alarmId, measured, now }: Seen): SloAlert {
  const { id, name, objective, window_days, alarm } = slo
  const { attained, budget } = stateOf({ objective, windowDays: window_days }, measured, now.getTime())
  const burning = change.type === 'slo.burning' ? change.alarm : null
  const startedAt = alarm?.since ?? now
  return {
    type: change.type,
    timestamp: now.toISOString(),
    data: {
      monitor: null,
      incident: null,
      result: null,
      slo: {
        id,
        name,
        objective,
        window_days,
        reason: burning?.reason ?? null,
        attained,
        budget_left_seconds: budget?.left_seconds ?? 0,
        budget_left_percent: budget?.left_percent ?? 0,
        burn_rate: burning === null ? null : Math.round(burning.rate * 10) / 10,
        burn_seconds: burning === null ? null : Math.round(burning.overMs / 1000),
        ends_at: budget?.ends_at ?? null,
      },
      episode: {
        id: alarmId,
        started_at: startedAt.toISOString(),
        ended_at: burning === null ? now.toISOString() : null,
      },
    },
  }
}

async function forgetOld({ database, now }: JobParts, signal: AbortSignal): Promise<void> {
  const before = new Date(now().getTime() - keptMs)
  while (!signal.aborted) if ((await forgetGaps(database, before, gapsAtOnce)) < gapsAtOnce) return
}
