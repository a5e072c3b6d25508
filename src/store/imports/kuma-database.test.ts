import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, suite, test } from 'node:test'
import { ImportError } from '#core/imports/imported.ts'
import { readKuma } from '#core/imports/kuma/kuma.ts'
import { writeKumaDatabase } from '../../../test/support/kuma-database.ts'
import { kumaExample } from '../../../test/support/kuma-example.ts'
import { readKumaDatabase } from './kuma-database.ts'

const now = new Date('2026-11-26T12:00:00Z')

suite("the reader of Uptime Kuma's database", () => {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'perigee-kuma-'))
  })
  after(() => rm(folder, { recursive: true }))

  test('reads a database of release 2 while it is written to', async () => {
    const file = join(folder, 'in-use.db')
    const database = writeKumaDatabase(file, 2, kumaExample)
    database.exec('pragma journal_mode = wal')
    database.exec("update monitor set name = 'Renamed' where id = 1")
    try {
      const { monitors } = readKuma(await readKumaDatabase(file), now)
      assert.equal(monitors[0]?.input.name, 'Renamed')
      assert.deepEqual(
        monitors[0].history.map(({ date, up, down }) => [date, up, down]),
        [
          ['2026-11-01', 1440, 0],
          ['2026-11-02', 1438, 2],
        ],
      )
    } finally {
      database.close()
    }
  })

  test('adds up the heartbeats of release 1 by days, without retries and maintenance', async () => {
    const beats: [time: string, status: number, ping: number | null][] = [
      ['2026-11-01 23:59:00.123', 1, 40],
      ['2026-11-01 23:59:30.123', 1, 60],
      ['2026-11-02 00:00:00.123', 0, null],
      ['2026-11-02 00:01:00.123', 2, null],
      ['2026-11-02 00:02:00.123', 3, null],
    ]
    const heartbeat = beats.map(([time, status, ping]) => ({ monitor_id: 1, time, status, ping }))
    const file = join(folder, 'release-1.db')
    writeKumaDatabase(file, 1, { ...kumaExample, heartbeat }).close()
    const { monitors } = readKuma(await readKumaDatabase(file), now)
    assert.deepEqual(monitors[0]?.history, [
      { date: '2026-11-01', checks: 2, up: 2, down: 0, restricted: 0, latencySumMs: 100, latencyCount: 2 },
      { date: '2026-11-02', checks: 1, up: 0, down: 1, restricted: 0, latencySumMs: 0, latencyCount: 0 },
    ])
  })

  test('finds the same in both releases, but for what the first one lacked', async () => {
    const files = [1, 2] as const
    const [first, second] = await Promise.all(
      files.map(async (release) => {
        const file = join(folder, `same-${release}.db`)
        writeKumaDatabase(file, release, { ...kumaExample, stat_daily: [] }).close()
        return readKuma(await readKumaDatabase(file), now)
      }),
    )
    const common = ['shop', 'shop-2', 'login-page', 'postgresql-port', 'router', 'backup', 'production', 'paused']
    for (const key of common) {
      const [one, other] = [first, second].map((file) => file?.monitors.find((monitor) => monitor.key === key))
      const { check_options: _options, ...plain } = one?.input ?? { check_options: {} }
      const { check_options: _others, ...same } = other?.input ?? { check_options: {} }
      assert.deepEqual(plain, same, key)
    }
    assert.deepEqual(first?.contacts, second?.contacts)
    assert.deepEqual(first?.maintenance, second?.maintenance)
  })

  test('leaves its copy nowhere', async () => {
    const file = join(folder, 'copied.db')
    writeKumaDatabase(file, 2, kumaExample).close()
    const temporary = await mkdtemp(join(folder, 'temporary-'))
    await readKumaDatabase(file, { temporary })
    assert.deepEqual(await readdir(temporary), [])
  })

  test('refuses what is no such file with a sentence', async () => {
    const text = join(folder, 'text.db')
    await writeFile(text, 'This is no database of SQLite, but a text that is long enough to look like one.'.repeat(20))
    await assert.rejects(readKumaDatabase(text), isRefusal(/cannot be read as a database of SQLite/))
    await assert.rejects(readKumaDatabase(join(folder, 'missing.db')), isRefusal(/missing\.db cannot be read/))
    const other = join(folder, 'other.db')
    const database = new DatabaseSync(other)
    database.exec('create table songs (id integer primary key)')
    database.close()
    const tables = await readKumaDatabase(other)
    assert.throws(() => readKuma(tables, now), isRefusal(/not an Uptime Kuma database/))
  })

  test('does not run what a view would have it do', async () => {
    const file = join(folder, 'view.db')
    const database = new DatabaseSync(file)
    database.exec(`create view monitor as
      with recursive endless (id) as (select 1 union all select id + 1 from endless) select id, 'http' as type from endless`)
    database.close()
    assert.deepEqual(await readKumaDatabase(file), {})
  })

  test('does not read pages that lead back to themselves, which SQLite would do without an end', async () => {
    for (const name of ['sqlite_schema', 'heartbeat']) {
      const file = join(folder, `${name}.db`)
      const database = writeKumaDatabase(file, 1, kumaExample)
      for (let more = 0; more < 100; more += 1)
        database.exec(`create table more_${more} (a, b, c, d, e, f, g, h, i, j)`)
      database.exec(`with recursive numbers (id) as (select 1 union all select id + 1 from numbers where id < 5000)
        insert into heartbeat (monitor_id, status, time) select 1, 1, '2026-11-01 00:00:00' from numbers`)
      const root = Number(
        database.prepare('select rootpage from sqlite_schema where name = ?').get(name)?.['rootpage'] ?? 1,
      )
      const pageSize = Number(database.prepare('pragma page_size').get()?.['page_size'])
      database.close()
      await leadBack(file, root, pageSize)
      await assert.rejects(readKumaDatabase(file), isRefusal(/damaged/), name)
    }
  })

  test('does not compute what a column is said to be', async () => {
    const file = join(folder, 'computed.db')
    const database = new DatabaseSync(file)
    database.exec('create table monitor (id integer primary key, name as (hex(zeroblob(id * 100000000))))')
    database.exec('insert into monitor (id) values (1)')
    database.close()
    await assert.rejects(readKumaDatabase(file), isRefusal(/damaged/))
  })
})

/** Has the last child of a page that leads to others be the page itself. */
async function leadBack(file: string, root: number, pageSize: number): Promise<void> {
  const bytes = await readFile(file)
  const at = (root - 1) * pageSize + (root === 1 ? 100 : 0)
  assert.equal(bytes[at], 5, 'The page leads to others.')
  bytes.writeUInt32BE(root, at + 8)
  await writeFile(file, bytes)
}

function isRefusal(message: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof ImportError && message.test(error.message)
}
