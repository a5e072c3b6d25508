// Makes the users of the broker: `node scripts/nats-users.ts fra nyc sin:leaf`. Each location is named by its code; with
// `:leaf` it has a broker of its own. Keys that exist are kept, locations that are not named any more lose their user.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { nkeys } from '@nats-io/transport-node'
import { locationPermissions } from '#bus/nats-permissions.ts'

const usage = `Usage: node scripts/nats-users.ts [--folder deploy/nats] <location>[:leaf] …

Writes users.conf for the broker, and into keys/ what its clients need:
  core.nk                    PERIGEE_NATS_CREDENTIALS of engines, APIs and jobs
  <location>.nk              PERIGEE_NATS_CREDENTIALS of the location's probers
  <location>-leaf.password   of the location's own broker, for leaf-site.conf`

const code = /^(?=.{1,32}$)[a-z0-9]+(?:-[a-z0-9]+)*$/

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { folder: { type: 'string', default: fileURLToPath(new URL('../deploy/nats', import.meta.url)) } },
})
const locations = positionals.map((text) => {
  const [location = '', kind, ...rest] = text.split(':')
  return { location, isLeaf: kind === 'leaf', isSound: code.test(location) && rest.length === 0 && isKind(kind) }
})
if (locations.length === 0 || !locations.every(({ isSound }) => isSound)) {
  console.error(usage)
  process.exitCode = 2
} else write(values.folder)

function isKind(kind: string | undefined): boolean {
  return kind === undefined || kind === 'leaf'
}

function write(folder: string): void {
  const keys = join(folder, 'keys')
  mkdirSync(keys, { recursive: true, mode: 0o700 })
  const users = [
    `{ nkey: ${publicKey(join(keys, 'core.nk'))}, allowed_connection_types: ["STANDARD"] }`,
    ...locations.map(({ location, isLeaf }) => (isLeaf ? leafUser(keys, location) : proberUser(keys, location))),
  ]
  const text = `# Made by scripts/nats-users.ts.\nusers: [\n${users.map((user) => `  ${user}\n`).join('')}]\n`
  writeFileSync(join(folder, 'users.conf'), text, { mode: 0o640 })
  console.log(`${join(folder, 'users.conf')}: core, ${locations.map(({ location }) => location).join(', ')}`)
}

/** The broker knows the public half alone. */
function proberUser(keys: string, location: string): string {
  const key = publicKey(join(keys, `${location}.nk`))
  return `{ nkey: ${key}, allowed_connection_types: ["STANDARD"], ${permissions(location)} }`
}

/** Brokers before 2.10 have no other way to let a leaf in than a password. */
function leafUser(keys: string, location: string): string {
  const password = kept(join(keys, `${location}-leaf.password`), () => randomBytes(32).toString('hex'))
  return `{ user: "${location}-leaf", password: "${password}", allowed_connection_types: ["LEAFNODE"], ${permissions(location)} }`
}

function permissions(location: string): string {
  const { publish, subscribe } = locationPermissions(location)
  return `permissions: { publish: ${JSON.stringify(publish)}, subscribe: ${JSON.stringify(subscribe)} }`
}

function publicKey(file: string): string {
  const seed = kept(file, () => new TextDecoder().decode(nkeys.createUser().getSeed()))
  return nkeys.fromSeed(new TextEncoder().encode(seed)).getPublicKey()
}

function kept(file: string, make: () => string): string {
  if (!existsSync(file)) writeFileSync(file, `${make()}\n`, { mode: 0o600 })
  return readFileSync(file, 'utf8').trim()
}
