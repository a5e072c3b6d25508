import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { testDatabase } from '../../../test/support/database.ts'
import { spawnPerigee } from '../../../test/support/perigee-process.ts'
import { prepareData } from '../../../test/support/prepared-data.ts'

const password = 'of-no-superuser'

describe('a PostgreSQL of its own, by a role that is no superuser', async () => {
  const server = await testDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'perigee-external-'))
  // The PostgreSQL of a root user runs as another one, who has to pass through.
  chmodSync(folder, 0o711)
  const original = join(folder, 'original')
  prepareData(original)
  const owner = `owner_${randomUUID().replaceAll('-', '')}`
  const { pool } = server
  await pool.query(`create role ${owner} login nosuperuser nocreaterole nocreatedb password '${password}'`)
  await pool.query(`create database ${owner} owner ${owner} template template0`)
  after(async () => {
    rmSync(folder, { recursive: true, force: true })
    await pool.query(`drop database ${owner} with (force)`)
    await pool.query(`drop role ${owner}`)
  })
  const socket = encodeURIComponent(process.env['PERIGEE_TEST_SOCKET'] ?? '')
  const external = { PERIGEE_DATABASE_URL: `postgres://${owner}:${password}@localhost/${owner}?host=${socket}` }

  async function run(environment: Record<string, string>, ...args: string[]) {
    const perigee = spawnPerigee({ args, environment: { PERIGEE_DATA_DIR: join(folder, 'data'), ...environment } })
    return { code: await perigee.ended(), out: perigee.stdout(), err: perigee.stderr() }
  }

  it('takes a backup of an embedded one, and gives one that the next restore takes', async () => {
    const fromEmbedded = join(folder, 'embedded.pgb')
    const fromExternal = join(folder, 'external.pgb')
    const taken = await run({ PERIGEE_DATA_DIR: original }, 'backup', '--to', fromEmbedded)
    assert.equal(taken.code, 0, taken.err)
    const key = { PERIGEE_SECRET_KEY: randomBytes(32).toString('base64') }
    const restored = await run({ ...external, ...key }, 'restore', fromEmbedded)
    assert.match(restored.out, /\npartitions +64 +the same\n/)
    const again = await run({ ...external, ...key }, 'backup', '--to', fromExternal)
    assert.equal(again.code, 0, again.err)
    const target = join(folder, 'target')
    const back = await run({ PERIGEE_DATA_DIR: target, ...key }, 'restore', fromExternal)
    assert.match(back.out, /\npartitions +64 +the same\n/)
    const { err } = await run({ ...external, ...key }, 'status')
    assert.match(err, /was restored from a backup/)
  })
})
