import type { ProcessRole } from '#config/roles.ts'
import type { CommandDefinition } from './definition.ts'

export const startDefinition = {
  name: 'start',
  summary: 'run the service, and watch the addresses that you give',
  synopsis: ['start [https://example.com ...]'],
  about: [
    'Runs the service until Ctrl-C or SIGTERM. It watches the given addresses at once and prints their changes of state.',
  ],
  options: {},
} as const satisfies CommandDefinition

const tasks: Readonly<Record<ProcessRole, readonly [summary: string, task: string]>> = {
  api: ['run only the API', 'Serves the API and takes heartbeat calls'],
  engine: [
    'run only scheduling and evaluation',
    'Schedules a share of the monitors, evaluates their results, opens and resolves incidents',
  ],
  jobs: [
    'run only alerts, mail and housekeeping',
    'Sends alerts and mail, looks up domains, merges and deletes old results',
  ],
  prober: ['run only the checks of a location', 'Runs the checks of the locations in PERIGEE_LOCATIONS'],
}

/** For installations on more than one machine. */
export function roleDefinition(role: ProcessRole): CommandDefinition {
  const [summary, task] = tasks[role]
  return {
    name: role,
    summary,
    synopsis: [role],
    about: [
      `${task}, until Ctrl-C or SIGTERM. It serves /healthz, /readyz and /metrics on PERIGEE_HOST and PERIGEE_PORT. ` +
        'docs/operating.md shows how the roles work together.',
    ],
    options: {},
  }
}

export const statusDefinition = {
  name: 'status',
  summary: 'show the health of the service: engines, locations, queues',
  synopsis: ['status [--json]'],
  about: [
    'Shows the health of the installation: engines and their partitions, locations, late checks and queues.',
    'It asks the process at PERIGEE_HOST and PERIGEE_PORT, with PERIGEE_METRICS_TOKEN or the token in the data folder, ' +
      'or the service at PERIGEE_PUBLIC_URL, with PERIGEE_METRICS_TOKEN. If neither answers, it reads the database.',
    'Exit codes: 0 everything is fine, 1 something needs attention.',
  ],
  options: { json: { type: 'boolean', help: 'print one JSON object' } },
} as const satisfies CommandDefinition

export const doctorDefinition = {
  name: 'doctor',
  summary: 'find out what is wrong with the installation, and what to do',
  synopsis: ['doctor [--mail-to <address>] [--ntp <host>] [--json]'],
  about: [
    'Looks at everything that the service needs, from this machine: configuration, database, broker, clock, ping, name ' +
      'servers, ways out, mail, feeds, disk, memory, locations and its own address. Each finding says what to do.',
    'It works while the service runs, while it does not, and when it cannot start. It changes nothing: the database is ' +
      'only read, and its embedded PostgreSQL is not started. Run it as the user of the service, with the same variables.',
  ],
  options: {
    'mail-to': { type: 'string', value: '<address>', help: 'also send a message to this address' },
    ntp: { type: 'string', value: '<host>', help: 'also compare the clock with this time server' },
    json: { type: 'boolean', help: 'print one JSON object' },
  },
  remarks: ['Exit codes: 0 nothing is bad, 1 something is bad, 2 wrong arguments.'],
} as const satisfies CommandDefinition

export const migrateDefinition = {
  name: 'migrate',
  summary: 'update the database to this release',
  synopsis: ['migrate'],
  about: [
    'Updates the database to this release. "perigee start" does this itself; run it when several processes share a database.',
  ],
  options: {},
} as const satisfies CommandDefinition
