import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { testDatabase } from '../../../test/support/database.ts'
import { partitionBounds, partitionName } from './result-partitions.ts'
import { copyName } from './day-rewrites.ts'

const migration = readFileSync(new URL('../migrations/0011-result-versions.sql', import.meta.url), 'utf8')

describe('the versions of results', async () => {
  const { pool } = await testDatabase()

  it('come to the copy of a day that is being rewritten, so that it can take its place', async () => {
    const [under, done] = ['2026-03-01', '2026-03-02']
    await pool.query('alter table results drop column version')
    for (const day of [under, done]) {
      await pool.query(`create table ${partitionName(day)} (like results including all)`)
      await pool.query(`alter table results attach partition ${partitionName(day)} ${partitionBounds(day)}`)
    }
    await pool.query(`create table ${copyName(under)} (like results including all)`)
    await pool.query(`insert into day_rewrites (day, finished_at) values ($1, null), ($2, now())`, [under, done])
    await pool.query(migration)
    await pool.query(`
      alter table results detach partition ${partitionName(under)};
      alter table results attach partition ${copyName(under)} ${partitionBounds(under)}`)
    const columns = await pool.query(
      "select from information_schema.columns where table_name like 'results%' and column_name = 'version'",
    )
    const tables = await pool.query("select from pg_class where relname like 'results%' and relkind in ('r', 'p')")
    assert.equal(columns.rowCount, tables.rowCount)
  })
})
