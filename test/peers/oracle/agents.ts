import { snmp } from '#kinds/snmp/snmp.ts'
import { snmpCommunity, snmpObjects, snmpUsers, startSnmpd } from '../../support/peers/snmpd.ts'
import { closedUdpPort, udpServer } from '../../support/udp-server.ts'
import { silentSeconds, unknownName, usualSeconds } from './asked.ts'
import { type Case, toCase, type Wish } from './case.ts'

/** snmpd of Debian, and what is none. */
export async function agentCases(): Promise<Case[]> {
  const { port } = await startSnmpd()
  const silent = (await udpServer(() => {})).port
  const closed = await closedUdpPort()
  const { number, word, missing } = snmpObjects
  const full = { version: '3', community: undefined, ...snmpUsers.full }
  return [
    agentCase('good', { port, options: { oid: number } }),
    agentCase('good, by a user without a password', {
      port,
      options: { version: '3', ...snmpUsers.open, oid: number },
    }),
    agentCase('good, by a user with a password', {
      port,
      options: { version: '3', ...snmpUsers.authOnly, oid: number },
    }),
    agentCase('good, encrypted', { port, options: { ...full, oid: number } }),
    agentCase('good, encrypted, with SHA-1', { port, options: { version: '3', ...snmpUsers.fullBySha1, oid: number } }),
    agentCase('text as expected', { port, options: { oid: word, expected_value: 'ready' } }),
    agentCase('another text', {
      port,
      options: { oid: word, expected_value: 'busy' },
      error: /^The variable has another value/,
    }),
    agentCase('a number within its limits', { port, options: { oid: number, min_value: 42, max_value: 42 } }),
    agentCase('a number that is too large', {
      port,
      options: { oid: number, max_value: 41 },
      ours: 'degraded',
      error: /^The variable is a larger number than 41$/,
    }),
    agentCase('a number that is too small', {
      port,
      options: { ...full, oid: number, min_value: 43 },
      ours: 'degraded',
      error: /^The variable is a smaller number than 43$/,
    }),
    agentCase('a variable that is not there', {
      port,
      options: { oid: missing },
      error: /^The agent has no such/,
      state: 'OK',
      why: 'noSuchObject',
    }),
    agentCase('unknown user', {
      port,
      options: { ...full, username: 'eve', oid: number },
      error: /^The agent does not know the user$/,
      state: 'UNKNOWN',
      why: 'ofSnmpget',
    }),
    agentCase('wrong password', {
      port,
      options: { ...full, auth_password: 'another secret', oid: number },
      error: /^The agent does not accept the password/,
      state: 'UNKNOWN',
      why: 'ofSnmpget',
    }),
    agentCase('encryption that is required', {
      port,
      options: { ...full, priv_password: undefined, oid: number },
      error: /authorizationError/,
      state: 'UNKNOWN',
      why: 'ofSnmpget',
    }),
    agentCase('wrong community', {
      port,
      options: { community: 'another', oid: number },
      isSilent: true,
      error: /do not know the community$/,
      state: 'UNKNOWN',
      why: 'ofSnmpget',
    }),
    agentCase('silent server', {
      port: silent,
      options: { oid: number },
      isSilent: true,
      error: /^Timed out/,
      state: 'UNKNOWN',
      why: 'ofSnmpget',
    }),
    agentCase('nothing listens', { port: closed, options: { oid: number }, error: /nothing listens/ }),
    agentCase('name that does not exist', {
      port: closed,
      options: { oid: number },
      ...unknownName,
      state: 'UNKNOWN',
      why: 'ofSnmpget',
    }),
  ]
}

type Asked = Omit<Wish, 'url' | 'command' | 'module' | 'check'> & {
  port: number
  host?: string
  options: Record<string, unknown>
  isSilent?: true
}

/** The plugin compares texts as snmpget prints them, within quotation marks. */
function agentCase(name: string, asked: Asked): Case {
  const { port, host = '127.0.0.1', isSilent, ...wish } = asked
  const seconds = isSilent === true ? silentSeconds : usualSeconds
  const given = { community: snmpCommunity, ...asked.options }
  const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const { oid, expected_value: text, min_value: least, max_value: most } = options
  const limits = least !== undefined || most !== undefined ? ['-w', `${limit(least)}:${limit(most)}`] : []
  return toCase(snmp, name, {
    ...wish,
    url: `${host}:${port}`,
    check: { timeoutMs: seconds * 1000, options },
    command: [
      'check_snmp',
      '-H',
      host,
      '-p',
      String(port),
      '-t',
      String(seconds + 1),
      '-e',
      '0',
      '-o',
      String(oid),
      ...access(options),
      ...limits,
      ...(typeof text === 'string' ? ['-s', `"${text}"`] : []),
    ],
  })
}

function limit(value: unknown): string {
  return typeof value === 'number' ? String(value) : ''
}

function access(options: Record<string, unknown>): string[] {
  const { version, community, username, auth_password: auth, priv_password: priv } = options
  if (version !== '3') return ['-P', '2c', '-C', String(community)]
  const protocol = options['auth_protocol'] === 'SHA-1' ? 'SHA' : 'SHA-256'
  const level = auth === undefined ? 'noAuthNoPriv' : priv === undefined ? 'authNoPriv' : 'authPriv'
  return [
    '-P',
    '3',
    '-U',
    String(username),
    '-L',
    level,
    ...(typeof auth !== 'string' ? [] : ['-a', protocol, '-A', auth]),
    ...(typeof priv !== 'string' ? [] : ['-x', 'AES', '-X', priv]),
  ]
}
