import type { KindName } from '../api/monitors.ts'

const longestName = 160

/** A monitor to be. */
export type Wish = {
  kind: KindName
  url: string
  name: string
  /** The same without TLS, where only a name was given: taken if this one answers and `url` does not. */
  otherwise: string | null
}

/** Ports that one protocol has to itself. */
const kindsOfPorts: Readonly<Record<number, KindName>> = {
  22: 'ssh',
  465: 'smtp',
  587: 'smtp',
  993: 'imap',
  995: 'pop',
}

/** Schemes of addresses that are none of the web. */
const kindsOfSchemes: Readonly<Record<string, KindName>> = {
  amqp: 'rabbitmq',
  amqps: 'rabbitmq',
  grpc: 'grpc',
  grpcs: 'grpc',
  ldap: 'ldap',
  ldaps: 'ldap',
  mariadb: 'mysql',
  mqtt: 'mqtt',
  mqtts: 'mqtt',
  mysql: 'mysql',
  postgres: 'postgresql',
  postgresql: 'postgresql',
  redis: 'redis',
  rediss: 'redis',
  ws: 'websocket',
  wss: 'websocket',
}

/** The likely meaning of what a person typed or pasted. Whether it can be watched is for the service to say. */
export function wishOf(text: string): Wish {
  const named = scheme.exec(text)?.[1]?.toLowerCase()
  const kind = kindsOfSchemes[named ?? '']
  if (kind !== undefined) return { kind, url: text, name: shortened(text), otherwise: null }
  if (named !== undefined) return website(text)
  if (/[/?#]/.test(text)) return website(`https://${text}`, `http://${text}`)
  const address = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[?[\da-f]*:[\da-f]*:[\da-f:.]*\]?)$/i
  if (address.test(text)) return server('ping', text.replace(/^\[(.*)\]$/, '$1'))
  const [, host, digits] = /^([^:]+|\[[\da-f:.]+\]):(\d{1,5})$/i.exec(text) ?? []
  if (host === undefined) return website(`https://${text}`, `http://${text}`)
  const port = Number(digits)
  if (port === 443) return website(`https://${host}`)
  if (port === 80) return website(`http://${host}`)
  return server(kindsOfPorts[port] ?? 'tcp', text)
}

function website(url: string, otherwise: string | null = null): Wish {
  return { kind: 'http', url, name: shortened(url), otherwise }
}

function server(kind: KindName, url: string): Wish {
  return { kind, url, name: url.slice(0, longestName), otherwise: null }
}

/** Without what does not tell one website from another, nor what should not stand in a name. */
function shortened(url: string): string {
  const { host, pathname } = URL.parse(url) ?? { host: '', pathname: '' }
  const name = host === '' ? url : host + pathname.replace(/\/$/, '')
  return name.slice(0, longestName)
}

/** The same for addresses that are checked alike, however they are written. */
export function sameness({ kind, url }: { kind: string; url: string | null }): string {
  const text = url ?? ''
  return `${kind} ${kind === 'http' ? (URL.parse(text)?.href ?? text) : text.toLowerCase()}`
}

/** What the target of a kind is: a URL, a host and a port, a host with or without a port, or a bare name. */
type TargetForm = 'url' | 'port' | 'host' | 'name'

/** With TLS, what the address of a kind begins with that is none of the web. */
const ownSchemes: Readonly<Partial<Record<KindName, string>>> = {
  grpc: 'grpcs',
  ldap: 'ldaps',
  mqtt: 'mqtts',
  rabbitmq: 'amqps',
  mysql: 'mysql',
  postgresql: 'postgresql',
  redis: 'rediss',
  websocket: 'wss',
}

const targetForms: Readonly<Partial<Record<KindName, TargetForm>>> = {
  tcp: 'port',
  udp: 'port',
  ssh: 'host',
  smtp: 'host',
  imap: 'host',
  pop: 'host',
  ftps: 'host',
  ntp: 'host',
  game_server: 'host',
  snmp: 'host',
  ssl: 'host',
  ping: 'name',
  dns: 'name',
  domain: 'name',
  email_auth: 'name',
  blacklist: 'name',
}

/**
 * What was typed or pasted as the target of a kind, in the form that the kind takes: a URL where a host is wanted gives
 * its host, and a host where a URL is wanted gets a scheme. What cannot be read stays, so that its refusal quotes it.
 */
export function targetFor(kind: KindName, typed: string): string {
  const text = typed.trim()
  if (text === '' || /\s/.test(text)) return text
  const own = ownSchemes[kind]
  if (own !== undefined) return scheme.test(text) ? text : `${own}://${text.replace(/^\/+/, '')}`
  const form = targetForms[kind] ?? 'url'
  return form === 'url' ? urlOf(text) : (hostOf(text, form) ?? text)
}

const scheme = /^([a-z][a-z\d+.-]*):\/\//i

function urlOf(text: string): string {
  if (scheme.test(text)) return text
  const bare = text.replace(/^\/+/, '')
  const parts = partsOf(bare)
  if (parts === null) return text
  const { host, port, rest } = parts
  if (port === 443) return `https://${host}${rest}`
  if (port === 80) return `http://${host}${rest}`
  const at = port === null ? host : `${host}:${port}`
  return `${isSpokenPlainly(host, port) ? 'http' : 'https'}://${at}${rest}`
}

/** Services of a machine's own network and of unusual ports seldom have a certificate. */
function isSpokenPlainly(host: string, port: number | null): boolean {
  const isAddress = /^[\d.]+$|^\[/.test(host)
  return isAddress || !host.includes('.') || (port !== null && port !== 8443)
}

function hostOf(text: string, form: Exclude<TargetForm, 'url'>): string | null {
  if (bareAddress.test(text)) return text
  const named = scheme.exec(text)?.[1]?.toLowerCase()
  const bare = named === undefined ? text : text.slice(named.length + 3).replace(/^[^/?#]*@/, '')
  const parts = partsOf(bare)
  if (parts === null) return null
  const { host, port } = parts
  if (form === 'name') return host.replace(/^\[(.*)\]$/, '$1')
  const usual = form === 'port' ? usualPorts[named ?? ''] : undefined
  const wanted = port ?? usual
  return wanted === undefined ? host : `${host}:${wanted}`
}

const usualPorts: Readonly<Record<string, number>> = { https: 443, http: 80, wss: 443, ws: 80 }

/** Of IPv6, without brackets. */
const bareAddress = /^[\da-f]*:[\da-f]*:[\da-f:.]*$/i

type Parts = { host: string; port: number | null; rest: string }

/** Of a text without a scheme; null where it does not begin with a host. */
function partsOf(text: string): Parts | null {
  if (bareAddress.test(text)) return { host: `[${text}]`, port: null, rest: '' }
  const [, host, port, rest = ''] = /^(\[[\da-f:.]+\]|[^:/?#@[\]]+)(?::(\d{1,5}))?([/?#].*)?$/i.exec(text) ?? []
  return host === undefined ? null : { host, port: port === undefined ? null : Number(port), rest }
}

/** Whether a text is rather a target that was pasted than a word. */
export function looksLikeTarget(text: string): boolean {
  const typed = text.trim()
  if (typed === '' || /\s/.test(typed)) return false
  return scheme.test(typed) || /^\[?[\da-f:.]*:[\da-f:.]*:/i.test(typed) || /[^.]\.[^.\s]|^[^:]+:\d{1,5}$/.test(typed)
}

/** Kinds that a pasted target may be meant for, the likeliest first. */
export function kindsFor(text: string): KindName[] {
  const { kind, url } = wishOf(text.trim())
  if (kind === 'http' && isAddressed(url)) return ['http', 'api', 'ssl', 'tcp', 'ping']
  const others: readonly KindName[] =
    kind === 'http' ? (isGit(url) ? codeKinds : webKinds) : (hostKinds[kind] ?? ['tcp'])
  return [...new Set(isGit(url) ? others : [kind, ...others])]
}

const codeKinds = ['repository', 'http'] as const
const webKinds = ['api', 'ssl', 'transaction', 'browser', 'page_speed', 'ping', 'domain', 'dns'] as const
const hostKinds: Readonly<Partial<Record<KindName, readonly KindName[]>>> = {
  ping: ['tcp', 'http', 'udp', 'ssh'],
  tcp: ['http', 'udp', 'ping', 'ssl'],
}

/** By an IP address, which has no registration and no records of its own. */
function isAddressed(url: string): boolean {
  return /^https?:\/\/(?:[\d.]+|\[[^\]]*\])(?:[:/?#]|$)/i.test(url)
}

/** Hosts of repositories, and addresses that end as theirs do. */
function isGit(url: string): boolean {
  return /^https?:\/\/(?:github\.com|gitlab\.com|codeberg\.org|bitbucket\.org)\/[^/]+\/[^/]+|\.git$/i.test(url)
}
