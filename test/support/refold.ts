import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { Pool, PoolClient } from 'pg'
import { foldRound, type Standing } from '#core/incidents/evaluation.ts'
import { opensAtOnce } from '#core/monitors/heartbeat.ts'
import { nextProblem, type Problem } from '#core/incidents/problem.ts'
import { noPhases, type ResultStatus } from '#core/results/result.ts'
import { addReport, openRound, outcomeOf } from '#core/results/round.ts'
import { roundGraceMs } from '#core/results/round.ts'

/**
 * The history that rounds make of a monitor, without texts: times in microseconds since 1970, null for an end that has
 * not come.
 */
type Story = {
  standing: Standing
  incidents: { from: number; to: number | null }[]
  problems: { from: number; to: number | null; status: Problem['status'] }[]
}

type Client = Pool | PoolClient

/** A takeover folds the results it finds, however late they were stored. */
const takeoverMs = 20_000

type Unchanged = {
  id: string
  key: number
  locations: string[]
  failureThreshold: number
  recoveryThreshold: number
  confirmationThreshold: number
  standing: Standing
  foldedUntil: number
}

/** `source` is that of calls: some open an incident at once. `lateMs`: stored so long after the round's deadline. */
type StoredReport = { location: string; status: ResultStatus; source: string | null; lateMs: number }
type StoredRound = { time: number; reports: StoredReport[] }

/**
 * Folds the stored results of every monitor that was never changed once more, and fails where the states, incidents
 * and problems of the database differ: a round that was lost, folded twice or in the wrong order shows here. Monitors
 * with merged results are left out, because their rounds can no longer be told apart. A location that said nothing may
 * have been offline, or still busy, when the round began, and then took no part. Results that came after the deadline of their round are not folded, which shows where the server tracks the
 * times of its commits. Of results that came within seconds of it only the engine knew, so any of them may have been
 * folded. Returns how many rounds it read.
 */
export async function assertRefolds(client: Client): Promise<number> {
  const monitors = await readUnchanged(client)
  const rounds = await readRounds(client)
  const told = await readTold(client)
  let count = 0
  for (const monitor of monitors) {
    const stored = (rounds.get(monitor.key) ?? []).filter(({ reports }) => reports.some(wasPerhapsHeard))
    const folded = stored.filter(({ time }) => time <= monitor.foldedUntil)
    assertOnlyOpen(monitor, stored.slice(folded.length))
    const story = { standing: monitor.standing, incidents: [], problems: [], ...told.get(monitor.key) }
    if (!tells(story, monitor, folded)) {
      const all = folded
        .flatMap((round) => hearingsOf(round, monitor).slice(0, 1))
        .reduce((folding, hearing) => fold(folding, monitor, hearing), beginning)
      assert.deepEqual(story, all.story, `monitor ${monitor.id}, of whose results ${JSON.stringify(stored)}`)
    }
    count += stored.length
  }
  return count
}

/** What a round may have been to the engine: the locations that took part, and what it had heard of them. */
type Hearing = { time: number; taking: string[]; reports: StoredReport[] }

/**
 * With and without each result that came late. Of the locations that said nothing all took part or none, for what some
 * of them bring about one of the two does.
 */
function hearingsOf({ time, reports }: StoredRound, { locations }: Unchanged): Hearing[] {
  const inTime = reports.filter(({ lateMs }) => lateMs <= 0)
  const late = reports.filter(({ lateMs }) => lateMs > 0 && lateMs <= takeoverMs)
  const choices = late.reduce<StoredReport[][]>((some, each) => some.flatMap((one) => [[...one, each], one]), [inTime])
  const takings = [locations, reports.map(({ location }) => location)].slice(
    0,
    reports.length < locations.length ? 2 : 1,
  )
  return choices
    .filter((heard) => heard.length > 0)
    .flatMap((heard) => takings.map((taking) => ({ time, taking, reports: heard })))
}

function wasPerhapsHeard({ lateMs }: StoredReport): boolean {
  return lateMs <= takeoverMs
}

type Folding = { story: Story; problem: Problem | null }

const beginning: Folding = {
  story: { standing: { status: 'pending', failures: 0, successes: 0 }, incidents: [], problems: [] },
  problem: null,
}

/** Whether the rounds come to this story, for some choice among their late results. */
function tells(story: Story, monitor: Unchanged, rounds: StoredRound[]): boolean {
  let foldings = [beginning]
  for (const round of rounds) {
    const hearings = hearingsOf(round, monitor)
    const isUnheard = round.reports.every(({ lateMs }) => lateMs > 0)
    const next = foldings.flatMap((folding) => [
      ...hearings.map((each) => fold(folding, monitor, each)),
      ...(isUnheard ? [folding] : []),
    ])
    const possible = next.filter(({ story: soFar }) => begins(story, soFar))
    foldings = [...new Map(possible.map((folding) => [JSON.stringify(folding), folding])).values()]
  }
  return foldings.some((folding) => isDeepStrictEqual(folding.story, story))
}

/** Whether what was told so far can become this story: what has ended stays as it is. */
function begins(story: Story, { incidents, problems }: Story): boolean {
  return areFirst(incidents, story.incidents) && areFirst(problems, story.problems)
}

function areFirst<T extends { to: number | null }>(part: readonly T[], whole: readonly T[]): boolean {
  return part.every((each, place) => {
    const later = whole[place]
    return later !== undefined && isDeepStrictEqual(each, each.to === null ? { ...later, to: null } : later)
  })
}

function fold(before: Folding, monitor: Unchanged, hearing: Hearing): Folding {
  const { time } = hearing
  const story = structuredClone(before.story)
  const outcome = outcomeAt(monitor, hearing, { isPastDeadline: true })
  assert.ok(outcome !== null)
  const isAtOnce = outcome.type === 'failed' && opensAtOnce(outcome.report.verdict)
  const thresholds = isAtOnce ? { ...monitor, failureThreshold: 1 } : monitor
  const { standing, transition } = foldRound(story.standing, outcome, thresholds)
  story.standing = standing
  // Incidents are timed in whole milliseconds.
  const at = Math.floor(time / 1000) * 1000
  if (transition.type === 'went_down') story.incidents.push({ from: at, to: null })
  if (transition.type === 'recovered') Object.assign(story.incidents.at(-1) ?? {}, { to: at })
  const step = nextProblem(before.problem, outcome, time)
  if (step.ended !== null) Object.assign(story.problems.at(-1) ?? {}, { to: time })
  if (step.begun !== null) story.problems.push({ from: time, to: null, status: step.begun.problem.status })
  return { story, problem: step.problem }
}

/** A round cut short by the end of the service may wait for the next start; a decided one may not. */
function assertOnlyOpen(monitor: Unchanged, rounds: StoredRound[]): void {
  assert.ok(rounds.length <= 1, `monitor ${monitor.id} has ${rounds.length} rounds that were not folded`)
  for (const { reports } of rounds)
    assert.equal(
      outcomeAt(monitor, { taking: monitor.locations, reports }, { isPastDeadline: false }),
      null,
      `monitor ${monitor.id}, its last round`,
    )
}

function outcomeAt(
  { confirmationThreshold }: Unchanged,
  { taking, reports }: Pick<Hearing, 'taking' | 'reports'>,
  { isPastDeadline }: { isPastDeadline: boolean },
): ReturnType<typeof outcomeOf> {
  const round = openRound(taking)
  for (const { location, status, source } of reports)
    addReport(round, location, {
      status,
      statusCode: null,
      latencyMs: null,
      error: null,
      phases: noPhases,
      details: { source },
    })
  return outcomeOf(round, { confirmationThreshold, isPastDeadline })
}

async function readUnchanged(client: Client): Promise<Unchanged[]> {
  const { rows } = await client.query<Omit<Unchanged, 'standing'> & Standing>(
    `select
      m.id, m.key::float8 as key, m.locations, m.failure_threshold as "failureThreshold",
      m.recovery_threshold as "recoveryThreshold", m.confirmation_threshold as "confirmationThreshold",
      s.current_status as status, s.consecutive_failures as failures, s.consecutive_successes as successes,
      (extract(epoch from s.round_at) * 1000000)::float8 as "foldedUntil"
    from monitors m
    join monitor_state s on s.monitor_key = m.key
    where m.version = 1
      and not exists (select from results r where r.monitor_key = m.key and r.repeats > 1)`,
  )
  return rows.map(({ status, failures, successes, ...monitor }) =>
    Object.assign(monitor, { standing: { status, failures, successes } }),
  )
}

async function readRounds(client: Client): Promise<Map<number, StoredRound[]>> {
  const tracked = await client.query(`select from pg_settings where name = 'track_commit_timestamp' and setting = 'on'`)
  const storedAt = tracked.rowCount === 0 ? 'null::timestamptz' : 'pg_xact_commit_timestamp(r.xmin)'
  const { rows } = await client.query<{ key: number; time: number; reports: StoredRound['reports'] }>(
    `select
      r.monitor_key::float8 as key, (extract(epoch from r.round_at) * 1000000)::float8 as time,
      jsonb_agg(jsonb_build_object(
        'location', l.code,
        'status', case r.status when 'u' then 'up' when 'd' then 'down' else 'degraded' end,
        'source', r.details ->> 'source',
        'lateMs', case when m.kind in ('heartbeat', 'webhook', 'push_metric', 'group') then 0
          else coalesce(extract(epoch from ${storedAt} - r.round_at) * 1000 - m.timeout_ms - ${roundGraceMs}, 0) end
      ) order by l.code) as reports
    from results r
    join monitors m on m.key = r.monitor_key
    join locations l on l.id = r.location
    group by 1, 2
    order by 1, 2`,
  )
  return Map.groupBy(rows, ({ key }) => key)
}

async function readTold(client: Client): Promise<Map<number, Pick<Story, 'incidents' | 'problems'>>> {
  const incidents = await client.query<Story['incidents'][number] & { key: number }>(
    `select
      m.key::float8 as key, (extract(epoch from i.started_at) * 1000000)::float8 as "from",
      (extract(epoch from i.resolved_at) * 1000000)::float8 as "to"
    from incidents i
    join monitors m on m.id = i.monitor_id
    order by i.started_at`,
  )
  const problems = await client.query<Story['problems'][number] & { key: number }>(
    `select
      monitor_key::float8 as key, (extract(epoch from started_at) * 1000000)::float8 as "from",
      (extract(epoch from ended_at) * 1000000)::float8 as "to", status
    from problems
    order by started_at`,
  )
  const told = new Map<number, Pick<Story, 'incidents' | 'problems'>>()
  const of = (key: number): Pick<Story, 'incidents' | 'problems'> => {
    const known = told.get(key) ?? { incidents: [], problems: [] }
    told.set(key, known)
    return known
  }
  for (const { key, ...incident } of incidents.rows) of(key).incidents.push(incident)
  for (const { key, ...problem } of problems.rows) of(key).problems.push(problem)
  return told
}
