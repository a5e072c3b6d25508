// The service as an operator starts it, in a process of its own on a data folder of the bench's own.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Database, openDatabase } from '#store/database/database.ts'
import { runningConnection } from '#store/embedded/embedded.ts'
import { startChild } from './child.ts'
import { createInstallation, type Seed } from './installation.ts'

export type Service = {
  pid: number
  url: string
  /** A token of write scope. */
  token: string
  workspaceId: string
  /** From its process's start until it listened, in milliseconds. */
  startedInMs: number
  /** The running service's own database. */
  database: Database
}

export type ServiceOptions = {
  environment?: Record<string, string>
  /** In place of `perigee start`; prints the same first line. */
  program?: string
  /** A minute unless told. */
  startWithinMs?: number
  /** Writes what the service shall find at its start. */
  seed: (seed: Seed) => Promise<void>
}

const perigee = fileURLToPath(new URL('../../bin/perigee.js', import.meta.url))
const startMs = 60_000
const stopMs = 30_000

/** Everything is gone again when `work` has ended, well or not. */
export async function withService<T>(options: ServiceOptions, work: (service: Service) => Promise<T>): Promise<T> {
  const installation = await createInstallation(options.environment ?? {})
  try {
    const { token, workspaceId } = await installation.prepare(options.seed)
    const started = options.program === undefined ? [perigee, 'start'] : [options.program]
    const begunMs = performance.now()
    const child = startChild(process.execPath, ['--max-semi-space-size=16', ...started], {
      env: { ...process.env, ...installation.environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      const url = await addressOf(child, options.startWithinMs ?? startMs)
      const startedInMs = performance.now() - begunMs
      const database = openDatabase({ connection: runningConnection(installation.folder), maxConnections: 2 })
      try {
        return await work({ pid: child.pid ?? 0, url, token, workspaceId, startedInMs, database })
      } finally {
        await database.close()
      }
    } finally {
      await stop(child)
    }
  } finally {
    installation.remove()
  }
}

/** Waits for `holds`, asked every `everyMs`; throws with `what` when the deadline has passed. */
export async function waitFor(
  what: string,
  holds: () => Promise<boolean> | boolean,
  { deadlineMs, everyMs = 100 }: { deadlineMs: number; everyMs?: number },
): Promise<void> {
  const until = performance.now() + deadlineMs
  while (!(await holds())) {
    if (performance.now() > until) throw new Error(`Waited ${deadlineMs / 1000} s for: ${what}`)
    await pause(everyMs)
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

async function addressOf(child: ChildProcess, deadlineMs: number): Promise<string> {
  let said = ''
  child.stdout?.on('data', (bytes: Buffer) => (said += bytes.toString()))
  const find = (): string | undefined => /^Perigee is at (\S+)$/m.exec(said)?.[1]
  await waitFor('the service to listen', () => find() !== undefined || child.exitCode !== null, {
    deadlineMs,
    everyMs: 20,
  })
  const url = find()
  if (url === undefined) throw new Error(`The service did not start: ${said}`)
  return url
}

/** Ends it by SIGTERM, and by force when that takes too long. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), stopMs)
  await ended
  clearTimeout(timer)
}
