import { z } from 'zod'
import type { Verdict } from '#core/results/result.ts'
import type { TalkOutcome } from '#net/tcp/talk.ts'
import { type Check, defineKind } from '#kinds/kind.ts'
import { type Finding, judgeTalk } from '#kinds/talk/judge-talk.ts'
import { ownTls, secretAccess, toldBy } from '#kinds/talk/access-options.ts'
import { type AddressForm, addressProblem, addressTarget } from '#kinds/address-target.ts'
import { firstColumn, goodbye, readFields, simpleQuery, singleStatement, takeMessage } from './postgresql-messages.ts'
import { beginTls, type PostgresqlTalk, signIn } from './postgresql-sign-in.ts'
import {
  checkSqlOptions,
  databaseNameProblem,
  sqlOptions,
  type SqlValue,
  usualUser,
  valueFindings,
  valueNeedsStatement,
} from './sql-options.ts'

const maxBytes = 256 * 1024

const form: AddressForm = {
  ports: { postgresql: 5432, postgres: 5432 },
  example: 'postgresql://db.example.com:5432/shop',
  path: { noun: 'database', problem: databaseNameProblem },
}
const usualDatabase = 'postgres'

const options = z
  .strictObject({
    ...sqlOptions,
    expected_role: z.enum(['primary', 'replica']).optional().describe('The role that the server must have.'),
  })
  .superRefine(checkSqlOptions)
  .meta({ ...valueNeedsStatement, description: 'A PostgreSQL server that lets a user in, and answers a statement.' })
export type PostgresqlOptions = z.infer<typeof options>

/** What a check saw, as far as it came. */
export type PostgresqlSight = { version?: string; role?: 'primary' | 'replica'; value?: SqlValue }
export type PostgresqlObservation = { outcome: TalkOutcome; sight: PostgresqlSight }

/** A PostgreSQL server, or one that speaks its protocol, such as a pool before it. It only reads. */
export const postgresql = defineKind<PostgresqlOptions, PostgresqlObservation>({
  name: 'postgresql',
  options,
  secretOptions: secretAccess,
  targetProblem: addressProblem(form),
  observe: async (check, net, signal) => {
    const { url, timeoutMs } = check
    const { username = usualUser, password, security } = check.options
    const { host, port, path: database } = addressTarget(url, form)
    const sight: PostgresqlSight = {}
    const isSecured = security === 'tls'
    const outcome = await net.talk(
      {
        host,
        port,
        security: isSecured ? 'upgrade' : 'none',
        tls: ownTls(check.options),
        speak: (peer) => {
          const talk = {
            peer,
            told: toldBy(check.options),
            username,
            password,
            isSecured,
            parameters: new Map<string, string>(),
          }
          return speak(talk, check, { database: database ?? usualDatabase, sight })
        },
        maxBytes,
        timeoutMs,
      },
      signal,
    )
    return { outcome, sight }
  },
  judge: judgePostgresql,
})

type Wanted = { database: string; sight: PostgresqlSight }

async function speak(
  talk: PostgresqlTalk,
  check: Check<PostgresqlOptions>,
  { database, sight }: Wanted,
): Promise<void> {
  const { peer, told, isSecured, parameters } = talk
  if (isSecured) await beginTls(talk)
  await signIn(talk, database)
  const version = parameters.get('server_version')
  if (version !== undefined) sight.version = told.readable(version)
  const standby = parameters.get('in_hot_standby')
  if (standby !== undefined) sight.role = standby === 'on' ? 'replica' : 'primary'
  peer.beginWork()
  const { statement, expected_role: role } = check.options
  // Pools pass on no `in_hot_standby`, and servers before 14 have none.
  if (role !== undefined) sight.role = (await query(talk, 'SELECT pg_is_in_recovery()')) === 't' ? 'replica' : 'primary'
  if (statement !== undefined) sight.value = await runStatement(talk, statement, check.timeoutMs)
  else if (role === undefined && (await query(talk, 'SELECT 1')) !== '1')
    throw peer.fault('The server does not answer SELECT 1 with 1')
  peer.send(goodbye)
}

/** Only reads, and not for longer than the check may take; what the monitor's owner wrote is one statement alone. */
async function runStatement(talk: PostgresqlTalk, statement: string, timeoutMs: number): Promise<SqlValue> {
  await query(talk, `BEGIN READ ONLY; SET LOCAL statement_timeout = ${timeoutMs}`)
  talk.peer.send(singleStatement(statement))
  const rows = await takeRows(talk)
  return rows.length === 0 ? null : { text: rows[0] ?? null }
}

async function query(talk: PostgresqlTalk, text: string): Promise<string | null> {
  talk.peer.send(simpleQuery(text))
  return (await takeRows(talk))[0] ?? null
}

/** The first columns of the rows, until the server is ready for the next query. */
async function takeRows({ peer, told }: PostgresqlTalk): Promise<(string | null)[]> {
  const rows: (string | null)[] = []
  for (;;) {
    const { type, body } = await takeMessage(peer, 'the answer to a statement')
    if (type === 'Z') return rows
    if (type === 'E') throw peer.fault(statementProblem(readFields(body), told.quoted))
    if (type === 'G' || type === 'H' || type === 'W')
      throw peer.fault('The server wants to copy data, which no statement here asks for')
    const value = type === 'D' ? firstColumn(body) : null
    if (value === undefined) throw peer.fault('The server sent a row that cannot be read')
    if (type === 'D') rows.push(value)
  }
}

/** Messages of the class 42, of mistakes in the statement, hold no data; others may repeat a value. */
function statementProblem(fields: ReadonlyMap<string, string>, quote: (said: string) => string): string {
  const code = fields.get('C') ?? ''
  if (code === '57014') return 'The statement took longer than the check may take'
  if (code === '25006') return 'The statement wants to change something, which it may not'
  if (code.startsWith('42')) return `The statement is refused: ${quote(fields.get('M') ?? '')}`
  return `The statement failed (SQLSTATE ${/^[0-9A-Z]{5}$/.test(code) ? code : 'unknown'})`
}

export function judgePostgresql(
  { outcome, sight }: PostgresqlObservation,
  { options: expected }: Pick<Check<PostgresqlOptions>, 'options'>,
): Verdict {
  const { version, role, value } = sight
  const details = {
    ...(version === undefined ? {} : { server_version: version }),
    ...(role === undefined ? {} : { role }),
  }
  const wanted = expected.expected_role
  const roles: Finding[] =
    wanted === undefined || role === undefined || role === wanted
      ? []
      : [{ status: 'down', error: `The server is a ${role}, expected a ${wanted}` }]
  const values = value === undefined ? [] : valueFindings(value, expected)
  return judgeTalk(outcome, { details, findings: [...roles, ...values], maxLatencyMs: expected.max_latency_ms })
}
