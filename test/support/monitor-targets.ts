import fc from 'fast-check'
import { fullWebAddress } from '../../test/support/web-addresses.ts'
import type { KindName } from '#core/monitors/kind-traits.ts'

const label = fc.stringMatching(/^[a-z][a-z0-9]{0,19}$/)
const domainName = fc.tuple(label, fc.constantFrom('example.com', 'example.org', 'xn--bcher-kva.example')).map(joined)
const publicAddress = fc.tuple(fc.constant('8.8'), fc.nat(255), fc.nat(255)).map(joined)
const host = fc.oneof(domainName, publicAddress, fc.constantFrom('[2606:4700::1111]', 'EXAMPLE.com'))
const port = fc.integer({ min: 1, max: 65_535 })
const hostAndPort = fc.tuple(host, port).map(([name, number]) => `${name}:${number}`)
const hostWithOrWithoutPort = fc.oneof(host, hostAndPort)
const address = fullWebAddress
const repositoryAddress = fc
  .tuple(
    fc.constantFrom('github.com', 'git.example.com:8443'),
    label,
    label,
    fc.constantFrom('', '.git', '/tree/main/a'),
  )
  .map(([at, owner, name, rest]) => `https://${at}/${owner}/${name}${rest}`)

function databaseAddress(scheme: string, rest: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(hostWithOrWithoutPort, rest).map(([at, database]) => `${scheme}://${at}${database}`)
}

function joined(labels: readonly (string | number)[]): string {
  return labels.join('.')
}

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })

/** Targets of each kind; for those that dial nothing, what a client may send all the same. */
export const targetOf: Readonly<Record<KindName, fc.Arbitrary<string | null>>> = {
  http: address,
  api: address,
  ssl: hostWithOrWithoutPort,
  domain: domainName,
  dns: domainName,
  blacklist: fc.oneof(domainName, publicAddress),
  email_auth: domainName,
  malware: fc.oneof(address, domainName),
  tcp: hostAndPort,
  ssh: hostWithOrWithoutPort,
  smtp: hostWithOrWithoutPort,
  imap: hostWithOrWithoutPort,
  pop: hostWithOrWithoutPort,
  ftps: hostWithOrWithoutPort,
  ping: fc.oneof(host, fc.constant('2606:4700::1111')),
  ntp: hostWithOrWithoutPort,
  udp: hostAndPort,
  game_server: hostWithOrWithoutPort,
  transaction: address,
  micro_transaction: address,
  extended_transaction: address,
  group: fc.option(text),
  cloud_status: address,
  paid_endpoint: address,
  browser: address,
  page_speed: address,
  webhook: fc.option(text),
  heartbeat: fc.option(text),
  push_metric: fc.option(text),
  repository: repositoryAddress,
  mqtt: databaseAddress('mqtts', fc.constantFrom('', '/')),
  rabbitmq: databaseAddress('amqps', fc.constantFrom('', '/', '/shop', '/%2f')),
  mysql: databaseAddress('mysql', fc.constantFrom('', '/', '/shop')),
  postgresql: databaseAddress('postgresql', fc.constantFrom('', '/', '/shop', '/my%20shop')),
  ldap: fc.tuple(fc.constantFrom('ldap', 'ldaps'), hostWithOrWithoutPort).map(([scheme, at]) => `${scheme}://${at}`),
  snmp: hostWithOrWithoutPort,
  grpc: fc.tuple(hostAndPort, fc.constantFrom('', '/')).map(([at, rest]) => `grpcs://${at}${rest}`),
  websocket: databaseAddress('wss', fc.constantFrom('', '/', '/feed', '/feed?topic=a%20b')),
  redis: databaseAddress('rediss', fc.constantFrom('', '/', '/0', '/7')),
}
