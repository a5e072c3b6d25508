// The broker as deploy/nats sets it up, with addresses and users for loopback, and a leaf of it.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { NatsOptions } from '#bus/nats-options.ts'
import { makeCertificate } from './certificates.ts'
import { freePort } from './free-port.ts'
import { natsOptions, type NatsServer, startNatsServer } from './nats-server.ts'

export type Hub = {
  server: NatsServer
  leafPort: number
  /** To the hub, with the credential of the core or of a location. */
  optionsOf: (user: string) => NatsOptions
  /** Makes the users anew while the broker runs. */
  setLocations: (locations: readonly string[]) => void
}

const repository = fileURLToPath(new URL('../../', import.meta.url))

/** Listens at an address of this machine, loopback by default. */
export async function startHub(locations: readonly string[], host = '127.0.0.1'): Promise<Hub> {
  const leafPort = await freePort()
  const server = await startNatsServer({
    host,
    configuration: ({ folder, port }) => {
      writeCertificates(folder, host)
      writeFileSync(join(folder, 'site.conf'), siteOf(folder, { host, port, leafPort }))
      makeUsers(folder, locations)
      return readFileSync(join(repository, 'deploy/nats/nats-server.conf'), 'utf8')
    },
  })
  const { folder, port } = server
  return {
    server,
    leafPort,
    setLocations: (wanted) => {
      makeUsers(folder, wanted)
      server.signal('SIGHUP')
    },
    optionsOf: (user) =>
      natsOptions({
        servers: [`${host}:${port}`],
        isTlsRequired: true,
        login: { type: 'file', path: join(folder, 'keys', `${user}.nk`) },
        tlsFiles: { authorities: join(folder, 'authority.pem'), certificate: null, key: null },
      }),
  }
}

/** The location's own broker, without credentials on loopback. */
export async function startLeaf(hub: Hub, location: string): Promise<NatsServer> {
  const { folder } = hub.server
  const password = readFileSync(join(folder, 'keys', `${location}-leaf.password`), 'utf8').trim()
  return startNatsServer({
    configuration: ({ folder: own, port }) => {
      writeFileSync(
        join(own, 'leaf-site.conf'),
        `server_name: "leaf-${location}"
        listen: "127.0.0.1:${port}"
        leafnodes { remotes: [ {
          url: "tls://${location}-leaf:${password}@127.0.0.1:${hub.leafPort}"
          tls { ca_file: "${folder}/authority.pem" }
        } ] }`,
      )
      return readFileSync(join(repository, 'deploy/nats/leaf.conf'), 'utf8')
    },
  })
}

function makeUsers(folder: string, locations: readonly string[]): void {
  execFileSync(process.execPath, [join(repository, 'scripts/nats-users.ts'), '--folder', folder, ...locations])
}

function writeCertificates(folder: string, host: string): void {
  const authority = makeCertificate({ name: 'Authority', isAuthority: true })
  const certificate = makeCertificate({ name: 'Hub', names: ['127.0.0.1', 'localhost', host], issuer: authority })
  writeFileSync(join(folder, 'authority.pem'), authority.pem)
  writeFileSync(join(folder, 'server.pem'), certificate.pem)
  writeFileSync(join(folder, 'server.key'), certificate.keyPem, { mode: 0o600 })
}

function siteOf(folder: string, { host, port, leafPort }: { host: string; port: number; leafPort: number }): string {
  const tls = `tls { cert_file: "${folder}/server.pem", key_file: "${folder}/server.key" }`
  return `server_name: "hub"
    listen: "${host}:${port}"
    ${tls}
    leafnodes { listen: "127.0.0.1:${leafPort}", ${tls} }
    jetstream { store_dir: "${folder}/jetstream" }`
}
