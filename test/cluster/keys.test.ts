// A change of the secret key in several processes, step by step as docs/operating.md has it, while everything goes on.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { identityOf, keyIdOf } from '#store/database/secrets.ts'
import { countSealed } from '#store/installation/sealed-counts.ts'
import { type Answered, type Asked, createBalancer, startCalls } from '../support/cluster/daily-calls.ts'
import { type Member, ownerToken, startInstallation } from '../support/cluster/installation.ts'
import { noPlaceApart } from '../support/cluster/place-apart.ts'
import { startSecretTargets } from '../support/cluster/secret-targets.ts'
import { startMailServer } from '../support/mail-server.ts'
import { noNatsServer } from '../support/nats-server.ts'
import { spawnPerigee } from '../support/perigee-process.ts'
import { startReceiver } from '../support/receiver.ts'
import { verifySigned } from '../support/signed-message.ts'
import { until } from '../support/until.ts'
import { textOf } from '../flow/mails.ts'

const owner = { email: 'owner@example.com', password: 'correct horse battery staple' }
const publicUrl = 'http://perigee.example'
const withToken = { 'X-API-Key': ownerToken }
const often = { interval_seconds: 10, timeout_ms: 5_000, failure_threshold: 1 }
const madeSchema = z.looseObject({ data: z.looseObject({ id: z.string() }), signing_secret: z.string().nullish() })
const pageSchema = z.looseObject({ data: z.array(z.unknown()), next_cursor: z.string().nullable() })
const alertSchema = z.looseObject({ type: z.string(), data: z.looseObject({}) })

describe('a change of the secret key of several processes', { skip: noNatsServer }, async () => {
  const receiver = await startReceiver()
  const mail = await startMailServer()
  const targets = await startSecretTargets()
  const installation = await startInstallation({
    locations: ['amsterdam'],
    apart: noPlaceApart,
    counts: { api: 2, engine: 1, jobs: 1, probersEach: 1 },
    environment: {
      PERIGEE_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
      PERIGEE_PUBLIC_URL: publicUrl,
      PERIGEE_OWNER_EMAIL: owner.email,
      PERIGEE_OWNER_PASSWORD: owner.password,
      PERIGEE_SMTP_URL: mail.url,
      PERIGEE_READS_PER_MINUTE: '100000',
      PERIGEE_WRITES_PER_MINUTE: '100000',
      PERIGEE_PLANS: JSON.stringify({ pro: { slots: 500 } }),
    },
    reference: targets.address,
  })
  const { database, environment } = installation
  const ask = createBalancer(installation.of('api').map(({ url }) => url))
  const api = (path: string, more: Omit<Asked, 'path' | 'headers'> = {}): Promise<Answered> =>
    ask({ path: `/api/v1${path}`, headers: withToken, ...more })

  it(
    'is made while checks, alerts, sessions and tokens go on, and ends what it says',
    { timeout: 300_000 },
    async () => {
      await until(
        'its location is known',
        async () => (await database.pool.query('select from locations')).rowCount === 1,
      )
      const oldKey = environment['PERIGEE_SECRET_KEY'] ?? assert.fail()
      const oldId = idOf(oldKey)
      const signingSecret = (await make('alert-channels', { kind: 'webhook', name: 'hook', destination: receiver.url }))
        .signing_secret
      const hook = await idOfContact('hook')
      for (const number of [1, 2, 3]) await make('monitors', { ...targets.monitorOf(number), ...often })
      const [session, idle] = [await signIn(), await signIn()]
      for (const each of [session, idle]) assert.match((await asPerson(each)).body, /^\{"data"/)
      const [link, later] = [await linkTo('one@example.com'), await linkTo('two@example.com')]
      const cursor = pageSchema.parse(JSON.parse((await api('/monitors?limit=1')).body)).next_cursor ?? assert.fail()
      const calls = startCalls({
        token: { everyMs: 100, make: () => api('/monitors?limit=5') },
        session: { everyMs: 100, make: () => asPerson(session) },
        write: { everyMs: 1_000, make: (times) => api('/monitors', created(targets.monitorOf(100 + times))) },
        alert: { everyMs: 1_000, make: () => api(`/alert-channels/${hook}/test`, { method: 'POST' }) },
      })

      const fresh = await rotate()
      await around(1, () => roll({ PERIGEE_NEXT_SECRET_KEY: fresh }))
      const kept = { PERIGEE_SECRET_KEY: fresh, PERIGEE_FORMER_SECRET_KEYS: oldKey }
      await around(2, () => roll(kept))
      assert.deepEqual(calls.failures, [])
      await until('nothing needs the old key', async () => (await valuesOf(oldId)) === 0, 60_000)
      assert.ok((await valuesOf(idOf(fresh))) > 0)
      assert.deepEqual(await pressed(link), [200, false], 'a link from before')
      assert.match((await asPerson(idle)).body, /^\{"data"/, 'a session from before')
      assert.equal((await api(`/monitors?limit=1&cursor=${cursor}`)).status, 200, 'a cursor from before')

      assert.match(await keys(kept, 'retire', oldId), new RegExp(`^Key ${oldId} was retired`))
      const counts = await calls.stop()
      await around(3, () => roll({ PERIGEE_SECRET_KEY: fresh }))
      assert.notEqual((await pressed(later))[0], 200, 'a link of the retired key')
      assert.equal((await asPerson(idle)).status, 401, 'a session of the retired key')
      assert.equal((await api(`/monitors?limit=1&cursor=${cursor}`)).status, 400, 'a cursor of the retired key')
      assert.equal((await asPerson(await signIn())).status, 200)
      assert.deepEqual([await valuesOf(oldId), calls.failures, targets.problems], [0, [], []])
      for (const name of ['token', 'session', 'write', 'alert']) assert.ok((counts[name] ?? 0) >= 5, `${name} was made`)
      for (const each of receiver.received) verifySigned(signingSecret ?? assert.fail(), each)
      for (const { role, stderr } of installation.members)
        assert.doesNotMatch(stderr(), /"level":"(?:error|fatal)"/, role)
    },
  )

  async function make(at: string, body: object): Promise<z.infer<typeof madeSchema>> {
    const answer = await api(`/${at}`, { method: 'POST', body })
    assert.equal(answer.status, 201, answer.body)
    return madeSchema.parse(JSON.parse(answer.body))
  }

  async function idOfContact(name: string): Promise<string> {
    const list = z.object({ data: z.array(z.looseObject({ id: z.string(), name: z.string() })) })
    const { data } = list.parse(JSON.parse((await api('/alert-channels')).body))
    return data.find((contact) => contact.name === name)?.id ?? assert.fail()
  }

  async function signIn(): Promise<string> {
    const headers = { Origin: publicUrl }
    const answer = await ask({ method: 'POST', path: '/auth/sign-in/email', headers, body: owner })
    assert.equal(answer.status, 200, answer.body)
    return answer.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ')
  }

  function asPerson(cookie: string): Promise<Answered> {
    const headers = { Origin: publicUrl, Cookie: cookie, 'X-Perigee-Workspace': 'mine' }
    return ask({ path: '/api/v1/sessions', headers })
  }

  /** By which an address is confirmed; the path of it. */
  async function linkTo(address: string): Promise<string> {
    await make('alert-channels', { kind: 'email', name: address, destination: address })
    await until('the mail that asks for it', () => mail.received.some(({ to }) => to.includes(address)), 60_000)
    const letter = mail.received.find(({ to }) => to.includes(address)) ?? assert.fail()
    const [link] = /\/contacts\/confirm\/[\w.-]+/.exec(textOf(letter)) ?? []
    return link ?? assert.fail(letter.raw)
  }

  /** The status, and whether it is still to be pressed. */
  async function pressed(path: string): Promise<[number, boolean]> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { status, body } = await ask({ method: 'POST', path, headers })
    return [status, body.includes('<form')]
  }

  async function rotate(): Promise<string> {
    const file = join(environment['PERIGEE_DATA_DIR'] ?? assert.fail(), 'next.key')
    const said = await keys({ PERIGEE_NATS_URL: 'nats://127.0.0.1:1' }, 'rotate', '--key-to', file)
    assert.match(said, /PERIGEE_NEXT_SECRET_KEY_FILE/)
    return readFileSync(file, 'utf8').trim()
  }

  async function keys(changes: Readonly<Record<string, string>>, ...args: string[]): Promise<string> {
    const ran = spawnPerigee({ args: ['keys', ...args], environment: { ...environment, ...changes } })
    assert.equal(await ran.ended(), 0, ran.stderr())
    return ran.stdout()
  }

  /** One API after the other; the location knows no key. */
  async function roll(changes: Readonly<Record<string, string>>): Promise<void> {
    const [first, second] = installation.of('api')
    const [[engine], [jobs]] = [installation.of('engine'), installation.of('jobs')]
    for (const pair of [
      [first, engine],
      [second, jobs],
    ])
      await Promise.all(pair.map((member = assert.fail()) => restart(member, changes)))
  }

  /** A target fails meanwhile, which is told as soon as the processes are there again. */
  async function around(number: number, work: () => Promise<void>): Promise<void> {
    targets.fail(number)
    await work()
    const before = targets.asked(number)
    const isTold = (): boolean => receiver.received.some(({ body }) => isOutageOf(number, body))
    await until(`the outage of ${number} is told`, isTold, 60_000)
    await until(`${number} is checked again`, () => targets.asked(number) > before, 60_000)
  }

  async function valuesOf(keyId: string): Promise<number> {
    const counted = await countSealed(database)
    return counted.reduce((sum, each) => sum + (each.keyId === keyId ? each.values : 0), 0)
  }
})

async function restart(member: Member, changes: Readonly<Record<string, string>>): Promise<void> {
  member.signal('SIGTERM')
  assert.equal(await member.ended(), 0, member.stderr())
  await member.start(changes)
}

function created(monitor: object): { method: string; body: object } {
  return { method: 'POST', body: { ...monitor, interval_seconds: 3_600 } }
}

function isOutageOf(number: number, body: string): boolean {
  const { type, data } = alertSchema.parse(JSON.parse(body))
  return type === 'monitor.down' && JSON.stringify(data).includes(`target ${number}"`)
}

function idOf(key: string): string {
  return keyIdOf(identityOf(Buffer.from(key, 'base64')))
}
