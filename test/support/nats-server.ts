import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NatsOptions } from '#bus/nats-options.ts'
import { findProgram } from './peers/program.ts'
import { until } from './until.ts'
import { freePort } from './free-port.ts'

/** Why tests with a broker are skipped, or false. `npm run test:cluster` installs it. */
export const noNatsServer = findProgram('nats-server') === null ? 'nats-server is not installed' : false

export type NatsServer = {
  readonly port: number
  readonly pid: number
  /** The folder of the server's files. */
  readonly folder: string
  /** Connects to it without credentials. */
  readonly options: NatsOptions
  /** Kills the process. */
  kill: () => Promise<void>
  /** Starts it again with the data it had. */
  start: () => Promise<void>
  signal: (name: NodeJS.Signals) => void
  stop: () => Promise<void>
}

export type NatsServerOptions = {
  /** An address of this machine; 127.0.0.1 by default. */
  host?: string
  /** Text of its configuration, given the folder and the port to listen at; JetStream on loopback by default. */
  configuration?: (place: { folder: string; port: number }) => string
}

const openPort = ({ folder, port }: { folder: string; port: number }): string => `
listen: "127.0.0.1:${port}"
jetstream { store_dir: "${folder}/jetstream" }
`

/** Starts a broker in a scratch folder; resolves when it takes connections. The caller stops it. */
export async function startNatsServer({
  host = '127.0.0.1',
  configuration = openPort,
}: NatsServerOptions = {}): Promise<NatsServer> {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-nats-'))
  const port = await freePort()
  const file = join(folder, 'test.conf')
  writeFileSync(file, configuration({ folder, port }))
  let running = await run(file, { port, host })
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (running.exitCode !== null || running.signalCode !== null) return
    const ended = once(running, 'exit')
    running.kill(signal)
    await ended
  }
  return {
    port,
    get pid() {
      return running.pid ?? 0
    },
    folder,
    options: natsOptions({ servers: [`${host}:${port}`] }),
    kill: () => end('SIGKILL'),
    start: async () => {
      running = await run(file, { port, host })
    },
    signal: (name) => running.kill(name),
    stop: async () => {
      await end('SIGKILL')
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

export function natsOptions(changes: Partial<NatsOptions>): NatsOptions {
  return {
    servers: [],
    isTlsRequired: false,
    login: { type: 'none' },
    tlsFiles: { authorities: null, certificate: null, key: null },
    stream: { replicas: 1, storage: 'file', maxBytes: 256 * 1024 * 1024 },
    ...changes,
  }
}

type Place = { port: number; host: string }

const processes = new Set<ChildProcess>()
let isWatching = false

async function run(file: string, place: Place): Promise<ChildProcess> {
  const server = spawn(findProgram('nats-server') ?? 'nats-server', ['-c', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  endWithProcess(server)
  let said = ''
  server.stderr.on('data', (bytes: Buffer) => {
    said = (said + bytes.toString()).slice(-4000)
  })
  await until('nats-server to listen', async () => {
    if (server.exitCode !== null) throw new Error(`nats-server ended: ${said}`)
    return isListening(place)
  })
  return server
}

/** A run that is interrupted ends without its hooks. */
function endWithProcess(server: ChildProcess): void {
  processes.add(server)
  server.once('exit', () => processes.delete(server))
  if (isWatching) return
  isWatching = true
  process.once('exit', () => {
    for (const each of processes) each.kill('SIGKILL')
  })
}

function isListening(place: Place): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(place, () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
