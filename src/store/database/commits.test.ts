import assert from 'node:assert/strict'
import { it } from 'node:test'
import { testDatabase } from '../../../test/support/database.ts'
import { createCommits } from './commits.ts'

it('what a followed database has committed, or may have, is told', async () => {
  const database = await testDatabase({ maxConnections: 1 })
  const commits = createCommits()
  const followed = commits.follow(database)
  const told: number[] = []
  const end = commits.onCommit(() => told.push(commits.count))
  const done = await followed.transaction(async ({ client }) => {
    await client.query('select 1')
    assert.equal(commits.count, 0)
    return 'done'
  })
  assert.equal(done, 'done')
  await assert.rejects(
    followed.transaction(() => Promise.reject(new Error('no'))),
    /^Error: no$/,
  )
  await database.transaction(async () => {})
  commits.note()
  end()
  commits.note()
  assert.deepEqual({ told, count: commits.count }, { told: [1, 2, 3], count: 4 })
})
