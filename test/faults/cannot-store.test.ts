import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { Client } from 'pg'
import { runningConnection } from '#store/embedded/embedded.ts'
import { type Callers, startCallers } from '../support/faults/callers.ts'
import { expectTold, underFault } from '../support/faults/fault-report.ts'
import { postmasterOf } from '../support/postmaster.ts'
import { type FaultyService, startFaultyService } from '../support/faults/faulty-service.ts'
import { watchStarvation } from '../support/faults/starvation.ts'
import { httpServer } from '../support/http-server.ts'
import { pause } from '../support/pause.ts'
import { signalBoth } from '../support/probers-apart.ts'
import { until } from '../support/until.ts'

const intervalMs = 10_000
const timeoutMs = 5_000
const graceMs = 5_000
const slackMs = 10_000
const lastingMs = 35_000
/** A call that cannot be stored is answered so soon, and so long after it began a fault is told. */
const answerMs = 2_000
/** Where other programs kept the processor away in more of the seconds, times say nothing of the service. */
const maxStarvedShare = 0.05
const toldMs = 30_000

type Bench = {
  disk: SmallDisk
  target: FlippingTarget
  service: FaultyService
  callers: Callers
  postgres: Postgres
}

const faults: readonly { what: string; begin: (bench: Bench) => unknown; end: (bench: Bench) => unknown }[] = [
  { what: 'its disk is full', begin: ({ disk }) => disk.fill(), end: ({ disk }) => disk.empty() },
  {
    what: 'its database takes no changes',
    begin: ({ postgres }) => postgres.setReadOnly('on'),
    end: ({ postgres }) => postgres.setReadOnly('off'),
  },
  {
    what: 'its database stands still',
    begin: ({ postgres }) => postgres.signal('SIGSTOP'),
    end: ({ postgres }) => postgres.signal('SIGCONT'),
  },
]

/** Each has a service of its own, so that the longest of them is waited for and not all. */
describe('a service that cannot store', { concurrency: true }, () => {
  for (const { what, begin, end } of faults)
    it(`says so while ${what}, and opens no incident`, { timeout: 200_000 }, async (t) => {
      const bench = await watching()
      const { service, callers } = bench
      const starvation = watchStarvation([process.pid, service.perigee.child.pid ?? 0])
      const looks = setInterval(starvation.look, 1_000)
      t.after(() => clearInterval(looks))
      await underFault(what, async (outcome) => {
        const beganAt = performance.now()
        try {
          await begin(bench)
          await until('it says that it is not ready', async () => (await service.ready()) === 503, toldMs)
          await until('it tells its operator', async () => (await service.troubles()).length > 0, toldMs)
          outcome.told = await service.troubles()
          await pause(lastingMs - (performance.now() - beganAt))
        } finally {
          await end(bench)
        }
        await until('it is ready', async () => (await service.ready()) === 200, 60_000)
        await service.untilAllUp(new Date(), 60_000)
        await pause(intervalMs + graceMs)
        outcome.falseIncidents = await service.incidentsBeside()
        outcome.lost = await callers.lost()
        const share = starvation.share()
        t.diagnostic(
          `the slowest call took ${callers.slowestMs().toFixed()} ms; starved in ${share.toFixed(2)} of the seconds`,
        )
        if (share <= maxStarvedShare)
          assert.ok(callers.slowestMs() < answerMs, `a call was answered after ${callers.slowestMs()} ms`)
      })
    })

  it('opens no incident for the time in which it stood still itself', { timeout: 200_000 }, async () => {
    const { service, callers } = await watching()
    await underFault('it stands still itself', async (outcome) => {
      const pid = service.perigee.child.pid ?? assert.fail('it has no pid')
      signalBoth(pid, 'SIGSTOP')
      await pause(lastingMs)
      signalBoth(pid, 'SIGCONT')
      await service.untilAllUp(new Date(), 60_000)
      await pause(intervalMs + graceMs)
      outcome.falseIncidents = await service.incidentsBeside()
      outcome.lost = await callers.lost()
    })
  })

  it('tells an outage that began meanwhile', { timeout: 200_000 }, async () => {
    const { disk, target, service, callers } = await watching()
    await underFault('its disk is full and a target goes down', async (outcome) => {
      disk.fill()
      await until('it says that it is not ready', async () => (await service.ready()) === 503, toldMs)
      outcome.told = await service.troubles()
      target.take('/two')
      await pause(20_000)
      disk.empty()
      await expectTold(outcome, 'two', {
        withinMs: intervalMs + timeoutMs + slackMs,
        isTold: () => service.isDown('two'),
      })
      outcome.falseIncidents = await service.incidentsBeside('two')
      outcome.lost = await callers.lost()
    })
  })
})

/** A service that watches targets and takes calls while all is well. */
async function watching(): Promise<Bench> {
  const disk = smallDisk()
  const target = await flippingTarget()
  const service = await startFaultyService(disk.folder, { environment: { PERIGEE_ALLOW_PRIVATE_TARGETS: 'true' } })
  const callers = startCallers(() => service)
  for (const name of ['one', 'two', 'three'])
    await service.ask('POST', '/monitors', {
      name,
      url: `${target.url}/${name}`,
      interval_seconds: intervalMs / 1_000,
      timeout_ms: timeoutMs,
    })
  for (const name of ['four', 'five', 'six'])
    await callers.begin(name, { interval_seconds: intervalMs / 1_000, heartbeat_grace_seconds: graceMs / 1_000 })
  await service.untilAllUp(new Date(), 60_000)
  assert.equal(await service.ready(), 200)
  assert.deepEqual(await service.troubles(), [])
  callers.forget()
  return { disk, target, service, callers, postgres: postgresOf(disk.folder) }
}

type SmallDisk = { folder: string; fill: () => void; empty: () => void }

/** A file system in memory, of some hundred megabytes, that can be full. */
function smallDisk(): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=711', 'perigee-faults', folder])
  const unmount = (): void => {
    execFileSync('umount', ['--lazy', folder])
    rmdirSync(folder)
  }
  process.once('exit', unmount)
  after(() => {
    process.off('exit', unmount)
    unmount()
  })
  const filler = join(folder, 'filler')
  return {
    folder,
    fill: () => {
      const { bavail, bsize } = statfsSync(folder)
      try {
        writeFileSync(filler, Buffer.alloc(bavail * bsize))
      } catch (error) {
        // PostgreSQL took some of the room meanwhile, so it is full as well.
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      }
    },
    empty: () => rmSync(filler),
  }
}

type Postgres = {
  signal: (name: 'SIGSTOP' | 'SIGCONT') => void
  setReadOnly: (value: 'on' | 'off') => Promise<void>
}

/** The service's own PostgreSQL, with all its processes. */
function postgresOf(folder: string): Postgres {
  return {
    signal: (name) => {
      const pid = postmasterOf(join(folder, 'data'))
      for (const each of [pid, ...childrenOf(pid)]) if (existsSync(`/proc/${each}`)) process.kill(each, name)
    },
    setReadOnly: async (value) => {
      const { socketFolder: host, ...connection } = runningConnection(join(folder, 'data'))
      const client = new Client({ host, ...connection })
      await client.connect()
      await client.query(`alter system set default_transaction_read_only = ${value}`)
      await client.query('select pg_reload_conf()')
      await client.end()
    },
  }
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

type FlippingTarget = { url: string; take: (path: string) => void }

async function flippingTarget(): Promise<FlippingTarget> {
  const gone = new Set<string>()
  const { port } = await httpServer((request, response) => {
    response.writeHead(gone.has(request.url ?? '') ? 500 : 200).end()
  })
  return { url: `http://127.0.0.1:${port}`, take: (path) => void gone.add(path) }
}
