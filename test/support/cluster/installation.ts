// An installation of many processes on this machine: PostgreSQL, a broker as deploy/nats sets it up, and all roles.
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Database, openDatabase } from '#store/database/database.ts'
import { type Embedded, startEmbedded } from '#store/embedded/embedded.ts'
import type { ProcessRole } from '#config/roles.ts'
import { type Hub, startHub } from '../nats-deployment.ts'
import { freePort } from '../free-port.ts'
import { type Perigee, spawnPerigee } from '../perigee-process.ts'
import type { PlaceApart } from './place-apart.ts'

export type Member = {
  readonly role: ProcessRole
  /** The location of a prober; null for other roles. */
  readonly location: string | null
  /** The address of an API, the same after every start. */
  readonly url: string
  pid: () => number
  signal: (name: NodeJS.Signals) => void
  /** Starts a process in place of one that has ended, with these variables beside its own. */
  start: (changes?: Readonly<Record<string, string>>) => Promise<void>
  /** The exit code or the signal, as for a single Perigee. */
  ended: Perigee['ended']
  stderr: () => string
}

export type Installation = {
  hub: Hub
  postgres: Embedded
  database: Database
  /** For a command of an operator. */
  environment: Readonly<Record<string, string>>
  members: readonly Member[]
  of: (role: ProcessRole) => Member[]
  /** Registers a client that has to be closed while the broker and the database still run. */
  beforeEnd: (end: () => Promise<void>) => void
}

export type InstallationOptions = {
  /** The last of them is the one that can be cut off. */
  locations: readonly string[]
  apart: PlaceApart
  counts: Readonly<Record<'engine' | 'api' | 'jobs' | 'probersEach', number>>
  /** For all processes, beside what makes them one installation. */
  environment: Readonly<Record<string, string>>
  /** A place that is reached while a location has a network. */
  reference: string
}

export const ownerToken = `pgk_${'cluster'.repeat(6)}`
const program = fileURLToPath(new URL('../../../bin/perigee.js', import.meta.url))

export async function startInstallation(options: InstallationOptions): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-cluster-'))
  // The PostgreSQL of a root user runs as another one, who has to pass through.
  chmodSync(folder, 0o711)
  const settings = { max_connections: '200', track_commit_timestamp: 'on' }
  const postgres = await startEmbedded({ folder: join(folder, 'database'), settings })
  const hub = await startHub(options.locations, options.apart.host)
  const database = openDatabase({ connection: postgres.connection, maxConnections: 3, onIdleError: () => {} })
  const ends = [
    database.close,
    hub.server.stop,
    postgres.stop,
    async () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  ]
  const common = {
    ...options.environment,
    PERIGEE_DATABASE_URL: urlOf(postgres),
    PERIGEE_SECRET_KEY: randomBytes(32).toString('base64'),
    PERIGEE_OWNER_TOKEN: ownerToken,
    PERIGEE_DATA_DIR: folder,
    HOME: folder,
  }
  // Each process has a listener of its own for the end of this one.
  process.setMaxListeners(0)
  const members = await Promise.all(plan(options).map((each) => createMember(each, { common, hub, options })))
  // Hooks run in the order of their making, and each process has one of its own: this one comes after all of them.
  const [first, ...others] = members
  await first?.start()
  await Promise.all(others.map((member) => member.start()))
  after(async () => {
    for (const end of ends) await end()
  })
  return {
    hub,
    postgres,
    database,
    environment: common,
    members,
    of: (role) => members.filter((member) => member.role === role),
    beforeEnd: (end) => void ends.unshift(end),
  }
}

type Planned = { role: ProcessRole; location: string | null }

/** An API first: it sets up the owner. */
function plan({ locations, counts }: InstallationOptions): Planned[] {
  return [
    ...some('api', counts.api),
    ...some('engine', counts.engine),
    ...some('jobs', counts.jobs),
    ...locations.flatMap((location) => some('prober', counts.probersEach, location)),
  ]
}

function some(role: ProcessRole, count: number, location: string | null = null): Planned[] {
  return Array.from({ length: count }, () => ({ role, location }))
}

type Making = { common: Readonly<Record<string, string>>; hub: Hub; options: InstallationOptions }

/** As machines of their own, each location is a witness of its own. */
function placeOf(location: string, reference: string): Record<string, string> {
  return {
    PERIGEE_LOCATIONS: `${location}=${location}`,
    PERIGEE_WITNESS: location,
    PERIGEE_REFERENCE_TARGETS: reference,
  }
}

async function createMember({ role, location }: Planned, { common, hub, options }: Making): Promise<Member> {
  const { apart, locations, reference } = options
  const port = await freePort()
  const isApart = location !== null && location === locations.at(-1)
  const nats = hub.optionsOf(location ?? 'core')
  const broker = isApart ? await apart.brokerAddress(hub.server.port) : nats.servers.join(',')
  const { authorities } = nats.tlsFiles
  const environment = {
    ...common,
    PERIGEE_PORT: isApart ? '0' : String(port),
    PERIGEE_NATS_URL: `tls://${broker}`,
    PERIGEE_NATS_CREDENTIALS: nats.login.type === 'file' ? nats.login.path : '',
    PERIGEE_NATS_CA: authorities ?? '',
    ...(location === null ? {} : placeOf(location, reference)),
  }
  const node = ['--max-semi-space-size=4', program]
  const command = isApart ? apart.command(process.execPath, node) : { file: process.execPath, args: node }
  let perigee: Perigee | null = null
  return {
    role,
    location,
    url: `http://127.0.0.1:${port}`,
    pid: () => perigee?.child.pid ?? 0,
    signal: (name) => void perigee?.child.kill(name),
    start: async (changes = {}) => {
      perigee = spawnPerigee({ args: [role], environment: { ...environment, ...changes }, command })
      await perigee.printed(/^Perigee's \w+ is at/m)
    },
    ended: async () => perigee?.ended() ?? 0,
    stderr: () => perigee?.stderr() ?? '',
  }
}

function urlOf({ connection: { socketFolder, user, password, database } }: Embedded): string {
  return `postgres://${user}:${encodeURIComponent(password)}@localhost/${database}?host=${encodeURIComponent(socketFolder)}`
}
