import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { closedUdpPort } from '../udp-server.ts'
import { until } from '../until.ts'
import { scratchFolder, startDaemon } from './daemon.ts'

export type SnmpdPeer = {
  port: number
  /** What snmpget prints of a variable, its value alone; throws where it fails. */
  get: (access: readonly string[], objectId: string) => string
}

export const snmpCommunity = 'a secret'

/** Users by their level of security; `authOnly` has SHA-1 and the others SHA-256. */
export const snmpUsers = {
  open: { username: 'open' },
  authOnly: { username: 'authonly', auth_protocol: 'SHA-1', auth_password: 'first secret' },
  full: { username: 'full', auth_password: 'first secret', priv_password: 'second secret' },
  fullBySha1: {
    username: 'fullbysha1',
    auth_protocol: 'SHA-1',
    auth_password: 'first secret',
    priv_password: 'second secret',
  },
} as const

/** Variables of no standard, which hold what tests look for. */
export const snmpObjects = {
  number: '1.3.6.1.4.1.8072.9999.9999.1.0',
  negative: '1.3.6.1.4.1.8072.9999.9999.2.0',
  unsigned: '1.3.6.1.4.1.8072.9999.9999.3.0',
  text: '1.3.6.1.4.1.8072.9999.9999.4.0',
  octets: '1.3.6.1.4.1.8072.9999.9999.5.0',
  objectId: '1.3.6.1.4.1.8072.9999.9999.6.0',
  word: '1.3.6.1.4.1.8072.9999.9999.7.0',
  missing: '1.3.6.1.4.1.8072.9999.9999.8.0',
} as const

/** snmpd of Net-SNMP on 127.0.0.1, stopped after the file. */
export async function startSnmpd(): Promise<SnmpdPeer> {
  const folder = scratchFolder('snmpd')
  const port = await closedUdpPort()
  const file = join(folder, 'snmpd.conf')
  const { number, negative, unsigned, text, octets, objectId, word } = snmpObjects
  writeFileSync(
    file,
    [
      `agentAddress udp:127.0.0.1:${port}`,
      `[snmp] persistentDir ${folder}`,
      `rocommunity "${snmpCommunity}" 127.0.0.1`,
      'createUser open',
      'createUser authonly SHA "first secret"',
      'createUser full SHA-256 "first secret" AES "second secret"',
      'createUser fullbysha1 SHA "first secret" AES "second secret"',
      'rouser open noauth',
      'rouser authonly auth',
      'rouser full priv',
      'rouser fullbysha1 priv',
      `override ${number} integer 42`,
      `override ${negative} integer -300`,
      `override ${unsigned} uinteger 4000000000`,
      `override ${text} octet_str "grün"`,
      `override ${word} octet_str "ready"`,
      `override ${octets} octet_str 0x001b4411`,
      `override ${objectId} object_id 1.3.6.1.4.1.311.4294967295`,
    ].join('\n'),
  )
  await startDaemon(['snmpd', '-f', '-Lo', '-C', '-c', file, '-p', join(folder, 'pid')], { folder, ports: [] })
  const get = (access: readonly string[], name: string): string =>
    execFileSync('snmpget', [...access, '-Oqv', '-OU', '-On', '-r', '1', '-t', '2', `127.0.0.1:${port}`, name], {
      encoding: 'utf8',
      timeout: 10_000,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, MIBS: '', SNMPCONFPATH: folder, SNMP_PERSISTENT_DIR: folder },
    }).trim()
  await until('snmpd to answer', () => {
    try {
      return get(['-v', '2c', '-c', snmpCommunity], number) === '42'
    } catch {
      return false
    }
  })
  return { port, get }
}
