import assert from 'node:assert/strict'
import type { z } from 'zod'
import type { incidentDetailSchema } from '#core/incidents/incident.ts'
import type { MonitorDetail } from '#core/monitors/monitor-detail.ts'

export type Incident = z.infer<typeof incidentDetailSchema>

/** A round as its results tell it: when it was, and how many of its locations failed. */
type ToldRound = { at: string; failures: number }

/** Opened, told to both contacts, acknowledged, resolved, told again: in this order, and each with what belongs to it. */
export function assertEvents({ events, ...incident }: Incident): void {
  const sent = ['alert_sent', 'alert_sent']
  assert.deepEqual(
    events.map(({ type }) => type),
    ['opened', ...sent, 'acknowledged', 'resolved', ...sent],
  )
  const [opened, , , acknowledged, resolved] = events
  assert.deepEqual([opened?.at, opened?.details['error']], [incident.started_at, incident.cause])
  assert.deepEqual([resolved?.at, incident.status], [incident.resolved_at, 'resolved'])
  assert.equal(acknowledged?.actor, 'First steps')
  const contacts = events.flatMap(({ type, details }) => (type === 'alert_sent' ? [details['alert_channel_id']] : []))
  assert.equal(new Set(contacts.slice(0, 2)).size, 2)
  assert.deepEqual(new Set(contacts.slice(2)), new Set(contacts.slice(0, 2)))
}

/** Every member of a monitor's detail tells the same story: one incident, and the checks around it. */
export function assertDetail(detail: MonitorDetail, incident: Incident, { confirmation = 2, recovery = 2 } = {}): void {
  const rounds = roundsOf(detail)
  const failed = rounds.filter(({ failures }) => failures >= confirmation)
  const after = rounds.filter(({ at }) => at > (failed.at(-1)?.at ?? ''))
  assert.equal(failed[0]?.at, incident.started_at, 'the first round that failed opened the incident')
  assert.equal(after[recovery - 1]?.at, incident.resolved_at, 'the last success needed ended it')
  assertCounts(detail)
  const problems = new Map(detail.days.flatMap((day) => day.problems.map((problem) => [problem.started_at, problem])))
  const { cause, events: _, ...rest } = incident
  assert.deepEqual(
    [...problems.values()]
      .filter(({ status }) => status === 'down')
      .map(({ started_at, ended_at, error, incident_id }) => ({ started_at, ended_at, error, incident_id })),
    [{ started_at: incident.started_at, ended_at: after[0]?.at, error: cause, incident_id: incident.id }],
  )
  const minutes = Math.round((Date.parse(incident.resolved_at ?? '') - Date.parse(incident.started_at)) / 60_000)
  assert.deepEqual(detail.incident_totals, { all: { count: 1, minutes }, recent: { count: 1, minutes } })
  assert.deepEqual(detail.incidents, [{ ...rest, cause }])
}

function assertCounts({ results, days, all_time: history, uptime }: MonitorDetail): void {
  const count = (status: string): number => results.filter((result) => result.status === status).length
  const expected = { checks: results.length, up: count('up'), down: count('down') }
  assert.deepEqual(sumOf(days), expected)
  assert.deepEqual(sumOf(history.periods), expected)
  assert.equal(
    days.reduce((sum, { restricted }) => sum + restricted, 0),
    count('degraded'),
  )
  const percent = Math.round((100_000 * (expected.checks - expected.down)) / expected.checks) / 1000
  const latencies = results.flatMap(({ status, latency_ms }) =>
    status !== 'down' && latency_ms !== null ? [latency_ms] : [],
  )
  const average = Math.round(latencies.reduce((sum, latency) => sum + latency, 0) / latencies.length)
  const { watched_since: since, ...percents } = uptime
  assert.deepEqual(percents, { day: percent, week: percent, month: percent, average_latency_ms: average })
  assert.ok(since !== null && Date.parse(since) <= Math.min(...results.map(({ checked_at: at }) => Date.parse(at))))
}

type Counts = { checks: number; up: number; down: number }

function sumOf(days: readonly Counts[]): Counts {
  const total = { checks: 0, up: 0, down: 0 }
  for (const { checks, up, down } of days) {
    total.checks += checks
    total.up += up
    total.down += down
  }
  return total
}

/** Oldest first. */
function roundsOf({ results }: MonitorDetail): ToldRound[] {
  const rounds = Map.groupBy(results, ({ checked_at }) => checked_at)
  return [...rounds]
    .map(([at, told]) => {
      assert.equal(new Set(told.map(({ location_code }) => location_code)).size, told.length, 'a location checks once')
      return { at, failures: told.filter(({ status }) => status === 'down').length }
    })
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
}
