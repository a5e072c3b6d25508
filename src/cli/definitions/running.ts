import type { ProcessRole } from '#config/roles.ts'
import type { CommandDefinition } from './definition.ts'

export const startDefinition = {
  name: 'start',
  summary: 'run the service; also watch the addresses that are given',
  synopsis: ['start [https://example.com ...]'],
  about: [
    'Runs the service until Ctrl-C or SIGTERM. Addresses are watched at once, and their changes of state are printed.',
  ],
  options: {},
} as const satisfies CommandDefinition

const tasks: Readonly<Record<ProcessRole, readonly [summary: string, task: string]>> = {
  api: ['run the API alone', 'Serves the API and takes the calls of heartbeats'],
  engine: [
    'run schedule and evaluation alone',
    'Schedules a share of the monitors, takes their results, opens and resolves incidents',
  ],
  jobs: [
    'run alerts, mail and housekeeping alone',
    'Sends alerts and mail, looks up domains, merges and forgets results',
  ],
  prober: ['run the checks of a location alone', 'Checks from the locations of PERIGEE_LOCATIONS'],
}

/** For installations on more than one machine. */
export function roleDefinition(role: ProcessRole): CommandDefinition {
  const [summary, task] = tasks[role]
  return {
    name: role,
    summary,
    synopsis: [role],
    about: [
      `${task}, until Ctrl-C or SIGTERM. Its health is at /healthz and /readyz, its metrics are at /metrics, on ` +
        'PERIGEE_HOST and PERIGEE_PORT. docs/operating.md says how the roles make up an installation.',
    ],
    options: {},
  }
}

export const statusDefinition = {
  name: 'status',
  summary: 'say how the service is: engines, locations, queues',
  synopsis: ['status [--json]'],
  about: [
    'Says how the installation is: engines and their partitions, locations, what is late, what waits. It asks the ' +
      'process that listens at PERIGEE_HOST and PERIGEE_PORT with PERIGEE_METRICS_TOKEN or the token in the data folder, ' +
      'or the service at PERIGEE_PUBLIC_URL with PERIGEE_METRICS_TOKEN, and reads the database when none answers. The ' +
      'exit code is 1 when something has to be looked at.',
  ],
  options: { json: { type: 'boolean', help: 'print one JSON object' } },
} as const satisfies CommandDefinition

export const migrateDefinition = {
  name: 'migrate',
  summary: 'bring the database up to this release',
  synopsis: ['migrate'],
  about: [
    'Brings the database up to this release. "perigee start" does so by itself; this is for databases of several processes.',
  ],
  options: {},
} as const satisfies CommandDefinition
