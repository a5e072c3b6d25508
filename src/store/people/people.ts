import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Person } from '#core/people/person.ts'
import type { Database, Reader, Transaction } from '#store/database/database.ts'

/** A place where a person is signed in. */
export type PersonSession = {
  id: string
  createdAt: Date
  /** To the minute. */
  lastSeenAt: Date
  expiresAt: Date
  address: string | null
  userAgent: string | null
}

const maxListed = 200
const forgetAtOnce = 1000
const hourMs = 3_600_000
/** Someone who signed up and never opened the mail is forgotten after a month. */
const unverifiedMs = 30 * 24 * hourMs
/** A code of an authenticator app is valid for at most 90 s. */
const codeMs = 10 * 60_000

/** `email` in lower case. */
export async function findPersonByEmail(reader: Reader, email: string): Promise<Person | null> {
  const person = await selectPeople(reader).where('email', '=', email).executeTakeFirst()
  return person ?? null
}

/**
 * Until the transaction ends no other one counts or changes things of which the person may have a limited number.
 * Returns the name.
 */
export async function lockPerson(tx: Transaction, personId: string): Promise<string> {
  const { name } = await tx.query
    .selectFrom('people.user')
    .select('name')
    .where('id', '=', personId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return name
}

/** Who is signed in by a session that is not over; null for any other token. */
export async function findSession(
  reader: Reader,
  { token, now }: { token: string; now: Date },
): Promise<{ id: string; person: Person; lastSeenAt: Date } | null> {
  const row = await reader.query
    .selectFrom('people.session as session')
    .innerJoin('people.user as person', 'person.id', 'session.userId')
    .select(['session.id as sessionId', 'session.updatedAt as lastSeenAt'])
    .select(['person.id', 'email', 'name', 'emailVerified as isEmailVerified'])
    .where('token', '=', token)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  if (row === undefined) return null
  const { sessionId, lastSeenAt, ...person } = row
  return { id: sessionId, lastSeenAt, person }
}

/** Remembers when a session was last used, never backwards. */
export async function touchSession(reader: Reader, { sessionId, at }: { sessionId: string; at: Date }): Promise<void> {
  await reader.query
    .updateTable('people.session')
    .set({ updatedAt: at })
    .where('id', '=', sessionId)
    .where('updatedAt', '<', at)
    .execute()
}

/**
 * A person whose address the caller vouches for, with the hash of the password; without one for those who come another
 * way. Null when the address is taken.
 */
export async function insertPerson(
  tx: Transaction,
  { email, name, passwordHash, at }: { email: string; name: string; passwordHash: string | null; at: Date },
): Promise<string | null> {
  const id = randomUUID()
  const made = await tx.query
    .insertInto('people.user')
    .values({ id, email, name, emailVerified: true, createdAt: at, updatedAt: at })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst()
  if (made.numInsertedOrUpdatedRows !== 1n) return null
  if (passwordHash === null) return id
  await tx.query
    .insertInto('people.account')
    .values({
      accountId: id,
      providerId: 'credential',
      userId: id,
      password: passwordHash,
      createdAt: at,
      updatedAt: at,
    })
    .execute()
  return id
}

/** The newest first. */
export async function listSessions(
  reader: Reader,
  { personId, now }: { personId: string; now: Date },
): Promise<PersonSession[]> {
  return reader.query
    .selectFrom('people.session')
    .select([
      'id',
      'createdAt',
      'updatedAt as lastSeenAt',
      'expiresAt',
      sql<string | null>`nullif("ipAddress", '')`.as('address'),
      sql<string | null>`nullif("userAgent", '')`.as('userAgent'),
    ])
    .where('userId', '=', personId)
    .where('expiresAt', '>', now)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(maxListed)
    .$castTo<PersonSession>()
    .execute()
}

/** False when the person has no such session. */
export async function deleteSession(
  reader: Reader,
  { personId, sessionId }: { personId: string; sessionId: string },
): Promise<boolean> {
  const deleted = await reader.query
    .deleteFrom('people.session')
    .where('id', '=', sessionId)
    .where('userId', '=', personId)
    .executeTakeFirst()
  return deleted.numDeletedRows === 1n
}

/**
 * False when the person used this code before: it is good for one sign-in (RFC 6238 5.2). A code has a hash by each
 * secret key, so that a change of the key makes no used one good again.
 */
export async function takeCode(
  reader: Reader,
  { personId, codeHashes, at }: { personId: string; codeHashes: readonly string[]; at: Date },
): Promise<boolean> {
  const taken = await reader.query
    .insertInto('used_codes')
    .values(codeHashes.map((codeHash) => ({ person_id: personId, code_hash: codeHash, used_at: at })))
    .onConflict((conflict) => conflict.columns(['person_id', 'code_hash']).doNothing())
    .executeTakeFirst()
  return taken.numInsertedOrUpdatedRows === BigInt(codeHashes.length)
}

/**
 * Removes sessions, tokens and codes that are over, and sign-ups that were not confirmed; at most 1,000 of each a call.
 */
export async function forgetOver({ pool }: Pick<Database, 'pool'>, now: Date): Promise<number> {
  const time = now.getTime()
  const removals: [string, Date][] = [
    [over('people.session', '"expiresAt"'), now],
    [over('people.verification', '"expiresAt"'), now],
    [over('used_codes', 'used_at'), new Date(time - codeMs)],
    [unverified, new Date(time - unverifiedMs)],
  ]
  let removed = 0
  for (const [statement, before] of removals)
    removed += (await pool.query(statement, [before, forgetAtOnce])).rowCount ?? 0
  return removed
}

function over(table: string, column: string): string {
  return `delete from ${table}
  where ctid in (select ctid from ${table} where ${column} < $1 order by ${column} limit $2)`
}

const unverified = `
delete from people."user"
where id in (
  select id
  from people."user" as p
  where not "emailVerified"
    and "createdAt" < $1
    and not exists (select from members where person_id = p.id)
  order by "createdAt"
  limit $2
)`

function selectPeople(reader: Reader) {
  return reader.query
    .selectFrom('people.user')
    .select(['id', 'email', 'name', 'emailVerified as isEmailVerified'])
    .$castTo<Person>()
}
