import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { postgresProcesses, processIdentity } from '#store/embedded/process-identity.ts'
import { type Perigee, spawnPerigee } from '../support/perigee-process.ts'
import { prepareData } from '../support/prepared-data.ts'
import { signalLeft } from '../support/signal.ts'
import { until } from '../support/until.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const isRoot = process.getuid?.() === 0
const folders: string[] = []
after(() => {
  for (const folder of folders) {
    for (const pid of postgresProcesses(join(realpathSync(folder), 'data', 'postgres'))) process.kill(pid, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
})

describe('perigee start', () => {
  it('says where it is and how to use it, works, and stops without a trace', async (t: TestContext) => {
    const folder = newFolder()
    const first = await start(folder, t)
    const token =
      (await first.perigee.printed(/API token with write scope, shown only once: (pgk_[A-Za-z0-9]{40})\n/))[1] ?? ''
    await first.perigee.printed(/curl http:\/\/127\.0\.0\.1:\d+\/api\/v1\/monitors -H 'X-API-Key: pgk_/)
    await first.perigee.printed(/Press Ctrl-C to stop\.\n/)
    assert.equal(await statusOf(first.url, token), 200)
    await stops(first.perigee, 'SIGTERM')
    assertNothingRuns(folder)
    const second = await start(folder, t)
    assert.ok(!second.perigee.stdout().includes('pgk_'), 'a token is shown once')
    assert.equal(await statusOf(second.url, token), 200)
    await stops(second.perigee, 'SIGINT')
    assertNothingRuns(folder)
  })

  it('sends a second start on its folder away, with its own pid and address', async () => {
    const folder = preparedFolder()
    const { perigee, url } = await start(folder)
    const second = spawnPerigee({ args: ['start'], environment: environmentOf(folder) })
    assert.equal(await second.ended(), 1)
    assert.equal(
      second.stderr(),
      `The data folder ${join(folder, 'data')} is in use by process ${perigee.child.pid}, which listens at ${url}; stop it first, or choose another folder with PERIGEE_DATA_DIR.\n`,
    )
    assert.equal(await statusOf(url, 'pgk_none'), 401)
    await stops(perigee, 'SIGTERM')
  })

  it('takes over the folder and the database of a start that was killed', async () => {
    const folder = preparedFolder()
    const first = await start(folder)
    const token = (await first.perigee.printed(/(pgk_[A-Za-z0-9]{40})\n/))[1] ?? ''
    const left = serversOf(folder)
    assert.ok(left.length > 0)
    first.perigee.child.kill('SIGKILL')
    assert.equal(await first.perigee.ended(), 'SIGKILL')
    const second = await start(folder)
    assert.ok(left.every((pid) => processIdentity(pid) === null))
    assert.equal(await statusOf(second.url, token), 200)
    await stops(second.perigee, 'SIGTERM')
    assertNothingRuns(folder)
  })

  it('goes on when its database is killed', async () => {
    const folder = preparedFolder()
    const { perigee, url } = await start(folder)
    const token = (await perigee.printed(/(pgk_[A-Za-z0-9]{40})\n/))[1] ?? ''
    const killed = serversOf(folder)
    for (const pid of killed) signalLeft(pid, 'SIGKILL')
    await until('it answers again', async () => (await statusOf(url, token)) === 200)
    assert.ok(serversOf(folder).every((pid) => !killed.includes(pid)))
    await stops(perigee, 'SIGTERM')
    assertNothingRuns(folder)
  })

  it('ends when its database is killed again and again', async () => {
    const folder = preparedFolder()
    const { perigee } = await start(folder)
    const killing = until('its end', () => {
      for (const pid of serversOf(folder)) signalLeft(pid, 'SIGKILL')
      return perigee.child.exitCode !== null
    })
    assert.equal(await perigee.ended(), 1)
    await killing
    assert.match(perigee.stderr(), /^PostgreSQL (?:ended more than 30 times within a minute|did not start) .+$/m)
    assert.doesNotMatch(perigee.stderr(), /This is a bug/)
    assertNothingRuns(folder)
  })

  it('takes one Ctrl-C that arrives twice for one wish', async () => {
    const folder = preparedFolder()
    const { perigee } = await start(folder)
    perigee.child.kill('SIGINT')
    await stops(perigee, 'SIGINT')
    assertNothingRuns(folder)
  })

  it('ends at once on a second wish', async () => {
    const folder = preparedFolder()
    const { perigee } = await start(folder)
    const servers = serversOf(folder)
    for (const pid of servers) process.kill(pid, 'SIGSTOP')
    // Signals that arrive at once count as the first one, after which the service still waits for its database, so the
    // test repeats them.
    await until('it is ended', () => {
      perigee.child.kill('SIGTERM')
      return perigee.child.exitCode !== null
    })
    assert.equal(await perigee.ended(), 143)
    for (const pid of servers) signalLeft(pid, 'SIGCONT')
    await until('the database has ended', () => serversOf(folder).length === 0)
  })

  it('watches the addresses it is given, each by one monitor, and prints their state', async () => {
    const target = createServer((_, response) => response.end('well'))
    await new Promise<void>((resolve) => {
      target.listen(0, '127.0.0.1', resolve)
    })
    after(() => target.close())
    const address = target.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
    const folder = preparedFolder()
    const environment = { PERIGEE_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' }
    const first = await start(folder, undefined, { args: [url, 'http://10.0.0.1'], environment })
    const token = (await first.perigee.printed(/(pgk_[A-Za-z0-9]{40})\n/))[1] ?? ''
    await first.perigee.printed(new RegExp(`^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\dZ  up +${url}\\n`, 'm'))
    assert.match(first.perigee.stderr(), /^http:\/\/10\.0\.0\.1 is not watched: .+\n$/)
    await stops(first.perigee, 'SIGTERM')
    const second = await start(folder, undefined, { args: [url], environment })
    await second.perigee.printed(new RegExp(`  up +${url}\\n`))
    const response = await fetch(`${second.url}/api/v1/monitors`, { headers: { 'x-api-key': token } })
    const { data } = z.looseObject({ data: z.array(z.looseObject({ url: z.string() })) }).parse(await response.json())
    assert.deepEqual(
      data.map((monitor) => monitor.url),
      [url],
    )
    await stops(second.perigee, 'SIGTERM')
  })

  for (const [how, stop] of [
    ['SIGTERM to npm', (perigee: Perigee) => perigee.child.kill('SIGTERM')],
    ['Ctrl-C in the terminal', (perigee: Perigee) => process.kill(-(perigee.child.pid ?? 0), 'SIGINT')],
  ] as const)
    it(`ends with ${how} under npm start`, async () => {
      const folder = preparedFolder()
      const npm = { file: 'npm', args: ['start', '--'] }
      const { perigee } = await start(folder, undefined, { command: npm, folder: repository, isGroup: true })
      stop(perigee)
      await perigee.ended()
      await until('the database has ended', () => serversOf(folder).length === 0)
    })
})

if (isRoot)
  describe('perigee start, by the user', () => {
    it('runs as root in a folder that only root may enter', async () => {
      const folder = newFolder()
      chmodSync(folder, 0o700)
      const { perigee } = await start(folder)
      await stops(perigee, 'SIGTERM')
      assertNothingRuns(folder)
    })

    for (const uid of [65_534, 12_345])
      it(`runs as user ${uid}`, async (t) => {
        const user = { uid, gid: uid }
        const folder = newFolder()
        chownSync(folder, uid, uid)
        const mayRead = spawnSync('test', ['-r', join(repository, 'bin', 'perigee.js')], user).status === 0
        if (!mayRead) {
          t.diagnostic('the checkout is closed to other users')
          return
        }
        const hasNamespaces = spawnSync('unshare', ['--user', '--map-user=65534', 'true'], user).status === 0
        if (uid !== 65_534 && !hasNamespaces) {
          const refused = spawnPerigee({ args: ['start'], environment: environmentOf(folder), user })
          assert.equal(await refused.ended(), 1)
          assert.match(refused.stderr(), /^The user 12345 has no entry in \/etc\/passwd/)
          return
        }
        const { perigee } = await start(folder, undefined, { user })
        await stops(perigee, 'SIGTERM')
        assertNothingRuns(folder)
      })
  })

describe('perigee token and perigee workspace', () => {
  it('work while the service runs', async () => {
    const folder = preparedFolder()
    const { perigee, url } = await start(folder)
    const token = (await run(folder, 'token', 'create', '--name', 'pipeline', '--scope', 'read')).trim()
    assert.match(token, /^pgk_[A-Za-z0-9]{40}$/)
    assert.equal(await statusOf(url, token), 200)
    const listed = await run(folder, 'token', 'list')
    const id = /^(\S+) +read +active +never +\S+ +pipeline$/m.exec(listed)?.[1] ?? assert.fail(listed)
    const asJson: unknown = JSON.parse(await run(folder, 'token', 'list', '--json'))
    assert.partialDeepStrictEqual(asJson, {
      tokens: [{ id, name: 'pipeline', scope: 'read', state: 'active', expires_at: null }],
    })
    // Without an address the service on the data folder is asked.
    const near = spawnPerigee({
      args: ['monitors', 'list', '--json'],
      environment: { ...environmentOf(folder), PERIGEE_TOKEN: token },
    })
    assert.deepEqual([await near.ended(), near.stdout()], [0, '{"monitors":[]}\n'])
    assert.equal(await run(folder, 'token', 'revoke', id), `Token ${id} is revoked.\n`)
    assert.equal(await statusOf(url, token), 401)
    await stops(perigee, 'SIGTERM')
  })

  it('work while it does not, and leave nothing running', async () => {
    const folder = newFolder()
    const none = spawnPerigee({ args: ['workspace', 'list'], environment: environmentOf(folder) })
    assert.equal(await none.ended(), 1)
    assert.match(none.stderr(), /^There is no database in .* yet\. Start Perigee once/)
    await stops((await start(folder)).perigee, 'SIGTERM')
    const id = (await run(folder, 'workspace', 'create', 'Second', '--plan', 'free')).trim()
    assert.equal(
      await run(folder, 'workspace', 'plan', 'Second', 'pro'),
      'The workspace "Second" is on the plan pro.\n',
    )
    assert.match(
      await run(folder, 'workspace', 'list'),
      new RegExp(`^${id} +pro +open +\\d{4}-\\d\\d-\\d\\d +Second$`, 'm'),
    )
    const asJson: unknown = JSON.parse(await run(folder, 'workspace', 'list', '--json'))
    assert.partialDeepStrictEqual(asJson, {
      workspaces: [
        { plan: 'pro', state: 'open' },
        { id, name: 'Second' },
      ],
    })
    const token = (await run(folder, 'token', 'create', '--name', 'x', '--scope', 'write', '--workspace', id)).trim()
    assert.match(await run(folder, 'migrate'), /^The database has the schema/)
    assertNothingRuns(folder)
    const { perigee, url } = await start(folder)
    assert.equal(await statusOf(url, token), 200)
    await stops(perigee, 'SIGTERM')
  })
})

type StartOptions = Partial<Parameters<typeof spawnPerigee>[0]>
type Started = { perigee: Perigee; url: string }

async function start(folder: string, t?: TestContext, options: StartOptions = {}): Promise<Started> {
  const startedAt = performance.now()
  const { args = [], environment = {}, ...rest } = options
  const perigee = spawnPerigee({
    args: [...(rest.command === undefined ? ['start'] : []), ...args],
    environment: { ...environmentOf(folder), ...environment },
    ...rest,
  })
  const [, url = ''] = await perigee.printed(/^Perigee is at (http:\/\/127\.0\.0\.1:\d+)$/m)
  t?.diagnostic(`listening after ${Math.round(performance.now() - startedAt)} ms`)
  return { perigee, url }
}

async function stops(perigee: Perigee, signal: NodeJS.Signals): Promise<void> {
  perigee.child.kill(signal)
  assert.equal(await perigee.ended(), 0, perigee.stderr())
}

/** Runs a command to its end and returns what it printed. */
async function run(folder: string, ...args: string[]): Promise<string> {
  const perigee = spawnPerigee({ args, environment: environmentOf(folder) })
  assert.equal(await perigee.ended(), 0, perigee.stderr())
  return perigee.stdout()
}

async function statusOf(url: string, token: string): Promise<number> {
  const response = await fetch(`${url}/api/v1/account`, { headers: { 'x-api-key': token } })
  await response.arrayBuffer()
  return response.status
}

function environmentOf(folder: string): Record<string, string> {
  return { PERIGEE_DATA_DIR: join(folder, 'data'), HOME: folder }
}

function serversOf(folder: string): number[] {
  return postgresProcesses(join(realpathSync(folder), 'data', 'postgres'))
}

function assertNothingRuns(folder: string): void {
  assert.deepEqual(serversOf(folder), [])
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-start-'))
  chmodSync(folder, 0o711)
  folders.push(folder)
  return folder
}

/** With data that only needs to be started. */
function preparedFolder(): string {
  const folder = newFolder()
  prepareData(join(folder, 'data'))
  return folder
}
