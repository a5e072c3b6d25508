import { createHash } from 'node:crypto'
import type { Peer } from '#net/tcp/talk.ts'
import type { Told } from '#kinds/told.ts'
import {
  notPostgresql,
  passwordMessage,
  type PostgresqlMessage,
  readFields,
  saslInitial,
  startup,
  takeMessage,
  textsOf,
  tlsRequest,
} from './postgresql-messages.ts'
import { scramClient, scramMechanism } from './scram.ts'

export type PostgresqlTalk = {
  peer: Peer
  told: Told
  username: string
  password: string | undefined
  isSecured: boolean
  /** What the server tells of itself, by name. */
  parameters: Map<string, string>
}

/** Begins TLS, as PostgreSQL begins it: a question, and one letter for an answer. */
export async function beginTls({ peer }: PostgresqlTalk): Promise<void> {
  peer.send(tlsRequest)
  const answer = (await peer.take(1, 'the answer to the request for TLS')).toString('latin1')
  if (answer === 'N') throw peer.fault('The server offers no TLS. In a private network, set security to none')
  if (answer !== 'S') throw peer.fault(notPostgresql)
  await peer.startTls()
}

/** Signs in; ends where the server is ready for a query. */
export async function signIn(talk: PostgresqlTalk, database: string): Promise<void> {
  const { peer, username, parameters } = talk
  peer.send(startup({ user: username, database, application_name: 'perigee', client_encoding: 'UTF8' }))
  await authenticate(talk)
  for (;;) {
    const { type, body } = await take(talk, 'the end of the sign-in')
    const [name = '', value = ''] = type === 'S' ? textsOf(body) : []
    if (type === 'S') parameters.set(name, value)
    else if (type === 'Z') return
    else if (type !== 'K') throw peer.fault(notPostgresql)
  }
}

/** The next message that is no notice. An error ends the talk. */
async function take({ peer, told }: PostgresqlTalk, awaited: string): Promise<PostgresqlMessage> {
  for (;;) {
    const message = await takeMessage(peer, awaited)
    // A server that knows version 3.0 alone says so by `v`, where it was asked for more.
    if (message.type === 'E') throw peer.fault(refusal(readFields(message.body), told))
    if (message.type !== 'N' && message.type !== 'v') return message
  }
}

async function authenticate(talk: PostgresqlTalk): Promise<void> {
  const first = await authentication(talk)
  if (first.method === methods.ok) return
  const { method, rest } = first
  if (method === methods.sasl) await authenticateByScram(talk, textsOf(rest))
  else talk.peer.send(passwordMessage(answerTo(talk, method, rest)))
  const { method: last } = await authentication(talk)
  if (last !== methods.ok) throw talk.peer.fault(notPostgresql)
}

const methods = { ok: 0, clear: 3, md5: 5, sasl: 10, saslContinue: 11, saslFinal: 12 } as const

type Authentication = { method: number; rest: Buffer }

async function authentication(talk: PostgresqlTalk): Promise<Authentication> {
  const { type, body } = await take(talk, 'the answer to the sign-in')
  if (type !== 'R' || body.length < 4) throw talk.peer.fault(notPostgresql)
  return { method: body.readInt32BE(0), rest: body.subarray(4) }
}

function answerTo(talk: PostgresqlTalk, method: number, salt: Buffer): Buffer {
  const { peer, username, isSecured } = talk
  if (method !== methods.clear && method !== methods.md5)
    throw peer.fault('The server wants a way to sign in that this kind does not have')
  const password = passwordOf(talk)
  if (method === methods.md5) return Buffer.from(`md5${md5(md5(password + username), salt.subarray(0, 4))}\0`)
  if (!isSecured) throw peer.fault('The server wants the password in clear text, which is told within TLS alone')
  return Buffer.from(`${password}\0`)
}

/** RFC 5802 9: a server that cannot prove that it knows the password is another one. */
async function authenticateByScram(talk: PostgresqlTalk, mechanisms: readonly string[]): Promise<void> {
  const { peer } = talk
  if (!mechanisms.includes(scramMechanism))
    throw peer.fault('The server wants a way to sign in that this kind does not have')
  const client = scramClient(passwordOf(talk))
  peer.send(saslInitial(scramMechanism, client.first))
  const asked = await authentication(talk)
  const answer = asked.method === methods.saslContinue ? await client.answer(asked.rest.toString('utf8')) : null
  if (answer === null) throw peer.fault('The server does not sign in by SCRAM as it should')
  peer.send(passwordMessage(Buffer.from(answer.final)))
  const proof = await authentication(talk)
  if (proof.method !== methods.saslFinal || !answer.isProof(proof.rest.toString('utf8')))
    throw peer.fault('The server cannot prove that it knows the password')
}

function passwordOf({ peer, password }: PostgresqlTalk): string {
  if (password === undefined) throw peer.fault('The server wants a password: set check_options.password')
  return password
}

function md5(text: string, salt: Buffer = Buffer.alloc(0)): string {
  return createHash('md5').update(text).update(salt).digest('hex')
}

/** By SQLSTATE (PostgreSQL documentation, "PostgreSQL Error Codes"). */
function refusal(fields: ReadonlyMap<string, string>, told: Told): string {
  const message = told.quoted(fields.get('M') ?? '')
  switch (fields.get('C') ?? '') {
    case '28P01':
      return 'The server does not accept the user or the password'
    case '28000':
      return `The server does not let this user in: ${message}`
    case '3D000':
      return 'The database does not exist'
    case '53300':
      return 'The server has too many connections'
    case '57P03':
      return `The server accepts no connections now: ${message}`
    default:
      return `The server refuses the sign-in: ${message}`
  }
}
