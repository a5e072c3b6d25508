import { bad, type Found, good, judged, verdictOf } from '#core/doctor-report.ts'
import { spanInWords } from '#core/language/in-words.ts'
import { assertRoom } from '#store/database/assert-storing.ts'
import type { Database } from '#store/database/database.ts'
import { measureRoundTrip, readServerHealth, type ServerHealth } from '#store/installation/server-health.ts'
import { sizeInWords } from '#core/language/size-in-words.ts'
import type { DoctorCheck } from './doctor-check.ts'

export const database: DoctorCheck = {
  name: 'database',
  look: async (context) => {
    const open = await context.database()
    if (!open.isOpen) return [open.found]
    const health = await readServerHealth(open.database)
    const [roundTripMs, room] = await Promise.all([measureRoundTrip(open.database), roomProblem(open.database)])
    return [...judgeServer(health, open.place), judgeRoundTrip(roundTripMs), judgeRoom(room)]
  },
}

/** Null where there is room for something new. Writes to a file of the server's that is gone with the statement. */
async function roomProblem(open: Database): Promise<string | null> {
  try {
    await open.transaction(assertRoom)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

export function judgeRoom(problem: string | null): Found {
  if (problem === null) return good('room', 'The server has room on its disk for new data.')
  const found = `The database cannot store anything: ${problem.replace(/\.$/, '')}.`
  return bad('room', found, 'Make room on the disk of the database. Results wait at the probers for an hour at most.')
}

const roundTripLimits = { warning: 100, bad: 1_000 }

export function judgeRoundTrip(ms: number): Found {
  return judged('round trip', verdictOf(ms, roundTripLimits), {
    found: `A question and its answer take ${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms.`,
    advice: 'Look at the network between this machine and the database, and at the load of the database.',
  })
}

/** The share of the connections that the server allows. */
const connectionLimits = { warning: 0.8, bad: 0.95 }
/** Longer ones keep dead rows alive, and the tables grow. */
const transactionLimits = { warning: 300, bad: 3_600 }

export function judgeServer(health: ServerHealth, place: string): Found[] {
  const { connections, longestTransaction: longest } = health
  return [
    good(
      'connection',
      `${upperFirst(place)} answers: PostgreSQL ${health.version}, ${sizeInWords(health.sizeBytes)} of data.`,
    ),
    health.isStandby
      ? bad(
          'changes',
          'The server is a standby and takes no changes.',
          'Set PERIGEE_DATABASE_URL to the primary server.',
        )
      : good('changes', 'The server takes changes.'),
    judgeRights(health),
    judged('connections', verdictOf(connections.used / connections.allowed, connectionLimits), {
      found: `${connections.used} of ${connections.allowed} connections are used.`,
      advice:
        'Raise max_connections of PostgreSQL, or end other programs that use it (docs/operating.md says how many each process opens).',
    }),
    judged('longest transaction', verdictOf(longest?.seconds ?? 0, transactionLimits), {
      found:
        longest === null
          ? 'No transaction is open.'
          : `The longest transaction has been open for ${spanInWords(longest.seconds)} (${longest.application || 'no name'}, ${longest.state}).`,
      advice: 'Find the program by pg_stat_activity and end its transaction: until then PostgreSQL cannot clean up.',
    }),
  ]
}

function judgeRights({ role, rights }: ServerHealth): Found {
  const missing = [
    ...(rights.canCreate ? [] : ['may not make tables in its schema']),
    ...(rights.foreignTables > 0 ? [`does not own ${rights.foreignTables} of the tables`] : []),
  ]
  if (missing.length === 0) return good('rights', `The role ${role} may change the schema.`)
  return bad(
    'rights',
    `The role ${role} ${missing.join(' and ')}, so an upgrade cannot change the schema.`,
    `Make ${role} the owner of the schema and of its tables.`,
  )
}

function upperFirst(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}
