import assert from 'node:assert/strict'
import type { Database } from '#store/database/database.ts'
import { type Called, rhythm } from './callers.ts'

/**
 * Every call that was answered 200 is a result, once; of the others each is at most one, and nothing else is. A
 * reported failure was an incident from that moment on. No call was missed, and the next is due when it should be.
 * Gives the number of results.
 */
export async function assertCalls(database: Database, called: readonly Called[]): Promise<number> {
  const stored = await readStored(database, called)
  for (const each of called) assertCounted(each, stored.get(each.id) ?? [])
  await assertOpenedAtOnce(database)
  await assertDeadlines(database, called)
  return [...stored.values()].reduce((sum, { length }) => sum + length, 0)
}

type Stored = { id: string; at: Date; status: keyof Called['plain']; source: string; note: string | null }

async function readStored({ pool }: Database, called: readonly Called[]): Promise<Map<string, Stored[]>> {
  const { rows } = await pool.query<Stored>(
    `select
      m.id, r.round_at as at, case r.status when 'u' then 'up' when 'd' then 'down' else 'degraded' end as status,
      r.details ->> 'source' as source, r.details ->> 'note' as note
    from results r
    join monitors m on m.key = r.monitor_key
    where m.id = any($1::uuid[])
    order by r.round_at`,
    [called.map(({ id }) => id)],
  )
  return Map.groupBy(rows, ({ id }) => id)
}

function assertCounted({ id, plain, labelled, made }: Called, stored: readonly Stored[]): void {
  const missed = stored.find(({ source }) => source === 'missed')
  if (missed !== undefined) {
    const calls = made.map(({ at, suffix, outcome, tookMs }) => `${at} ${suffix} ${outcome} after ${tookMs} ms`)
    const results = stored.map(({ at, status, source }) => `${at.toISOString()} ${status} ${source}`)
    assert.fail(`a call to ${id} counts as missed; calls:\n${calls.join('\n')}\nresults:\n${results.join('\n')}`)
  }
  const notes = Map.groupBy(stored, ({ note }) => note)
  for (const [label, { status, isFail, isAnswered }] of labelled) {
    const [only, ...more] = notes.get(label) ?? []
    assert.equal(more.length, 0, `"${label}" counts ${more.length + 1} times`)
    if (only === undefined) assert.ok(!isAnswered, `"${label}" was answered 200 and is not counted`)
    else assert.deepEqual([only.status, only.source], [status, isFail ? 'fail' : 'ping'])
  }
  const others = Map.groupBy(
    stored.filter(({ note }) => note === null || !labelled.has(note)),
    ({ status }) => status,
  )
  for (const [status, { answered, unknown }] of Object.entries(plain)) {
    const count = [...others].find(([each]) => each === status)?.[1].length ?? 0
    assert.ok(
      count >= answered && count <= answered + unknown,
      `${count} calls to ${id} count as ${status}; ${answered} were answered 200, ${unknown} not`,
    )
  }
}

/** `/fail` and exit codes need no threshold; the alerts are looked at with all others. */
async function assertOpenedAtOnce({ pool }: Database): Promise<void> {
  const { rows } = await pool.query(
    `select m.name, r.round_at, r.details
    from results r
    join monitors m on m.key = r.monitor_key
    where r.details ->> 'source' = 'fail'
      and not exists (
        select
        from incidents i
        where i.monitor_id = m.id
          and i.started_at <= r.round_at
          and (i.resolved_at is null or i.resolved_at > r.round_at)
      )`,
  )
  assert.deepEqual(rows, [], 'reported failures without an incident')
}

async function assertDeadlines({ pool }: Database, called: readonly Called[]): Promise<void> {
  const { rows } = await pool.query<{ id: string; name: string; ahead: number }>(
    `select m.id, m.name, extract(epoch from s.deadline_at - s.round_at)::float8 as ahead
    from monitor_state s
    join monitors m on m.key = s.monitor_key
    where m.id = any($1::uuid[])`,
    [called.map(({ id }) => id)],
  )
  assert.equal(rows.length, called.length)
  const graces = new Map(called.map(({ id, graceSeconds }) => [id, graceSeconds]))
  for (const { id, name, ahead } of rows) {
    const expected = rhythm.intervalSeconds + (graces.get(id) ?? 0)
    assert.equal(ahead, expected, `the next call of ${name} is due ${ahead} s after the last`)
  }
}
