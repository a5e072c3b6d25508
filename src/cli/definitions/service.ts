// The commands that ask a running service for what its console shows.
import { incidentStatuses } from '#core/incidents/incident.ts'
import { kindNames } from '#core/monitors/kind-traits.ts'
import { monitorStatusFilters } from '#core/monitors/monitor-filter.ts'
import { jsonOption } from './common-options.ts'
import type { CommandDefinition, OptionDefinition } from './definition.ts'

const options = {
  ...jsonOption,
  url: {
    type: 'string',
    value: '<service>',
    help: 'such as https://up.example.com; else PERIGEE_URL, or the service that runs on the data folder',
  },
  'token-file': {
    type: 'string',
    value: '<file>',
    help: 'the file with an API token; else PERIGEE_TOKEN, or PERIGEE_TOKEN_FILE',
    completed: 'file',
  },
} as const satisfies Readonly<Record<string, OptionDefinition>>

const naming =
  'A monitor is named by its id, its name, or a part of its name that no other monitor has; where several fit, they are ' +
  'listed and nothing is done.'
const exitCodes = 'Exit code: 0 done, 1 not done, 2 wrong arguments.'

export const monitorsDefinition = {
  name: 'monitors',
  summary: 'list, show, pause, resume and delete the monitors of a service',
  synopsis: [
    'monitors list [--status <status>] [--kind <kind>] [--tag <tag>] [--name <part>] [--json]',
    'monitors show <monitor> [--json]',
    'monitors pause <monitor>... [--json]',
    'monitors resume <monitor>... [--json]',
    'monitors delete <monitor>... [--yes] [--json]',
  ],
  about: [
    `Asks a running service. ${naming}`,
    'list and show need a token of the read scope, the others one of the write scope. Deleting a monitor also deletes its ' +
      'results, for good; its incidents stay.',
  ],
  verbs: { list: null, show: 'monitor', pause: 'monitor', resume: 'monitor', delete: 'monitor' },
  options: {
    status: {
      type: 'string',
      value: '<status>',
      help: `only those that are so: ${monitorStatusFilters.join(', ')}; several with commas`,
      completed: monitorStatusFilters,
      of: ['list'],
    },
    kind: {
      type: 'string',
      value: '<kind>',
      help: 'only those of this kind; several with commas',
      completed: kindNames,
      of: ['list'],
    },
    tag: { type: 'string', value: '<tag>', help: 'only those with this tag; several with commas', of: ['list'] },
    name: { type: 'string', value: '<part>', help: 'only those with this in their names', of: ['list'] },
    yes: { type: 'boolean', help: 'delete without asking', of: ['delete'] },
    ...options,
  },
  remarks: [exitCodes],
} as const satisfies CommandDefinition

export const incidentsDefinition = {
  name: 'incidents',
  summary: 'list and acknowledge the incidents of a service',
  synopsis: [
    'incidents list [--status <status>] [--json]',
    'incidents ack <incident or monitor>... [--json]',
    'incidents ack --all [--json]',
  ],
  about: [
    'Asks a running service. list shows the incidents that are not resolved, unless --status says otherwise: then at most ' +
      'the newest 500. ack tells the team that somebody is on it, and stops further alerts but that of the recovery.',
    `An incident is named by its id or by its monitor. ${naming}`,
  ],
  verbs: { list: null, ack: 'incident' },
  options: {
    status: {
      type: 'string',
      value: '<status>',
      help: `only those that are ${incidentStatuses.join(', ')}; several with commas`,
      completed: incidentStatuses,
      of: ['list'],
    },
    all: { type: 'boolean', help: 'acknowledge every open incident', of: ['ack'] },
    ...options,
  },
  remarks: [exitCodes],
} as const satisfies CommandDefinition

export const topDefinition = {
  name: 'top',
  summary: 'watch all monitors of a service in the terminal',
  synopsis: ['top [--json]'],
  about: [
    'Shows the monitors of a running service, those in trouble first, and keeps them up to date. Up and Down choose a ' +
      'monitor, Enter shows it, a acknowledges its incident, q quits. With --json it prints once what it would show.',
    'Acknowledging needs a token of the write scope, everything else one of the read scope.',
  ],
  options,
  remarks: [exitCodes],
} as const satisfies CommandDefinition
