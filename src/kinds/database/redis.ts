import type { Verdict } from '#core/results/result.ts'
import type { Peer, TalkOutcome } from '#net/tcp/talk.ts'
import { type Check, defineKind } from '#kinds/kind.ts'
import { type Finding, judgeTalk } from '#kinds/talk/judge-talk.ts'
import { ownTls, secretAccess, toldBy } from '#kinds/talk/access-options.ts'
import type { Told } from '#kinds/told.ts'
import { type AddressForm, addressProblem, addressTarget } from '#kinds/address-target.ts'
import { redisOptions, type RedisOptions } from './redis-options.ts'
import { readRedisAnswer, readRedisInfo, redisCommand, type RedisAnswer, takeText } from './resp.ts'

const maxBytes = 256 * 1024

const form: AddressForm = {
  ports: { redis: 6379, rediss: 6379 },
  example: 'rediss://cache.example.com:6379/0',
  path: {
    noun: 'database',
    problem: (name) =>
      /^\d{1,5}$/.test(name) ? null : 'Must end with the number of a database, such as /0, or with none.',
  },
}

/** What a check saw, as far as it came. */
export type RedisSight = {
  version?: string
  role?: 'primary' | 'replica'
  /** Of a replica: whether it is connected to its primary. */
  isLinked?: boolean
  usedMemory?: number
  hasKey?: boolean
  /** Whether the key holds the expected value. */
  hasValue?: boolean
  listLength?: number
}
export type RedisObservation = { outcome: TalkOutcome; sight: RedisSight }

/** A server that speaks the protocol of Redis: it signs in and asks, and writes nothing. */
export const redis = defineKind<RedisOptions, RedisObservation>({
  name: 'redis',
  options: redisOptions,
  secretOptions: secretAccess,
  targetProblem: addressProblem(form),
  observe: async ({ url, options, timeoutMs }, net, signal) => {
    const { scheme, host, port, path: database } = addressTarget(url, form)
    const sight: RedisSight = {}
    const outcome = await net.talk(
      {
        host,
        port,
        security: scheme === 'rediss' ? 'tls' : 'none',
        tls: ownTls(options),
        speak: (peer) => speak({ peer, options, sight, told: toldBy(options) }, Number(database ?? 0)),
        maxBytes,
        timeoutMs,
      },
      signal,
    )
    return { outcome, sight }
  },
  judge: judgeRedis,
})

type Talk = { peer: Peer; options: RedisOptions; sight: RedisSight; told: Told }

async function speak(talk: Talk, database: number): Promise<void> {
  const { peer, options } = talk
  const { username, password, key, list } = options
  if (password !== undefined)
    await expectLine(talk, ['AUTH', ...(username === undefined ? [] : [username]), password], 'OK')
  peer.beginWork()
  await expectLine(talk, ['PING'], 'PONG')
  if (database !== 0) await expectLine(talk, ['SELECT', String(database)], 'OK')
  await lookAround(talk)
  if (list !== undefined) await measure(talk, list)
  if (key !== undefined) await lookAt(talk, key)
}

async function ask({ peer, told }: Talk, words: readonly [string, ...string[]]): Promise<RedisAnswer> {
  const [name] = words
  peer.send(redisCommand(words))
  const answer = readRedisAnswer(await peer.takeLine(answerTo(name)))
  if (answer.type === 'unknown') throw peer.fault(`Not an answer of a Redis server: ${told.quoted(answer.text)}`)
  return answer
}

async function expectLine(talk: Talk, words: readonly [string, ...string[]], expected: string): Promise<void> {
  const answer = await ask(talk, words)
  if (answer.type !== 'line' || answer.text !== expected) throw refusal(talk, words[0], answer)
}

/** `INFO` may be forbidden, which matters only where something of it is expected. */
async function lookAround(talk: Talk): Promise<void> {
  const { peer, options, sight, told } = talk
  const answer = await ask(talk, ['INFO'])
  const isWanted = options.expected_role !== undefined || options.max_memory_mb !== undefined
  if (answer.type === 'error' && !isWanted) return
  if (answer.type !== 'text') throw refusal(talk, 'INFO', answer)
  const fields = readRedisInfo((await takeText(peer, answer.byteCount, answerTo('INFO'))).toString('utf8'))
  const version = fields.get('valkey_version') ?? fields.get('redis_version')
  if (version !== undefined) sight.version = told.readable(version)
  const role = roles.get(fields.get('role') ?? '')
  if (role !== undefined) sight.role = role
  if (role === 'replica') sight.isLinked = fields.get('master_link_status') === 'up'
  const used = fields.get('used_memory') ?? ''
  if (/^\d{1,15}$/.test(used)) sight.usedMemory = Number(used)
  if (options.max_memory_mb !== undefined && sight.usedMemory === undefined)
    throw peer.fault('The answer to INFO does not say how much memory is used')
}

/** As `INFO` calls them. */
const roles: ReadonlyMap<string, 'primary' | 'replica'> = new Map([
  ['master', 'primary'],
  ['slave', 'replica'],
])

/** The last question: a value of another length than the expected one stays unread. */
async function lookAt(talk: Talk, key: string): Promise<void> {
  const { peer, options, sight } = talk
  const answer = await ask(talk, ['GET', key])
  if (answer.type !== 'text' && answer.type !== 'nothing') throw refusal(talk, 'GET', answer)
  sight.hasKey = answer.type === 'text'
  if (answer.type === 'nothing' || options.expected_value === undefined) return
  const expected = Buffer.from(options.expected_value)
  sight.hasValue =
    expected.length === answer.byteCount && expected.equals(await takeText(peer, answer.byteCount, answerTo('GET')))
}

async function measure(talk: Talk, list: string): Promise<void> {
  const answer = await ask(talk, ['LLEN', list])
  if (answer.type !== 'integer' || answer.value < 0) throw refusal(talk, 'LLEN', answer)
  talk.sight.listLength = answer.value
}

function answerTo(command: string): string {
  return `the answer to ${command}`
}

function refusal({ peer, told }: Talk, command: string, answer: RedisAnswer): Error {
  if (answer.type !== 'error') return peer.fault(`The server does not answer ${command} as Redis does`)
  const { text } = answer
  if (text.startsWith('NOAUTH')) return peer.fault('The server wants a password: set check_options.password')
  if (text.startsWith('WRONGPASS')) return peer.fault('The server does not accept the user or the password')
  if (text.startsWith('LOADING')) return peer.fault('The server is still loading its data')
  if (text.startsWith('DENIED')) return peer.fault('The server turns this location away: it runs in protected mode')
  return peer.fault(`The server refuses ${command}: ${told.quoted(text)}`)
}

export function judgeRedis(
  { outcome, sight }: RedisObservation,
  { options }: Pick<Check<RedisOptions>, 'options'>,
): Verdict {
  const { version, role, usedMemory, listLength } = sight
  const details = {
    ...(version === undefined ? {} : { server_version: version }),
    ...(role === undefined ? {} : { role }),
    ...(usedMemory === undefined ? {} : { used_memory_mb: megabytes(usedMemory) }),
    ...(listLength === undefined ? {} : { list_length: listLength }),
  }
  return judgeTalk(outcome, { details, findings: findingsOf(sight, options), maxLatencyMs: options.max_latency_ms })
}

function findingsOf(sight: RedisSight, options: RedisOptions): Finding[] {
  const { role, isLinked, hasKey, hasValue, listLength = 0, usedMemory = 0 } = sight
  const { expected_role: wanted, max_list_length: longest = Infinity, max_memory_mb: most = Infinity } = options
  const findings: [holds: boolean, Finding['status'], string][] = [
    [wanted !== undefined && role !== wanted, 'down', `The server is ${roleText(role)}, expected ${roleText(wanted)}`],
    [wanted === 'replica' && isLinked === false, 'down', 'The replica is not connected to its primary'],
    [hasKey === false, 'down', 'The key does not exist'],
    [hasValue === false, 'down', 'The key holds another value than the expected one'],
    [listLength > longest, 'degraded', `The list has ${listLength} entries, more than ${longest}`],
    [usedMemory > most * 1e6, 'degraded', `The data takes ${megabytes(usedMemory)} MB of memory, more than ${most}`],
  ]
  return findings.flatMap(([holds, status, error]) => (holds ? [{ status, error }] : []))
}

function roleText(role: RedisSight['role']): string {
  return role === undefined ? 'neither a primary nor a replica' : `a ${role}`
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e5) / 10
}
