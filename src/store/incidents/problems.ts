import { numberArray, textArray } from '#store/database/array-literal.ts'
import type { Transaction } from '#store/database/database.ts'

/** The changes that a fold makes to the problems of the daily bars. Times in microseconds since 1970. */
export type ProblemChanges = {
  /**
   * Ended before others are begun, because one status may follow another in the same round. None ends before it began:
   * a call may be heard after the deadline that it would have put off.
   */
  ended: { monitorKey: number; startedAt: number; endedAt: number }[]
  begun: {
    monitorKey: number
    at: number
    status: 'down' | 'degraded'
    error: string | null
    locations: string[]
    incidentId: string | null
  }[]
  /** More locations see a running problem, or an incident was opened for it. */
  grown: { monitorKey: number; startedAt: number; locations: string[]; incidentId: string | null }[]
}

export async function writeProblems({ client }: Transaction, { ended, begun, grown }: ProblemChanges): Promise<void> {
  if (ended.length > 0)
    await client.query(endStatement, [
      numberArray(ended.map(({ monitorKey }) => monitorKey)),
      numberArray(ended.map(({ startedAt }) => startedAt)),
      numberArray(ended.map(({ endedAt }) => endedAt)),
    ])
  if (begun.length > 0)
    await client.query(beginStatement, [
      numberArray(begun.map(({ monitorKey }) => monitorKey)),
      numberArray(begun.map(({ at }) => at)),
      textArray(begun.map(({ status }) => status)),
      textArray(begun.map(({ error }) => error)),
      textArray(begun.map(({ locations }) => locations.join(','))),
      textArray(begun.map(({ incidentId }) => incidentId)),
    ])
  if (grown.length > 0)
    await client.query(growStatement, [
      numberArray(grown.map(({ monitorKey }) => monitorKey)),
      numberArray(grown.map(({ startedAt }) => startedAt)),
      textArray(grown.map(({ locations }) => locations.join(','))),
      textArray(grown.map(({ incidentId }) => incidentId)),
    ])
}

const endStatement = `
update problems p
set ended_at = greatest(p.started_at, timestamptz 'epoch' + e.ended_at * interval '1 microsecond')
from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as e (monitor_key, started_at, ended_at)
where p.monitor_key = e.monitor_key
  and p.started_at = timestamptz 'epoch' + e.started_at * interval '1 microsecond'`

// Location codes hold no comma, so that a list of lists can travel as a list of texts.
const beginStatement = `
insert into problems (monitor_key, started_at, status, error, locations, incident_id)
select
  monitor_key, timestamptz 'epoch' + at * interval '1 microsecond', status, error, string_to_array(locations, ','),
  incident_id
from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::uuid[])
  as b (monitor_key, at, status, error, locations, incident_id)
on conflict (monitor_key, started_at) do nothing`

const growStatement = `
update problems p
set locations = string_to_array(g.locations, ','),
  incident_id = coalesce(g.incident_id, p.incident_id)
from unnest($1::bigint[], $2::bigint[], $3::text[], $4::uuid[]) as g (monitor_key, started_at, locations, incident_id)
where p.monitor_key = g.monitor_key
  and p.started_at = timestamptz 'epoch' + g.started_at * interval '1 microsecond'`
