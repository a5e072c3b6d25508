// A clock that a test sets, for a whole service and its PostgreSQL, and for nothing else on this machine (libfaketime).
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, globSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { findPrograms } from '#store/embedded/embedded-programs.ts'
import { prepareData } from '../prepared-data.ts'
import { until } from '../until.ts'

export type FalseClock = {
  /** Settings of a service that lives by this clock. */
  environment: Readonly<Record<string, string>>
  /** Sets the clock to so many seconds ahead of the machine's. It goes on from there. */
  set: (seconds: number) => void
}

/** `folder` is one that every user may pass through. */
export async function startFalseClock(folder: string): Promise<FalseClock> {
  const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')
  if (library === undefined) throw new Error('libfaketime is missing: run the tests with "npm run test:faults".')
  const clock = join(folder, 'clock')
  const set = (seconds: number): void => {
    // Another file in its place: a reader never sees half of it.
    writeFileSync(`${clock}.next`, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}`, { mode: 0o644 })
    renameSync(`${clock}.next`, clock)
  }
  set(0)
  const faked = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: clock,
    // All processes see a change at the same moment.
    FAKETIME_NO_CACHE: '1',
    // A machine whose clock is set goes on counting.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DISABLE_SHM: '1',
  }
  const sockets = await startPostgres(folder, faked)
  return {
    environment: {
      ...faked,
      // A process of their own would be given nothing of the clock.
      PERIGEE_PROBER_PROCESS: 'off',
      PERIGEE_DATABASE_URL: `postgres://perigee@localhost/postgres?host=${encodeURIComponent(sockets)}`,
    },
    set,
  }
}

/** The embedded one hands no environment on, so this one is the test's own. Returns the folder of its socket. */
async function startPostgres(folder: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const { server } = findPrograms()
  const prepared = join(folder, 'prepared')
  prepareData(prepared)
  const cluster = join(prepared, 'postgres')
  const { uid, gid } = statSync(cluster)
  writeFileSync(join(cluster, 'pg_hba.conf'), 'local all all trust\n')
  appendFileSync(
    join(cluster, 'postgresql.conf'),
    `\nlisten_addresses = ''\nfsync = off\ntrack_commit_timestamp = on\n`,
  )
  execFileSync('chmod', ['711', prepared])
  const sockets = join(folder, 'sockets')
  mkdirSync(sockets, { mode: 0o777 })
  execFileSync('chown', [`${uid}:${gid}`, sockets])
  const postgres = spawn(server, ['-D', cluster, '-k', sockets], {
    uid,
    gid,
    cwd: '/',
    env: { LC_ALL: 'C.UTF-8', TZ: 'UTC', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  postgres.stderr.on('data', (bytes: Buffer) => (said = (said + bytes.toString()).slice(-4_000)))
  const kill = (): void => void postgres.kill('SIGQUIT')
  process.once('exit', kill)
  after(async () => {
    process.off('exit', kill)
    if (postgres.exitCode !== null || postgres.signalCode !== null) return
    const ended = once(postgres, 'exit')
    kill()
    await ended
  })
  await until(
    () => `PostgreSQL to be ready: ${said}`,
    () => /ready to accept connections/.test(said),
  )
  return sockets
}
