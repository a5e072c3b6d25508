import { createHash } from 'node:crypto'
import type { Peer } from '#net/tcp/talk.ts'
import type { Told } from '#kinds/told.ts'
import {
  capabilities,
  clientHead,
  clientResponse,
  type MysqlError,
  type MysqlGreeting,
  mysqlPacket,
  notMysql,
  readGreeting,
  readMysqlError,
  takePacket,
  terminated,
} from './mysql-packets.ts'

export type MysqlTalk = {
  peer: Peer
  told: Told
  username: string
  password: string | undefined
  isSecured: boolean
  /** Of the next packet, sent or received. */
  order: number
}

export async function take(talk: MysqlTalk, awaited: string): Promise<Buffer> {
  const body = await takePacket(talk.peer, talk.order, awaited)
  talk.order = (talk.order + 1) % 256
  return body
}

export function send(talk: MysqlTalk, body: Buffer): void {
  talk.peer.send(mysqlPacket({ order: talk.order, body }))
  talk.order = (talk.order + 1) % 256
}

export async function greet(talk: MysqlTalk): Promise<MysqlGreeting> {
  const body = await take(talk, 'the greeting')
  const error = readMysqlError(body)
  if (error !== null) throw talk.peer.fault(refusal(error, talk.told))
  const greeting = readGreeting(body)
  if (greeting === null) throw talk.peer.fault(notMysql)
  return greeting
}

/** Agrees on TLS where that is wanted, and signs in. */
export async function signIn(talk: MysqlTalk, greeting: MysqlGreeting, database: string | null): Promise<void> {
  const { peer, username, isSecured } = talk
  const { longPassword, withDatabase, protocol41, tls, transactions, secureConnection, pluginAuthentication } =
    capabilities
  const wanted = longPassword | protocol41 | transactions | secureConnection | pluginAuthentication
  const capability = wanted | (isSecured ? tls : 0) | (database === null ? 0 : withDatabase)
  if (isSecured) {
    if ((greeting.capabilities & tls) === 0)
      throw peer.fault('The server offers no TLS. In a private network, set security to none')
    send(talk, clientHead(capability))
    await peer.startTls()
  }
  // A server that would rather have another way says so in its answer.
  const plugin = isKnown(greeting.plugin) ? greeting.plugin : usualPlugin
  send(
    talk,
    clientResponse(capability, { username, scramble: scrambleOf(talk, plugin, greeting.salt), database, plugin }),
  )
  await authenticate(talk, plugin)
}

/** The server may ask for another way once, and `caching_sha2_password` for the password itself. */
async function authenticate(talk: MysqlTalk, first: Plugin): Promise<void> {
  let plugin = first
  for (let answers = 0; answers < maxAnswers; answers++) {
    const body = await take(talk, 'the answer to the sign-in')
    const error = readMysqlError(body)
    if (error !== null) throw talk.peer.fault(refusal(error, talk.told))
    if (body[0] === 0) return
    if (body[0] === 0xfe) plugin = changePlugin(talk, body)
    else if (body[0] !== 1 || plugin !== 'caching_sha2_password') throw talk.peer.fault(notMysql)
    else if (body[1] === fullAuthentication) send(talk, ownPassword(talk))
  }
  throw talk.peer.fault(notMysql)
}

/** Another way, a mark that the password is known or wanted, and the end. */
const maxAnswers = 4
const fullAuthentication = 4

const usualPlugin = 'mysql_native_password'
type Plugin = 'mysql_native_password' | 'caching_sha2_password'

function isKnown(name: string): name is Plugin {
  return name === usualPlugin || name === 'caching_sha2_password'
}

function changePlugin(talk: MysqlTalk, body: Buffer): Plugin {
  const end = body.indexOf(0, 1)
  const name = body.toString('latin1', 1, end === -1 ? body.length : end)
  if (!isKnown(name))
    throw talk.peer.fault(`The server wants to sign in by ${talk.told.quoted(name)}, which this kind does not have`)
  send(talk, scrambleOf(talk, name, body.subarray(end + 1, end + 21)))
  return name
}

/** Without a password nothing is sent, which is right for a user that has none. */
function scrambleOf({ password }: MysqlTalk, plugin: Plugin, salt: Buffer): Buffer {
  if (password === undefined) return Buffer.alloc(0)
  const hash = plugin === usualPlugin ? sha1 : sha256
  const once = hash(Buffer.from(password))
  const twice = hash(once)
  const mask = hash(plugin === usualPlugin ? Buffer.concat([salt, twice]) : Buffer.concat([twice, salt]))
  return Buffer.from(once.map((byte, index) => byte ^ (mask[index] ?? 0)))
}

function ownPassword({ peer, password, isSecured }: MysqlTalk): Buffer {
  if (!isSecured) throw peer.fault('The server wants the password in clear text, which is told within TLS alone')
  return terminated(password ?? '')
}

function sha1(bytes: Buffer): Buffer {
  return createHash('sha1').update(bytes).digest()
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** By number (MySQL and MariaDB documentation, "Error Codes"). */
function refusal({ code, message }: MysqlError, told: Told): string {
  switch (code) {
    case 1045:
    case 1698:
      return 'The server does not accept the user or the password'
    case 1044:
      return 'The user may not use the database'
    case 1049:
      return 'The database does not exist'
    case 1040:
    case 1203:
    case 1226:
      return 'The server has too many connections'
    case 1129:
    case 1130:
      return `The server turns this location away: ${told.quoted(message)}`
    default:
      return `The server refuses the sign-in: ${told.quoted(message)}`
  }
}
