import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testDatabase } from '../../../test/support/database.ts'
import { createCommits } from './commits.ts'
import type { Transaction } from './database.ts'

const queue = `insert into match_queue (product) values ('nginx') on conflict do nothing`

const goOn = ({ client }: Transaction): Promise<unknown> => client.query('select 1 / 0').catch(() => null)

describe('a followed database', async () => {
  const database = await testDatabase()

  /** How often it told during this work. */
  async function toldBy(work: (tx: Transaction) => Promise<unknown>): Promise<number> {
    const commits = createCommits()
    await commits
      .follow(database)
      .transaction(async (tx) => {
        await work(tx)
        assert.equal(commits.count, 0, 'not before it is committed')
      })
      .catch(() => {})
    return commits.count
  }

  const cases: [what: string, work: (tx: Transaction) => Promise<unknown>, told: number][] = [
    ['a row that was written', ({ client }) => client.query(queue), 1],
    [
      'rows that were locked, which other processes may have waited for',
      ({ client }) => client.query('select from match_queue for update'),
      1,
    ],
    ['nothing that was only read', ({ client }) => client.query('select * from match_queue'), 0],
    ['no change of no row', ({ client }) => client.query('delete from match_queue where false'), 0],
    ['nothing that was taken back', ({ client }) => client.query(queue).then(() => Promise.reject(new Error('no'))), 0],
    ['what may have been committed when its connection broke', breakOff, 1],
  ]

  /** The answer to the commit does not come. */
  async function breakOff({ client }: Transaction): Promise<void> {
    await client.query(queue)
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
  }

  for (const [what, work, told] of cases) it(`tells ${what}`, async () => assert.equal(await toldBy(work), told))

  it('refuses to commit where a statement had failed and the work went on', async () => {
    await assert.rejects(createCommits().follow(database).transaction(goOn), /current transaction is aborted/)
  })

  it('gives back what the work of a transaction gives', async () => {
    assert.equal(
      await createCommits()
        .follow(database)
        .transaction(async () => 'done'),
      'done',
    )
  })
})

it('commits are told to each that asked, until it asks no more', () => {
  const commits = createCommits()
  const told: number[] = []
  const end = commits.onCommit(() => told.push(commits.count))
  commits.note()
  commits.note()
  end()
  commits.note()
  assert.deepEqual({ told, count: commits.count }, { told: [1, 2], count: 3 })
})
