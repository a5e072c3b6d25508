import type { PartCommand } from '#config/roles.ts'
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

const tasks: Readonly<Record<PartCommand, readonly [summary: string, task: string]>> = {
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
  'browser-prober': [
    'visit pages with a browser for a location',
    'Makes the visits of kind browser for the locations in PERIGEE_LOCATIONS, whose other probers make none then',
  ],
}

/** For installations on more than one machine. */
export function roleDefinition(role: PartCommand): CommandDefinition {
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

export const backupDefinition = {
  name: 'backup',
  summary: 'write everything that the database holds into a file',
  synopsis: ['backup [--to <file>] [--passphrase-file <file>]'],
  about: [
    'Writes a backup of one moment, while the service runs or not: the embedded PostgreSQL or the database of ' +
      "PERIGEE_DATABASE_URL. Without --to, the file lies in PERIGEE_BACKUP_FOLDER, or in the data folder's backups, and is named for the time.",
    'With a passphrase, of the file or in PERIGEE_BACKUP_PASSPHRASE, the backup is encrypted, and holds the secret key of the installation too. Without one it does not: ' +
      'keep the key in another place (docs/operating.md).',
  ],
  options: {
    to: { type: 'string', value: '<file>', help: 'where it is written; - for standard output', completed: 'file' },
    'passphrase-file': {
      type: 'string',
      value: '<file>',
      help: 'encrypt it with the first line of this file',
      completed: 'file',
    },
  },
} as const satisfies CommandDefinition

export const restoreDefinition = {
  name: 'restore',
  summary: 'make an empty database what a backup holds',
  synopsis: [
    'restore <file> [--passphrase-file <file>] [--live]',
    'restore <file> --passphrase-file <file> --key-to <file>',
  ],
  about: [
    'Restores a backup into an empty data folder, or into the empty database of PERIGEE_DATABASE_URL, and compares each ' +
      'table with what the backup says of it. Name the file - for standard input.',
    'The restored installation sends nothing, because the original may still run: no alerts, no mails, no reports, no ' +
      'payments. "perigee resume-sending" ends that.',
  ],
  takes: 'file',
  options: {
    'passphrase-file': {
      type: 'string',
      value: '<file>',
      help: 'the file whose first line encrypted the backup',
      completed: 'file',
    },
    live: { type: 'boolean', help: 'send at once: the original is gone' },
    'key-to': {
      type: 'string',
      value: '<file>',
      help: 'only write the secret key that is in the backup to this file, for PERIGEE_SECRET_KEY_FILE',
      completed: 'file',
    },
  },
} as const satisfies CommandDefinition

export const resumeSendingDefinition = {
  name: 'resume-sending',
  summary: 'let a restored installation send alerts and mail again',
  synopsis: ['resume-sending'],
  about: [
    'Ends what "perigee restore" began: alerts, mails and payments of the restored installation leave again, within ' +
      'seconds. Alerts that wait and are younger than 24 hours are sent. Stop the original before.',
  ],
  options: {},
} as const satisfies CommandDefinition
