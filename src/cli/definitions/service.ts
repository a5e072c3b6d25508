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
    help: 'such as https://up.example.com (default: PERIGEE_URL, or the service that runs on the data folder)',
  },
  'token-file': {
    type: 'string',
    value: '<file>',
    help: 'a file with an API token (default: PERIGEE_TOKEN or PERIGEE_TOKEN_FILE)',
    completed: 'file',
  },
} as const satisfies Readonly<Record<string, OptionDefinition>>

const naming =
  'Name a monitor by its id, its name, or a part of its name that no other monitor has. If several match, they are ' +
  'listed and nothing is changed.'
const exitCodes = 'Exit codes: 0 done, 1 not done, 2 wrong arguments.'

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
    `Works with a running service. ${naming}`,
    'list and show need a token with read scope, the others a token with write scope. Deleting a monitor also deletes ' +
      'its results permanently; its incidents stay.',
  ],
  verbs: { list: null, show: 'monitor', pause: 'monitor', resume: 'monitor', delete: 'monitor' },
  options: {
    status: {
      type: 'string',
      value: '<status>',
      help: `only monitors in this state: ${monitorStatusFilters.join(', ')}; separate several with commas`,
      completed: monitorStatusFilters,
      of: ['list'],
    },
    kind: {
      type: 'string',
      value: '<kind>',
      help: 'only monitors of this kind; separate several with commas',
      completed: kindNames,
      of: ['list'],
    },
    tag: {
      type: 'string',
      value: '<tag>',
      help: 'only monitors with this tag; separate several with commas',
      of: ['list'],
    },
    name: { type: 'string', value: '<part>', help: 'only monitors with this text in their names', of: ['list'] },
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
    'Works with a running service. list shows ongoing incidents; with --status, at most the newest 500 of that status. ' +
      'ack tells your team that you are on it, and stops further alerts except the one for the recovery.',
    `Name an incident by its id or by its monitor. ${naming}`,
  ],
  verbs: { list: null, ack: 'incident' },
  options: {
    status: {
      type: 'string',
      value: '<status>',
      help: `only incidents with this status: ${incidentStatuses.join(', ')}; separate several with commas`,
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
  summary: 'watch all monitors live in the terminal',
  synopsis: ['top [--json]'],
  about: [
    'Shows the monitors of a running service live, the ones in trouble first. Press Up and Down to choose a monitor, ' +
      'Enter to open it, a to acknowledge its incident, q to quit. With --json, top prints the same data once.',
    'Acknowledging needs a token with write scope; everything else works with read scope.',
  ],
  options,
  remarks: [exitCodes],
} as const satisfies CommandDefinition
