import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { freePort } from '../../test/support/free-port.ts'
import { spawnPerigee } from '../../test/support/perigee-process.ts'

const secretKey = Buffer.alloc(32, 3).toString('base64')
const database = { PERIGEE_DATABASE_URL: 'postgres://perigee:hush@127.0.0.1:1/perigee', PERIGEE_SECRET_KEY: secretKey }
const nats = { PERIGEE_NATS_URL: 'nats://127.0.0.1:1' }
const publicUrl = { PERIGEE_PUBLIC_URL: 'https://up.example.com' }

async function failure(role: string, environment: Record<string, string>): Promise<string> {
  const perigee = spawnPerigee({ args: [role], environment })
  assert.equal(await perigee.ended(), 1, perigee.stderr())
  assert.equal(perigee.stdout(), '')
  return perigee.stderr()
}

describe('a role in a process of its own', { concurrency: 2 }, () => {
  const lacking: [role: string, environment: Record<string, string>, missing: string][] = [
    ['api', {}, 'PERIGEE_DATABASE_URL and PERIGEE_NATS_URL and PERIGEE_PUBLIC_URL'],
    ['api', { ...database, ...publicUrl }, 'PERIGEE_NATS_URL'],
    ['api', { ...database, ...nats }, 'PERIGEE_PUBLIC_URL'],
    ['engine', database, 'PERIGEE_NATS_URL'],
    ['engine', nats, 'PERIGEE_DATABASE_URL'],
    ['jobs', publicUrl, 'PERIGEE_DATABASE_URL'],
    ['jobs', database, 'PERIGEE_PUBLIC_URL'],
    ['prober', {}, 'PERIGEE_NATS_URL'],
    ['browser-prober', {}, 'PERIGEE_NATS_URL'],
  ]
  for (const [role, environment, missing] of lacking)
    it(`says in one line that ${role} lacks ${missing}`, async () => {
      assert.equal(
        await failure(role, environment),
        `perigee ${role} needs ${missing}; "perigee start" runs everything without them.\n`,
      )
    })

  for (const role of ['api', 'engine', 'jobs'])
    it(`says in one line, without the password, that the database of ${role} cannot be reached`, async () => {
      const line = await failure(role, { ...database, ...nats, ...publicUrl })
      assert.match(line, /^PERIGEE_DATABASE_URL: the database perigee at 127\.0\.0\.1:1 cannot be used \(.*\)\.\n$/)
      assert.doesNotMatch(line, /hush/)
    })

  it('says in one line that the broker cannot be reached, once it was waited for', async () => {
    const port = await freePort()
    const line = await failure('prober', { PERIGEE_NATS_URL: `nats://127.0.0.1:${port}` })
    assert.match(line, new RegExp(`^.*127\\.0\\.0\\.1:${port}.*\\n$`))
  })

  it('explains itself', async () => {
    const perigee = spawnPerigee({ args: ['engine', '--help'] })
    assert.equal(await perigee.ended(), 0)
    assert.match(perigee.stdout(), /^perigee engine\n\nSchedules/)
  })

  it('takes no arguments', async () => {
    const perigee = spawnPerigee({ args: ['prober', 'ams'], environment: nats })
    assert.equal(await perigee.ended(), 2)
    assert.match(perigee.stderr(), /^prober takes no arguments\.\n\nperigee prober\n/)
  })
})
