import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { identityOf, keyIdOf } from '#store/database/secrets.ts'
import { type Perigee, spawnPerigee } from '../support/perigee-process.ts'
import { serviceFolder } from '../support/service-folder.ts'
import { until } from '../support/until.ts'

type Ran = { code: number | string; out: string; err: string }

const statesSchema = z.object({
  keys: z.array(z.object({ id: z.string(), state: z.string(), is_known: z.boolean(), values: z.int() })),
})
const limits = {
  PERIGEE_WRITES_PER_MINUTE: '100000',
  PERIGEE_READS_PER_MINUTE: '100000',
  PERIGEE_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
}

async function run(environment: Record<string, string>, ...args: string[]): Promise<Ran> {
  const perigee = spawnPerigee({ args, environment })
  return { code: await perigee.ended(), out: perigee.stdout(), err: perigee.stderr() }
}

async function end(service: Perigee, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  service.child.kill(signal)
  await service.ended()
}

describe('perigee keys, on a data folder', async () => {
  const { path, dataFolder, start } = serviceFolder()
  const own = { PERIGEE_DATA_DIR: dataFolder }
  const passphraseFile = join(path, 'passphrase')
  writeFileSync(passphraseFile, 'correct horse battery\n')
  const before = ['--passphrase-file', passphraseFile]
  const backup = join(path, 'before.pgb')
  const idOf = (folder = dataFolder): string =>
    keyIdOf(identityOf(Buffer.from(readFileSync(join(folder, 'secret.key'), 'utf8'), 'base64')))
  const states = async (environment = own) =>
    statesSchema.parse(JSON.parse((await run(environment, 'keys', '--json')).out)).keys
  const begin = async (): Promise<{ service: Perigee; url: string }> => {
    const service = start(limits)
    const [, url = ''] = await service.printed(/^Perigee is at (http:\S+)$/m)
    return { service, url }
  }
  let { service, url } = await begin()
  const [, token = ''] = await service.printed(/shown only once: (pgk_[A-Za-z0-9]{40})$/m)
  const ask = async (method: string, at: string, body?: unknown): Promise<Response> =>
    fetch(`${url}/api/v1${at}`, {
      method,
      headers: { 'X-API-Key': token, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const make = async (name: string): Promise<string> => {
    const target = { kind: 'http', url: `http://127.0.0.1:1/${encodeURIComponent(name)}`, name, interval_seconds: 3600 }
    const sent = {
      request_headers: { authorization: 'Bearer hunter2' },
      request_body: 'hunter2',
      method: 'POST',
    }
    const made = await ask('POST', '/monitors', { ...target, ...sent })
    assert.equal(made.status, 201, await made.clone().text())
    return z.object({ data: z.object({ id: z.string() }) }).parse(await made.json()).data.id
  }
  const makeUntil = async (signal: AbortSignal): Promise<number> => {
    let made = 0
    for (; made < 3 || (!signal.aborted && made < 40); made += 1) await make(`while it changes ${made}`)
    return made
  }
  const first = idOf()
  await make('first')
  const heartbeat = await ask('POST', '/monitors', { kind: 'heartbeat', name: 'called', interval_seconds: 60 })
  const calledSchema = z.object({ heartbeat_url: z.string() })
  const callUrl = calledSchema.parse(await heartbeat.json()).heartbeat_url

  it('change the key of a service that runs and is written to', async () => {
    assert.equal((await run(own, 'backup', '--to', backup, ...before)).code, 0)
    const over = new AbortController()
    const [rotated, made] = await Promise.all([
      run(own, 'keys', 'rotate').finally(() => over.abort()),
      makeUntil(over.signal),
    ])
    assert.ok(made >= 3)
    assert.equal(rotated.code, 0, rotated.err)
    assert.match(rotated.out, /^Key [0-9a-f]{8} was made\.\nThe running service encrypts with it from now on\.\n/)
    assert.match(rotated.out, new RegExp(`"perigee keys retire ${first}" ends the change\\.\\n$`))
    assert.notEqual(idOf(), first)
    const [current, former] = await states()
    assert.deepEqual([current?.id, current?.state], [idOf(), 'current'])
    assert.deepEqual(former, { id: first, state: 'former', is_known: true, values: 0 })
    assert.equal((await fetch(callUrl, { method: 'POST' })).status, 200)
  })

  it('retire the former key, and neither the current one nor one that is none', async () => {
    const refused = [await run(own, 'keys', 'retire', idOf()), await run(own, 'keys', 'retire', '00000000')]
    assert.match(refused[0]?.err ?? '', /^Key [0-9a-f]{8} is the current one\./)
    assert.match(refused[1]?.err ?? '', /^There is no former key 00000000\./)
    const retired = await run(own, 'keys', 'retire', first)
    assert.match(retired.out, new RegExp(`^Key ${first} was retired`), retired.err)
    assert.throws(() => readFileSync(join(dataFolder, 'former-secret.keys')), { code: 'ENOENT' })
    assert.deepEqual(
      (await states()).map(({ id }) => id),
      [idOf()],
    )
    await end(service)
    ;({ service, url } = await begin())
    assert.equal((await fetch(callUrl.replace(new URL(callUrl).origin, url), { method: 'POST' })).status, 200)
  })

  it('are changed while nothing runs, and taken over by starts that are killed on the way', async () => {
    await end(service)
    const second = idOf()
    const rotated = await run(own, 'keys', 'rotate')
    assert.match(rotated.out, /The next start takes it over/, rotated.err)
    const third = idOf()
    const again = await run(own, 'keys', 'rotate')
    assert.match(again.out, new RegExp(`^The change to key ${third} was begun before, and goes on\\.`), again.err)
    assert.equal(idOf(), third, 'no other key is made')
    const refused = await run(own, 'keys', 'retire', second)
    assert.equal(refused.code, 1)

    ;({ service, url } = await begin())
    await end(service, 'SIGKILL')
    ;({ service, url } = await begin())
    await until('nothing needs the old key', async () =>
      (await states()).every(({ id, values }) => id === third || values === 0),
    )
    await make('afterwards')
  })

  it('a former key that is taken away too early is named by the start', async () => {
    await end(service)
    const [former, kept] = [join(dataFolder, 'former-secret.keys'), join(path, 'kept')]
    renameSync(former, kept)
    const failed = start(limits)
    assert.equal(await failed.ended(), 1)
    assert.match(failed.stderr(), /^The key [0-9a-f]{8} still encrypts stored secrets, and is not among the keys/)
    renameSync(kept, former)
  })

  it('a backup from before a change is restored with the keys of after it, and encrypted anew', async () => {
    const copy = join(path, 'copy')
    mkdirSync(copy)
    copyFileSync(join(dataFolder, 'secret.key'), join(copy, 'secret.key'))
    const there = { PERIGEE_DATA_DIR: copy }
    const refused = await run(there, 'restore', backup, ...before)
    assert.match(refused.err, new RegExp(`is not the key that the backup was made with, which has the id ${first}`))
    const key = join(path, 'first.key')
    assert.equal((await run(there, 'restore', backup, ...before, '--key-to', key)).code, 0)
    writeFileSync(join(copy, 'former-secret.keys'), readFileSync(key, 'utf8'))
    const restored = await run(there, 'restore', backup, ...before)
    assert.equal(restored.code, 0, restored.err)
    const running = spawnPerigee({ args: ['start'], environment: there })
    await running.printed(/Press Ctrl-C/)
    await until('nothing needs the key of the backup', async () => {
      const [current, former] = await states(there)
      assert.deepEqual([current?.id, former?.id], [idOf(), first])
      return former?.values === 0 && (current?.values ?? 0) > 0
    })
    await end(running)
  })
})

describe('perigee keys rotate, where the key is in the environment', () => {
  const key = Buffer.alloc(32, 3).toString('base64')
  const id = keyIdOf(identityOf(Buffer.alloc(32, 3)))

  it('prints a new key and what to do with it, and changes nothing', async () => {
    const ran = await run({ PERIGEE_SECRET_KEY: key }, 'keys', 'rotate')
    assert.equal(ran.code, 0, ran.err)
    const [, fresh = ''] = /^ {3}PERIGEE_SECRET_KEY=(\S+)$/m.exec(ran.out) ?? []
    assert.equal(Buffer.from(fresh, 'base64').length, 32)
    assert.match(ran.out, new RegExp(`perigee keys retire ${id}`))
    assert.doesNotMatch(ran.out, /PERIGEE_NEXT_SECRET_KEY/)
    assert.ok(!ran.out.includes(key), 'the present key is not printed')
  })

  it('has the new key known to several processes first, and writes it to a file where that is wished for', async () => {
    const { path } = serviceFolder()
    const several = { PERIGEE_DATABASE_URL: 'postgres://a@127.0.0.1/b', PERIGEE_NATS_URL: 'nats://127.0.0.1:4222' }
    const file = join(path, 'next.key')
    const ran = await run({ ...several, PERIGEE_SECRET_KEY: key }, 'keys', 'rotate', '--key-to', file)
    assert.equal(ran.code, 0, ran.err)
    const fresh = readFileSync(file, 'utf8').trim()
    assert.ok(!ran.out.includes(fresh))
    assert.ok(ran.out.indexOf(`PERIGEE_NEXT_SECRET_KEY_FILE=${file}`) < ran.out.indexOf('PERIGEE_FORMER_SECRET_KEYS'))
    const goingOn = { ...several, PERIGEE_SECRET_KEY: key, PERIGEE_NEXT_SECRET_KEY: fresh }
    const next = await run(goingOn, 'keys', 'rotate')
    assert.match(next.out, /^Key [0-9a-f]{8} is the one in PERIGEE_NEXT_SECRET_KEY\./, next.err)
    assert.ok(next.out.includes(fresh))
  })
})
