import type { NatsLogin, NatsOptions } from '#bus/nats-options.ts'

const mebibyte = 1024 * 1024

/** What the variables of NATS say, each for itself. */
export type NatsVariables = {
  PERIGEE_NATS_URL?: NatsAddress | undefined
  PERIGEE_NATS_CREDENTIALS?: string | undefined
  PERIGEE_NATS_CA?: string | undefined
  PERIGEE_NATS_CERT?: string | undefined
  PERIGEE_NATS_KEY?: string | undefined
  PERIGEE_NATS_REPLICAS: 1 | 3 | 5
  PERIGEE_NATS_STORAGE: 'file' | 'memory'
  PERIGEE_NATS_MAX_MB: number
}

export type NatsAddress = Pick<NatsOptions, 'servers' | 'isTlsRequired' | 'login'>

/** Null without an address: everything is then in one process. */
export function natsOf(read: NatsVariables): NatsOptions | null {
  if (read.PERIGEE_NATS_URL === undefined) return null
  const { servers, isTlsRequired, login } = read.PERIGEE_NATS_URL
  return {
    servers,
    isTlsRequired,
    login: read.PERIGEE_NATS_CREDENTIALS === undefined ? login : { type: 'file', path: read.PERIGEE_NATS_CREDENTIALS },
    tlsFiles: {
      authorities: read.PERIGEE_NATS_CA ?? null,
      certificate: read.PERIGEE_NATS_CERT ?? null,
      key: read.PERIGEE_NATS_KEY ?? null,
    },
    stream: {
      replicas: read.PERIGEE_NATS_REPLICAS,
      storage: read.PERIGEE_NATS_STORAGE,
      maxBytes: read.PERIGEE_NATS_MAX_MB * mebibyte,
    },
  }
}

/** What no variable can tell alone. */
export function natsContradictions(read: NatsVariables): string[] {
  const { PERIGEE_NATS_URL: url, PERIGEE_NATS_CREDENTIALS: credentials } = read
  const problems: string[] = []
  if (url !== undefined && url.login.type !== 'none' && credentials !== undefined)
    problems.push(
      'PERIGEE_NATS_URL has a user or token, and PERIGEE_NATS_CREDENTIALS names a file. Set only one of them.',
    )
  if ((read.PERIGEE_NATS_CERT === undefined) !== (read.PERIGEE_NATS_KEY === undefined))
    problems.push('PERIGEE_NATS_CERT and PERIGEE_NATS_KEY must be set together.')
  const isTls = url?.isTlsRequired ?? true
  if (!isTls && (read.PERIGEE_NATS_CA !== undefined || read.PERIGEE_NATS_CERT !== undefined))
    problems.push('PERIGEE_NATS_CA, _CERT and _KEY only work with tls:// addresses in PERIGEE_NATS_URL.')
  return problems
}

const defaultPort = '4222'
const maxServers = 100

/** One address or more, all of one kind. */
export function natsServers(text: string): NatsAddress | null {
  const addresses = text.split(',').map((entry) => natsServer(entry.trim()))
  const [first] = addresses
  if (first === undefined || first === null || addresses.length > maxServers) return null
  const sound = addresses.filter((address) => address !== null && isAlike(address, first))
  if (sound.length < addresses.length) return null
  return { ...first, servers: sound.flatMap((address) => address?.servers ?? []) }
}

function natsServer(text: string): NatsAddress | null {
  if (!URL.canParse(text)) return null
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text)
  const isSound = ['nats:', 'tls:'].includes(protocol) && hostname !== '' && `${search}${hash}` === ''
  if (!isSound || !['', '/'].includes(pathname)) return null
  const login = loginOf(username, password)
  if (login === null) return null
  return { servers: [`${hostname}:${port || defaultPort}`], isTlsRequired: protocol === 'tls:', login }
}

/** Null for text that is no percent-encoding. */
function loginOf(username: string, password: string): NatsLogin | null {
  if (username === '' && password === '') return { type: 'none' }
  try {
    const user = decodeURIComponent(username)
    if (password === '') return { type: 'token', token: user }
    return { type: 'password', user, password: decodeURIComponent(password) }
  } catch {
    return null
  }
}

function isAlike(one: NatsAddress, other: NatsAddress): boolean {
  return one.isTlsRequired === other.isTlsRequired && JSON.stringify(one.login) === JSON.stringify(other.login)
}

export function replicas(text: string): 1 | 3 | 5 | null {
  switch (text) {
    case '1':
      return 1
    case '3':
      return 3
    case '5':
      return 5
    default:
      return null
  }
}
