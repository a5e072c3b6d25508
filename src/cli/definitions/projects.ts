import { importSources } from '#core/imports/import-source.ts'
import { namesOf } from '#core/language/tables.ts'
import { restDays } from '#core/projects/prune.ts'
import { fileOption, jsonOption, readingOptions, writingOptions } from './common-options.ts'
import type { CommandDefinition } from './definition.ts'

export const exportDefinition = {
  name: 'export',
  summary: 'write the settings of a workspace as a project file',
  synopsis: ['export [--project <id>] [--output <file>] [--json [--history]] [--url <service>] [--token-file <file>]'],
  about: [
    'Writes the settings of a workspace, from its contacts to its reports, as a project file. The file holds no ' +
      'secrets: variables take their place, and export lists the ones that you have to set.',
  ],
  options: {
    project: { type: 'string', value: '<id>', help: 'the id of the project (default main)' },
    output: {
      type: 'string',
      value: '<file>',
      help: 'write to this file instead of the standard output; an existing file is never replaced',
      completed: 'file',
    },
    json: { type: 'boolean', help: 'print JSON as the API has it, with ids, instead of YAML' },
    history: { type: 'boolean', help: 'include the uptime of every day, and all incidents' },
    ...readingOptions,
  },
  remarks: ['Exit codes: 0 done, 1 not done, 2 wrong arguments.'],
} as const satisfies CommandDefinition

const adopt = {
  type: 'boolean',
  help: 'let an entry take over what has the same name and belongs to no project',
} as const

export const planDefinition = {
  name: 'plan',
  summary: 'show how a workspace differs from the project files',
  synopsis: ['plan -f <file or folder>... [--adopt] [--json] [--url <service>] [--token-file <file>]'],
  about: ['Shows how a workspace differs from the project files. It changes nothing.'],
  options: { ...fileOption, adopt, ...jsonOption, ...readingOptions },
  remarks: ['Exit codes: 0 no difference, 1 the comparison failed, 2 there are differences.'],
} as const satisfies CommandDefinition

export const applyDefinition = {
  name: 'apply',
  summary: 'change a workspace to match the project files',
  synopsis: [
    'apply -f <file or folder>... [--adopt | --namesakes] [--prune[=<number>]] [--pay-up-to <dollars>]',
    '              [--secrets <file>] [--json] [--url <service>] [--token-file <file>]',
  ],
  about: [
    'Changes a workspace to match the project files: creates what is missing and changes what differs. If it is ' +
      'interrupted, run it again and it continues where it stopped.',
  ],
  options: {
    ...fileOption,
    adopt,
    namesakes: { type: 'boolean', help: 'create such entries next to what has their names' },
    prune: {
      type: 'boolean',
      value: '[=<number>]',
      help:
        'take out of use what belongs to the project but is no longer in its files, and delete it after ' +
        `${restDays} days: at most a tenth of the project, or the number that you give`,
    },
    'prune-at-most': { type: 'string', help: null },
    'no-try': { type: 'boolean', help: 'do not run new and changed checks before anything is written' },
    'allow-failing': { type: 'boolean', help: 'continue even if such a check fails' },
    'pay-up-to': {
      type: 'string',
      value: '<sum>',
      help: 'how many dollars of credit apply may spend, such as 1.50 (default 0)',
    },
    secrets: {
      type: 'string',
      value: '<file>',
      help: 'add what the service shows only once to this file: signing secrets and heartbeat addresses',
      completed: 'file',
    },
    json: { type: 'boolean', help: 'print one JSON object at the end' },
    ...writingOptions,
  },
  remarks: ['Exit codes: 0 the workspace matches the files, 1 it does not match completely, 2 wrong arguments.'],
} as const satisfies CommandDefinition

export const adoptDefinition = {
  name: 'adopt',
  summary: 'link the entries of a project to what the workspace already has',
  synopsis: ['adopt -f <file or folder>... [--json] [--url <service>] [--token-file <file>]'],
  about: [
    'Links every entry of a project to what has the same name in the workspace. From then on, an entry stays the same ' +
      'object even if its name changes. Nothing else is changed. Objects of other projects, and names that occur twice, ' +
      'are left alone.',
  ],
  options: { ...fileOption, ...jsonOption, ...writingOptions },
  remarks: ['Exit codes: 0 done, 1 not done, 2 wrong arguments.'],
} as const satisfies CommandDefinition

export const validateDefinition = {
  name: 'validate',
  summary: 'check the project files for mistakes',
  synopsis: ['validate -f <file or folder>... [--json]'],
  about: [
    'Reads all project files together, fills in their variables and names every mistake with its file and line. It ' +
      'contacts no service.',
  ],
  options: { ...fileOption, ...jsonOption },
  remarks: ['Exit codes: 0 no mistakes, 1 mistakes, 2 wrong arguments.'],
} as const satisfies CommandDefinition

export const schemaDefinition = {
  name: 'schema',
  summary: 'print the JSON Schema of project files',
  synopsis: ['schema'],
  about: [
    'Prints the JSON Schema of project files. Editors with a YAML language server use it to complete and check a file ' +
      'that begins with the line',
    '  # yaml-language-server: $schema=perigee.schema.json',
  ],
  options: {},
} as const satisfies CommandDefinition

export const discoverDefinition = {
  name: 'discover',
  summary: 'propose monitors for what runs in Docker or Kubernetes',
  synopsis: [
    'discover docker [--docker <address>] [--host <name>] [--project <id>] [--output <file> [--yes]] [--json]',
    'discover kubernetes -f <file> [--project <id>] [--output <file> [--yes]] [--json]',
  ],
  about: [
    'Proposes monitors for what your containers or Kubernetes objects say they serve, with the reason for each. The ' +
      'proposals that you approve are written to a project file, for "perigee plan" and "perigee apply".',
  ],
  verbs: { docker: null, kubernetes: null },
  options: {
    docker: {
      type: 'string',
      value: '<address>',
      help:
        'where Docker or Podman listens: unix:///var/run/docker.sock, or tcp://host:2376 with the certificates in ' +
        'DOCKER_CERT_PATH (default: DOCKER_HOST)',
      of: ['docker'],
    },
    host: {
      type: 'string',
      value: '<name>',
      help: 'the host name or address of published ports; without it, published ports are not proposed',
      of: ['docker'],
    },
    file: {
      type: 'string',
      short: 'f',
      value: '<file>',
      help: 'the output of "kubectl get ingresses,services -A -o json"; - reads the standard input',
      completed: 'file',
      of: ['kubernetes'],
    },
    output: {
      type: 'string',
      value: '<file>',
      help: 'the project file to write; you are asked about each proposal',
      completed: 'file',
    },
    yes: { type: 'boolean', help: 'approve every proposal' },
    project: { type: 'string', value: '<id>', help: 'the id of the project, for a new file' },
    ...jsonOption,
  },
  remarks: ['Exit codes: 0 done, 1 not done, 2 wrong arguments.'],
} as const satisfies CommandDefinition

export const importDefinition = {
  name: 'import',
  summary: 'bring monitors from another tool, with a report of what changes',
  synopsis: ['import [<source>] <file or folder>... [options]'],
  about: [
    "Reads another tool's file and reports which monitors, contacts, status pages and maintenance windows it becomes, what " +
      'works differently in Perigee, what cannot be imported, and which checks fail from this machine. Without --apply, ' +
      '--finish or --undo, nothing is changed anywhere.',
  ],
  takes: 'file',
  terms: { '<source>': `${namesOf(importSources).join(', ')}; default: recognized from the file` },
  options: {
    output: {
      type: 'string',
      value: '<file>',
      help: 'write a project file, for "perigee plan" and "perigee apply"',
      completed: 'file',
    },
    secrets: {
      type: 'string',
      value: '<file>',
      help:
        'write secrets to this file, as shell variables that the project file names. With --apply: add what the ' +
        'service shows only once to this file',
      completed: 'file',
    },
    'inline-secrets': { type: 'boolean', help: 'leave secrets in the project file' },
    project: { type: 'string', value: '<id>', help: 'the id of the project (default: the name of the source)' },
    'no-try': { type: 'boolean', help: 'do not run any checks' },
    'try-for': {
      type: 'string',
      default: '120',
      value: '<seconds>',
      help: 'how long all checks together may take (default 120)',
    },
    'ping-key': {
      type: 'string',
      value: '<key>',
      help: 'the ping key of a Healthchecks project whose jobs call by slug',
    },
    ...jsonOption,
    apply: {
      type: 'boolean',
      help:
        'import into the workspace of the token: create what is missing and change what differs, keep the addresses that ' +
        'jobs call, and bring the history. If it is interrupted, run it again and it continues where it stopped',
    },
    record: {
      type: 'string',
      value: '<file>',
      help: 'where --apply records what it created (default: <project>.import.json)',
      completed: 'file',
    },
    namesakes: {
      type: 'boolean',
      help: 'also create what has the same name as something that belongs to no project',
    },
    'pay-up-to': {
      type: 'string',
      default: '0',
      value: '<sum>',
      help: 'how many dollars of credit --apply may spend, such as 1.50 (default 0)',
    },
    undo: {
      type: 'string',
      value: '<record>',
      help: 'delete what --apply created, with its results, unless it was changed since',
      completed: 'file',
    },
    finish: {
      type: 'boolean',
      help:
        'after "perigee apply": do what a project file cannot express. Keep the addresses at which jobs call the other ' +
        'tool, and bring the history',
    },
    ...writingOptions,
  },
  remarks: [
    'Exit codes: 0 everything is imported unchanged and answers, or everything is done; 1 the file could not be read, or ' +
      'nothing was done; 2 something needs a look.',
  ],
} as const satisfies CommandDefinition
