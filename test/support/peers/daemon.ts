import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { Certificate } from '../certificates.ts'
import { signalLeft } from '../signal.ts'
import { until } from '../until.ts'
import { findProgram } from './program.ts'

/** Why tests with these servers are skipped, or false; all of them drop their rights, which takes root's. */
export function skipReason(programs: readonly string[]): string | false {
  const absent = programs.filter((program) => findProgram(program) === null)
  if (absent.length > 0) return `${absent.join(', ')} not installed`
  return process.getuid?.() === 0 ? false : 'the servers need root'
}

/** An empty folder, removed after the file; servers that gave up their rights have to pass through. */
export function scratchFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `perigee-${name}-`))
  chmodSync(folder, 0o755)
  after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The paths of a certificate and its key, written into a folder. */
export function writeCertificate(folder: string, { pem, keyPem }: Certificate): { cert: string; key: string } {
  const name = `certificate-${certificateCount++}`
  const paths = { cert: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) }
  writeFileSync(paths.cert, pem)
  writeFileSync(paths.key, keyPem, { mode: 0o600 })
  return paths
}

let certificateCount = 0

/**
 * Runs a server in the foreground, as the leader of a process group, until after the file. Resolves when all its
 * ports listen; throws with what it said when it ends before.
 */
export async function startDaemon(
  command: readonly [string, ...string[]],
  options: { folder: string; ports: readonly number[] },
): Promise<void> {
  const [name, ...rest] = command
  const daemon = spawn(findProgram(name) ?? name, rest, {
    cwd: options.folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const onData = (bytes: Buffer): void => {
    said = (said + bytes.toString()).slice(-4000)
  }
  daemon.stdout.on('data', onData)
  daemon.stderr.on('data', onData)
  const ended = new Promise<void>((resolve) => {
    daemon.once('exit', () => resolve())
    daemon.once('error', () => resolve())
  })
  endWithProcess(daemon.pid)
  after(async () => {
    const timer = setTimeout(() => signalGroup(daemon.pid), killAfterMs)
    daemon.kill('SIGTERM')
    await ended
    clearTimeout(timer)
    signalGroup(daemon.pid)
    groups[groups.indexOf(daemon.pid)] = undefined
    daemon.stdout.destroy()
    daemon.stderr.destroy()
  })
  await until(`${name} to listen`, async () => {
    if (daemon.exitCode !== null) throw new Error(`${name} ended: ${said}`)
    return (await Promise.all(options.ports.map(isListening))).every(Boolean)
  })
}

const killAfterMs = 5000
const groups: (number | undefined)[] = []

/** A run that is interrupted ends without its hooks. */
function endWithProcess(pid: number | undefined): void {
  if (groups.push(pid) > 1) return
  process.once('exit', () => {
    for (const group of groups) signalGroup(group)
  })
}

function signalGroup(pid: number | undefined): void {
  if (pid !== undefined) signalLeft(-pid, 'SIGKILL')
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
