import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import { checksOf } from '../../../test/support/check-stream.ts'
import { testApi } from '../../../test/support/api.ts'
import { dyingDatabase } from '../../../test/support/dying-database.ts'
import { addChecks, addHistoryMonitor, drain, readRows, type TestHistory } from '../../../test/support/history.ts'
import type { ResultRow } from '../../../test/support/merged-rows.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { until } from '../../../test/support/until.ts'
import { addDays, startOf } from '#core/language/utc-day.ts'
import { leafHash, rootOf } from '#core/proofs/merkle-tree.ts'
import { type HourLeaf, hourLeafSchema } from '#core/proofs/signed-history.ts'
import { isSignedHead } from '#core/proofs/verify-history.ts'
import { monitorOperations } from '#operations/monitors/monitors.ts'
import type { Database } from '#store/database/database.ts'
import { isDatabaseAway } from '#store/database/database-away.ts'
import { createSecrets } from '#store/database/secrets.ts'
import { signingKeys } from '#store/installation/signing-keys.ts'
import { forgetLinesBefore, forgetLinesOf, signNextDay } from './signed-days.ts'
import { sumUpNextHours } from './signed-hours.ts'

const minute = 60_000
const hour = 60 * minute
const day = '2031-03-10'
const start = startOf(day).getTime()

type Bench = {
  database: Database
  keys: ReturnType<typeof signingKeys>
  monitor: (checks?: readonly ResultRow[]) => Promise<TestHistory>
}

/** Signing begins with the day. */
async function benchOf(): Promise<Bench> {
  const api = await testApi({ maxConnections: 5, operations: monitorOperations })
  const { database } = api
  await sumUpNextHours(database, new Date(start))
  return {
    database,
    keys: signingKeys(database, createSecrets(randomBytes(32))),
    monitor: async (checks = []) => {
      const { id } = await createMonitor(api, { interval_seconds: 300, locations: ['amsterdam', 'boston'] })
      const history = await addHistoryMonitor(database, id)
      await addChecks(database, history, checks)
      return history
    },
  }
}

function checksUntil(to: number, seed = 1): ResultRow[] {
  return checksOf({ intervalMs: 300_000, locations: 2, seed }, { from: start, to })
}

async function sumUp(database: Database, now: number): Promise<void> {
  while ((await sumUpNextHours(database, new Date(now))) !== null);
}

async function untilDeath(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    assert.ok(isDatabaseAway(error), String(error))
  }
}

async function sign({ database, keys }: Bench): Promise<void> {
  while ((await signNextDay(database, keys)) !== null);
}

async function leavesOf(database: Database, { key }: TestHistory, of = day): Promise<HourLeaf[]> {
  const { rows } = await database.pool.query<{ lines: Buffer }>(
    'select lines from signed_days where monitor_key = $1 and day = $2',
    [key, of],
  )
  const text = inflateRawSync(rows[0]?.lines ?? assert.fail('nothing is signed')).toString()
  return text.split('\n').map((line) => hourLeafSchema.parse(JSON.parse(line)))
}

/** Everything that is signed, as text. */
async function signedState(database: Database): Promise<string> {
  const { rows } = await database.pool.query<{ text: string }>(
    `select to_jsonb(d)::text as text from signed_days d
    union all select to_jsonb(w)::text from signed_workspace_days w
    union all select to_jsonb(h)::text from signed_heads h
    order by 1`,
  )
  return rows.map(({ text }) => text).join('\n')
}

/** What docs/design/signed-history.md says of the hash of the rounds of an hour, in other words than the statement. */
function naiveHash(checks: readonly ResultRow[]): string {
  const lines = checks
    .toSorted((a, b) => a.round - b.round)
    .map((check) => {
      const error = check.error === null ? '-' : createHash('sha256').update(check.error).digest('hex')
      return `${check.round} ${check.status} ${check.statusCode ?? '-'} ${check.latencyMs ?? '-'} - 1 ${error}\n`
    })
  return createHash('sha256').update(lines.join('')).digest('hex')
}

describe('the signing of days', () => {
  it('has a leaf for every hour and location, with what the checks come to', async () => {
    const bench = await benchOf()
    const history = await bench.monitor(checksUntil(start + 24 * hour))
    await sumUp(bench.database, start + 27 * hour)
    await sign(bench)
    const leaves = await leavesOf(bench.database, history)
    assert.equal(leaves.length, 48)
    for (const leaf of leaves) {
      const location = leaf.location === 'amsterdam' ? 1 : 2
      const from = new Date(leaf.hour).getTime() * 1000
      const ofHour = history.checks.filter(
        (check) => check.location === location && check.round >= from && check.round < from + hour * 1000,
      )
      const countOf = (status: string): number => ofHour.filter((check) => check.status === status).length
      const timed = ofHour.flatMap(({ latencyMs }) => latencyMs ?? [])
      assert.deepEqual(leaf, {
        checks: ofHour.length,
        degraded: countOf('g'),
        down: countOf('d'),
        hour: leaf.hour,
        in_maintenance: 0,
        latency_count: timed.length,
        latency_sum_ms: timed.reduce((sum, each) => sum + each, 0),
        location: leaf.location,
        monitor: history.id,
        part: 'first',
        rounds: naiveHash(ofHour),
        up: countOf('u'),
      })
    }
  })

  it('waits until no result of the day can come any more', async () => {
    const bench = await benchOf()
    await bench.monitor(checksUntil(start + 24 * hour))
    await sumUp(bench.database, start + 26 * hour)
    assert.equal(await signNextDay(bench.database, bench.keys), null)
    await sumUp(bench.database, start + 26 * hour + 6 * minute)
    assert.deepEqual(await signNextDay(bench.database, bench.keys), { day, outcome: 'packed' })
  })

  it('names the day before in each head, days without a check too, and signs with the current key', async () => {
    const bench = await benchOf()
    await bench.monitor(checksUntil(start + 10 * hour))
    await sumUp(bench.database, start + 75 * hour)
    await sign(bench)
    const { rows } = await bench.database.pool.query(
      `select day::text, size, encode(root_hash, 'hex') as root, encode(previous_hash, 'hex') as previous, installation,
      key_id, signature from signed_heads order by day`,
    )
    const published = await bench.keys.publicKeys()
    let previous: string | null = null
    for (const [place, { key_id, signature, ...head }] of rows.entries()) {
      assert.deepEqual([head.day, head.previous], [addDays(day, place), previous])
      assert.ok(isSignedHead({ head, key_id, signature }, published))
      const text = JSON.stringify({
        day: head.day,
        installation: head.installation,
        previous: head.previous,
        root: head.root,
        size: head.size,
      })
      previous = createHash('sha256').update(text).digest('hex')
    }
    assert.deepEqual(
      rows.map(({ size }) => size),
      [1, 0, 0],
    )
    assert.equal(rows[1].root, createHash('sha256').digest('hex'))
  })

  it('puts the monitors of a workspace into its tree, in the order of their ids', async () => {
    const bench = await benchOf()
    for (let seed = 0; seed < 3; seed += 1) await bench.monitor(checksUntil(start + 3 * hour, seed))
    await sumUp(bench.database, start + 27 * hour)
    await sign(bench)
    const days = await bench.database.pool.query(
      `select monitor_id as monitor, encode(root_hash, 'hex') as root, size from signed_days order by monitor_id`,
    )
    const leaves = days.rows.map(({ monitor, root, size }) =>
      leafHash(Buffer.from(JSON.stringify({ monitor, root, size }))),
    )
    const workspaces = await bench.database.pool.query('select root_hash, size from signed_workspace_days')
    assert.deepEqual(workspaces.rows, [{ root_hash: rootOf(leaves), size: 3 }])
  })

  it('comes to the same wherever a process is killed, and however often it is run', { timeout: 120_000 }, async () => {
    const states: string[] = []
    for (const diesAt of [null, 1, 2, 3, 4, 5, 7, 9]) {
      const bench = await benchOf()
      const checks = checksUntil(start + 5 * hour)
      const history = await bench.monitor(checks)
      const dying = diesAt === null ? bench.database : dyingDatabase(bench.database, diesAt)
      for (let round = 0; round < 4; round += 1) {
        const now = new Date(start + 27 * hour)
        await untilDeath(() => Promise.all([sumUpNextHours(dying, now), sumUpNextHours(dying, now)]))
        await sumUpNextHours(bench.database, now)
      }
      // A connection that was ended may hold its lock a moment longer, on a busy machine: no step waits for one.
      await until('the hours are summed up', async () => {
        await sumUp(bench.database, start + 27 * hour)
        const { rows } = await bench.database.pool.query<{ hour: Date }>('select hour from signed_progress')
        return (rows[0]?.hour.getTime() ?? 0) >= start + 24 * hour
      })
      for (let round = 0; round < 4; round += 1)
        await untilDeath(() => Promise.all([signNextDay(dying, bench.keys), signNextDay(dying, bench.keys)]))
      await until('the day is signed', async () => {
        await sign(bench)
        return (await bench.database.pool.query('select from signed_heads')).rows.length === 1
      })
      const leaves = await leavesOf(bench.database, history)
      states.push(JSON.stringify(leaves).replaceAll(history.id, ''))
    }
    assert.equal(new Set(states).size, 1)
  })

  it('is not changed by merging, which waits for it', async () => {
    const bench = await benchOf()
    const history = await bench.monitor(checksUntil(start + 24 * hour))
    await sumUp(bench.database, start + 13 * hour)
    await drain(bench.database, new Date(start + 30 * hour))
    const rows = await readRows(bench.database, history.key)
    const single = rows.filter(({ repeats }) => repeats === 1).map(({ round }) => round / 1000)
    const merged = rows
      .filter(({ repeats }) => repeats > 1)
      .map(({ lastRound, round }) => Math.max(lastRound ?? 0, round) / 1000)
    const summed = start + 10 * hour
    assert.ok(merged.length > 0 && Math.max(...merged) < summed, 'nothing that is not summed up is merged')
    assert.equal(
      single.filter((round) => round >= summed).length,
      history.checks.filter(({ round }) => round >= summed * 1000).length,
    )
    await sumUp(bench.database, start + 30 * hour)
    await drain(bench.database, new Date(start + 30 * hour))
    await sign(bench)
    const leaves = await leavesOf(bench.database, history)
    assert.ok(leaves.every(({ part }) => part === 'first'))
    assert.equal(
      leaves.reduce((sum, { checks }) => sum + checks, 0),
      history.checks.length,
    )
  })

  it('has a second leaf for what was stored late', async () => {
    const bench = await benchOf()
    const checks = checksUntil(start + 4 * hour)
    const late = checks.filter(({ round }) => round >= (start + 2 * hour) * 1000 && round < (start + 2.5 * hour) * 1000)
    const history = await bench.monitor(checks.filter((check) => !late.includes(check)))
    await sumUp(bench.database, start + 10 * hour)
    await addChecks(bench.database, history, late)
    await sumUp(bench.database, start + 27 * hour)
    await sign(bench)
    const leaves = (await leavesOf(bench.database, history)).filter((leaf) => leaf.part === 'late')
    assert.deepEqual(
      leaves.map((leaf) => [leaf.hour, leaf.location, leaf.checks]),
      [
        [`${day}T02:00:00Z`, 'amsterdam', late.filter(({ location }) => location === 1).length],
        [`${day}T02:00:00Z`, 'boston', late.filter(({ location }) => location === 2).length],
      ],
    )
    const ofHour = checks.filter(
      ({ round, location }) =>
        location === 1 && round >= (start + 2 * hour) * 1000 && round < (start + 3 * hour) * 1000,
    )
    assert.equal(leaves[0]?.rounds, naiveHash(ofHour))
  })

  it('leaves out monitors that are gone, and keeps the root of those that were signed', async () => {
    const bench = await benchOf()
    const [kept, gone] = [
      await bench.monitor(checksUntil(start + hour)),
      await bench.monitor(checksUntil(start + hour, 2)),
    ]
    const early = await bench.monitor(checksUntil(start + hour, 3))
    await sumUp(bench.database, start + 27 * hour)
    await bench.database.pool.query('delete from monitors where id = $1', [early.id])
    await sign(bench)
    const before = await bench.database.pool.query('select * from signed_heads')
    await bench.database.pool.query('delete from monitors where id = $1', [gone.id])
    await forgetLinesOf(bench.database, String(gone.key))
    const { rows } = await bench.database.pool.query(
      'select monitor_key::float8 as key, lines is null as "isForgotten" from signed_days order by 1',
    )
    assert.deepEqual(rows, [
      { key: kept.key, isForgotten: false },
      { key: gone.key, isForgotten: true },
    ])
    assert.equal((await bench.database.pool.query('select from signed_hours')).rows.length, 0)
    assert.deepEqual((await bench.database.pool.query('select * from signed_heads')).rows, before.rows)
  })

  it('forgets the lines of old days alone', async () => {
    const bench = await benchOf()
    const history = await bench.monitor(checksUntil(start + 30 * hour))
    await sumUp(bench.database, start + 51 * hour)
    await sign(bench)
    const heads = (await signedState(bench.database)).split('\n').filter((row) => row.includes('installation'))
    assert.equal(await forgetLinesBefore(bench.database, addDays(day, 1)), 1)
    assert.equal(await forgetLinesBefore(bench.database, addDays(day, 1)), 0)
    assert.equal((await leavesOf(bench.database, history, addDays(day, 1))).length, 12)
    const after = (await signedState(bench.database)).split('\n').filter((row) => row.includes('installation'))
    assert.deepEqual(after, heads)
  })
})
