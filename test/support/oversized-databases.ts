import { ber } from '#kinds/ber.ts'
import { ldapMessage, operations } from '#kinds/ldap/ldap-messages.ts'
import { ldapResult } from './ldap-stand-in.ts'
import type { ResultStatus } from '#core/results/result.ts'
import type { TcpBehaviour } from './broken-behaviours.ts'
import type { Checked, kindOf } from './robust-check.ts'

/** An answer that begins well and is too long, or goes on for ever. */
export type Oversized = {
  name: string
  kind: Parameters<typeof kindOf>[0]
  /** Made on demand: some behaviours are large, and a test that only checks needs just the other members. */
  behaviour: () => TcpBehaviour
  check: (port: number) => Checked
  status: ResultStatus
  /** Matches the error; null for none. */
  text: RegExp | null
}

export function endless(say: string | Buffer, fill: string | Buffer): () => TcpBehaviour {
  return () => ({ layer: 'plain', isAsked: true, ending: 'endless', say: Buffer.from(say), fill: Buffer.from(fill) })
}

/** The server speaks first. */
function speaking(say: Buffer, fill: string): () => TcpBehaviour {
  return () => ({ ...endless(say, fill)(), isAsked: false })
}

const redis = (port: number): Checked => ({ url: `redis://127.0.0.1:${port}` })
const postgresql = (port: number): Checked => ({
  url: `postgresql://127.0.0.1:${port}`,
  options: { username: 'ann', password: 'secret', security: 'none' },
})

const ldap = (port: number): Checked => ({ url: `ldap://127.0.0.1:${port}`, options: { security: 'none', base: '' } })
const mysql = (port: number): Checked => ({ url: `mysql://127.0.0.1:${port}`, options: { security: 'none' } })

const down = { status: 'down' } as const

export const oversizedDatabases: readonly Oversized[] = [
  {
    ...down,
    name: 'a line',
    kind: 'redis',
    behaviour: endless('+', 'x'),
    check: redis,
    text: /sent more than 256 KiB where the answer to PING/,
  },
  {
    ...down,
    name: 'a text of 512 MiB',
    kind: 'redis',
    behaviour: endless('+PONG\r\n$536870912\r\n', 'x'),
    check: redis,
    text: /sent more than 256 KiB where the answer to INFO/,
  },
  {
    ...down,
    name: 'a message of a gigabyte',
    kind: 'postgresql',
    behaviour: endless(Buffer.from([0x52, 0x3f, 0xff, 0xff, 0xff]), 'x'),
    check: postgresql,
    text: /sent more than 256 KiB where the answer to the sign-in/,
  },
  {
    ...down,
    name: 'notices',
    kind: 'postgresql',
    behaviour: endless('', Buffer.from([0x4e, 0, 0, 0, 5, 0])),
    check: postgresql,
    text: /sent more than 256 KiB where the answer to the sign-in/,
  },
  {
    ...down,
    name: 'a version',
    kind: 'mysql',
    behaviour: speaking(Buffer.from([0xff, 0xff, 0x03, 0, 10]), 'x'),
    check: mysql,
    text: /Not a MySQL or MariaDB server/,
  },
  {
    ...down,
    name: 'a greeting of 16 MiB',
    kind: 'mysql',
    behaviour: speaking(Buffer.from([0xfe, 0xff, 0xff, 0, 10]), 'x'),
    check: mysql,
    text: /sent more than 256 KiB where the greeting/,
  },
  {
    ...down,
    name: 'a message of 4 GiB',
    kind: 'ldap',
    behaviour: endless(Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff]), 'x'),
    check: ldap,
    text: /sent more than 256 KiB where the answer to the sign-in/,
  },
  {
    ...down,
    name: 'references without end',
    kind: 'ldap',
    behaviour: endless(
      ldapMessage(1, ldapResult(operations.bindResponse)),
      ldapMessage(2, ber(operations.searchReference)),
    ),
    check: ldap,
    text: /sent more than 256 KiB where the answer to the search/,
  },
]
