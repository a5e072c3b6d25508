import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testDatabase } from './database.ts'
import { dumpOf, findSecrets } from './secret-search.ts'

const secret = 'pgk_"abc/def+ghi'

describe('the search for secrets', async () => {
  const database = await testDatabase()

  const texts: [string, string, boolean][] = [
    ['as it is', `it is ${secret}.`, true],
    ['in JSON', JSON.stringify({ token: secret }), true],
    ['in an address', `/claim?token=${encodeURIComponent(secret)}&x=1`, true],
    ['as bytes of PostgreSQL', `(\\x00${Buffer.from(secret).toString('hex')}ff,1)`, true],
    ['in base64', Buffer.from(secret).toString('base64'), true],
    ['in base64url', Buffer.from(secret).toString('base64url'), true],
    ['in part', secret.slice(0, -1), false],
    ['not at all', '', false],
  ]
  for (const [what, text, isThere] of texts)
    it(`${isThere ? 'finds one' : 'finds none'} that stands there ${what}`, () =>
      assert.deepEqual(
        findSecrets(new Map([[secret, 'a token']]), { log: text, other: 'x' }),
        isThere ? ['a token stands in log'] : [],
      ))

  const digits: [string, boolean][] = [
    ['code 123456', true],
    ['"123456"', true],
    ['(123456)', true],
    ['01:23:45.123456', false],
    ['1234567', false],
    ['\\xab123456cd', false],
  ]
  for (const [text, isThere] of digits)
    it(`takes ${text} for ${isThere ? 'six digits' : 'something else'}`, () =>
      assert.equal(findSecrets(new Map([['123456', 'a code']]), { log: text }).length, isThere ? 1 : 0))

  it('looks into every table of every schema', async () => {
    const { pool } = database
    await pool.query(`create schema "odd name"; create table "odd name"."T" (value bytea)`)
    await pool.query(`insert into "odd name"."T" values ($1)`, [Buffer.from(secret)])
    const dump = await dumpOf(pool)
    for (const table of ['people."user"', 'public.workspaces', 'graphile_worker._private_jobs'])
      assert.ok(table in dump, table)
    assert.deepEqual(findSecrets(new Map([[secret, 'a token']]), dump), ['a token stands in "odd name"."T"'])
  })
})
