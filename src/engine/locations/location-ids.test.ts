import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createLocationIds } from './location-ids.ts'

it('locations have numbers once they are learnt, and the table is read again for unknown ones once a second', async () => {
  const table = new Map([['ams', 1]])
  let [nowMs, reads] = [50_000, 0]
  const readLocationIds = async (): Promise<Map<string, number>> => {
    reads += 1
    return new Map(table)
  }
  const ids = createLocationIds({ readLocationIds }, () => nowMs)
  assert.equal(ids.idOf('ams'), undefined)
  await ids.learn(['ams', 'nyc', 'sin'])
  assert.deepEqual([ids.idOf('ams'), ids.idOf('nyc'), reads], [1, undefined, 1])
  table.set('nyc', 2)
  nowMs += 999
  await ids.learn(['nyc'])
  assert.deepEqual([ids.idOf('nyc'), reads], [undefined, 1])
  nowMs += 1
  await ids.learn(['nyc'])
  assert.deepEqual([ids.idOf('nyc'), reads], [2, 2])
  nowMs += 5_000
  await ids.learn(['ams', 'nyc'])
  assert.equal(reads, 2, 'both are known')
})
