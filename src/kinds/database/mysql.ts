import { z } from 'zod'
import type { Verdict } from '#core/results/result.ts'
import type { TalkOutcome } from '#net/tcp/talk.ts'
import { type Check, defineKind } from '#kinds/kind.ts'
import { judgeTalk } from '#kinds/talk/judge-talk.ts'
import { ownTls, secretAccess, toldBy } from '#kinds/talk/access-options.ts'
import { type AddressForm, addressProblem, addressTarget } from '#kinds/address-target.ts'
import { firstText, isEnd, type MysqlError, notMysql, readLength, readMysqlError } from './mysql-packets.ts'
import { greet, type MysqlTalk, send, signIn, take } from './mysql-sign-in.ts'
import {
  checkSqlOptions,
  databaseNameProblem,
  sqlOptions,
  type SqlOptions,
  type SqlValue,
  usualUser,
  valueFindings,
  valueNeedsStatement,
} from './sql-options.ts'

const maxBytes = 256 * 1024

const form: AddressForm = {
  ports: { mysql: 3306, mariadb: 3306 },
  example: 'mysql://db.example.com:3306/shop',
  path: { noun: 'database', problem: databaseNameProblem },
}

const options = z
  .strictObject(sqlOptions)
  .superRefine(checkSqlOptions)
  .meta({
    ...valueNeedsStatement,
    description: 'A MySQL or MariaDB server that lets a user in, and answers a statement.',
  })

/** What a check saw, as far as it came. */
export type MysqlSight = { version?: string; value?: SqlValue }
export type MysqlObservation = { outcome: TalkOutcome; sight: MysqlSight }

/** A MySQL or MariaDB server, or one that speaks their protocol. It only reads, and sends no file. */
export const mysql = defineKind<SqlOptions, MysqlObservation>({
  name: 'mysql',
  options,
  secretOptions: secretAccess,
  targetProblem: addressProblem(form),
  observe: async (check, net, signal) => {
    const { url, timeoutMs } = check
    const { username = usualUser, password, security } = check.options
    const { host, port, path: database } = addressTarget(url, form)
    const sight: MysqlSight = {}
    const isSecured = security === 'tls'
    const outcome = await net.talk(
      {
        host,
        port,
        security: isSecured ? 'upgrade' : 'none',
        tls: ownTls(check.options),
        speak: (peer) => {
          const talk = { peer, told: toldBy(check.options), username, password, isSecured, order: 0 }
          return speak(talk, check, { database, sight })
        },
        maxBytes,
        timeoutMs,
      },
      signal,
    )
    return { outcome, sight }
  },
  judge: judgeMysql,
})

type Wanted = { database: string | null; sight: MysqlSight }

async function speak(talk: MysqlTalk, check: Check<SqlOptions>, { database, sight }: Wanted): Promise<void> {
  const { peer, told } = talk
  const greeting = await greet(talk)
  // MariaDB says an old version of MySQL first, for old replicas.
  const version = greeting.version.replace(/^5\.5\.5-(?=.*MariaDB)/, '')
  sight.version = told.readable(version)
  await signIn(talk, greeting, database)
  peer.beginWork()
  const { statement } = check.options
  if (statement === undefined) {
    const [answer] = await query(talk, 'SELECT 1')
    if (answer !== '1') throw peer.fault('The server does not answer SELECT 1 with 1')
  } else {
    sight.value = await runStatement(talk, statement, timeLimit(version, check.timeoutMs))
  }
  begin(talk, goodbye, '')
}

/** The statement that limits the time of the next ones: in seconds, or in milliseconds. */
function timeLimit(version: string, timeoutMs: number): string {
  return version.includes('MariaDB')
    ? `SET SESSION max_statement_time = ${timeoutMs / 1000}`
    : `SET SESSION max_execution_time = ${timeoutMs}`
}

/** Only reads, and not for longer than the check may take. Several statements at once were not agreed on. */
async function runStatement(talk: MysqlTalk, statement: string, limit: string): Promise<SqlValue> {
  for (const each of [limit, 'SET SESSION sql_select_limit = 1', 'START TRANSACTION READ ONLY']) await query(talk, each)
  const rows = await query(talk, statement)
  return rows.length === 0 ? null : { text: rows[0] ?? null }
}

const goodbye = 1
const textQuery = 3

/** Commands begin an exchange of their own. */
function begin(talk: MysqlTalk, command: number, text: string): void {
  talk.order = 0
  send(talk, Buffer.concat([Buffer.from([command]), Buffer.from(text)]))
}

/** The first columns of the rows; none where the statement gives none. */
async function query(talk: MysqlTalk, text: string): Promise<(string | null)[]> {
  const { peer } = talk
  begin(talk, textQuery, text)
  const first = await takeAnswer(talk)
  if (first[0] === 0) return []
  if (first[0] === 0xfb)
    throw peer.fault('The server asks for a file of this location, which is what an attacker would do')
  const columns = readLength(first)
  if (columns === null || columns.value === 0) throw peer.fault(notMysql)
  for (let column = 0; column < columns.value; column++) await takeAnswer(talk)
  if (!isEnd(await takeAnswer(talk))) throw peer.fault(notMysql)
  return takeRows(talk)
}

async function takeRows(talk: MysqlTalk): Promise<(string | null)[]> {
  const rows: (string | null)[] = []
  for (;;) {
    const body = await takeAnswer(talk)
    if (isEnd(body)) return rows
    const value = firstText(body)
    if (value === undefined) throw talk.peer.fault('The server sent a row that cannot be read')
    rows.push(value)
  }
}

async function takeAnswer(talk: MysqlTalk): Promise<Buffer> {
  const body = await take(talk, 'the answer to a statement')
  const error = readMysqlError(body)
  if (error !== null) throw talk.peer.fault(statementProblem(error, talk.told.quoted))
  return body
}

/** Mistakes in a statement, and rights that are missing: what the server says of these holds no data. */
const mistakes: ReadonlySet<number> = new Set([1046, 1054, 1064, 1142, 1143, 1146, 1227, 1305, 1370])

function statementProblem({ code, message }: MysqlError, quote: (said: string) => string): string {
  if (code === 1969 || code === 3024) return 'The statement took longer than the check may take'
  if (code === 1792) return 'The statement wants to change something, which it may not'
  return mistakes.has(code) ? `The statement is refused: ${quote(message)}` : `The statement failed (error ${code})`
}

export function judgeMysql(
  { outcome, sight }: MysqlObservation,
  { options: expected }: Pick<Check<SqlOptions>, 'options'>,
): Verdict {
  const { version, value } = sight
  const details = version === undefined ? {} : { server_version: version }
  const findings = value === undefined ? [] : valueFindings(value, expected)
  return judgeTalk(outcome, { details, findings, maxLatencyMs: expected.max_latency_ms })
}
