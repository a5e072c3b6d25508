import { importSources } from '#core/imports/import-source.ts'
import { namesOf } from '#core/language/tables.ts'
import { restDays } from '#core/projects/prune.ts'
import { fileOption, jsonOption, readingOptions, writingOptions } from './common-options.ts'
import type { CommandDefinition } from './definition.ts'

export const exportDefinition = {
  name: 'export',
  summary: 'write what a workspace is set to as a file of a project',
  synopsis: ['export [--project <id>] [--output <file>] [--json [--history]] [--url <service>] [--token-file <file>]'],
  about: [
    'Writes what a workspace is set to, from its contacts to its reports, as a file of a project. Secrets are not ' +
      'in it: variables stand in their places, and what has to be set is listed.',
  ],
  options: {
    project: { type: 'string', value: '<id>', help: 'the id that the project gets. Default "main"' },
    output: {
      type: 'string',
      value: '<file>',
      help: 'where to write, instead of to the standard output; a file that is there is not replaced',
      completed: 'file',
    },
    json: { type: 'boolean', help: 'JSON as the API has it, with ids, instead of YAML' },
    history: { type: 'boolean', help: 'with it the uptime of each day, and all incidents' },
    ...readingOptions,
  },
  remarks: ['Exit code: 0 done, 1 not done, 2 wrong arguments.'],
} as const satisfies CommandDefinition

const adopt = {
  type: 'boolean',
  help: 'take what has the name of an entry, and belongs to no project, for the entry',
} as const

export const planDefinition = {
  name: 'plan',
  summary: 'say how a workspace differs from the files of a project',
  synopsis: ['plan -f <file or folder>... [--adopt] [--json] [--url <service>] [--token-file <file>]'],
  about: ['Says how a workspace differs from the files of a project, and changes nothing.'],
  options: { ...fileOption, adopt, ...jsonOption, ...readingOptions },
  remarks: ['Exit code: 0 there is no difference, 2 there is, 1 it could not be found out.'],
} as const satisfies CommandDefinition

export const applyDefinition = {
  name: 'apply',
  summary: 'make a workspace as the files of a project say',
  synopsis: [
    'apply -f <file or folder>... [--adopt | --namesakes] [--prune[=<number>]] [--pay-up-to <dollars>]',
    '              [--secrets <file>] [--json] [--url <service>] [--token-file <file>]',
  ],
  about: [
    'Makes a workspace as the files of a project say: creates what is not there, and changes what differs. Ended at any ' +
      'moment and begun again, it goes on where it was.',
  ],
  options: {
    ...fileOption,
    adopt,
    namesakes: { type: 'boolean', help: 'make such entries beside what has their names' },
    prune: {
      type: 'boolean',
      value: '[=<number>]',
      help:
        'put to rest what belongs to the project and stands in its files no more, and delete what has rested for ' +
        `${restDays} days: at most a tenth of the project, or as many as are named`,
    },
    'prune-at-most': { type: 'string', help: null },
    'no-try': { type: 'boolean', help: 'do not try new and changed checks before anything is written' },
    'allow-failing': { type: 'boolean', help: 'go on where such a check fails' },
    'pay-up-to': {
      type: 'string',
      value: '<sum>',
      help: 'how many dollars of credit it may take, such as 1.50. Default 0',
    },
    secrets: {
      type: 'string',
      value: '<file>',
      help: 'where what the service shows once is added: signing secrets and the addresses of heartbeats',
      completed: 'file',
    },
    json: { type: 'boolean', help: 'print one JSON object at the end' },
    ...writingOptions,
  },
  remarks: ['Exit code: 0 the workspace is as the files say, 1 not all of it, 2 wrong arguments.'],
} as const satisfies CommandDefinition

export const adoptDefinition = {
  name: 'adopt',
  summary: 'say which of a workspace the entries of a project stand for',
  synopsis: ['adopt -f <file or folder>... [--json] [--url <service>] [--token-file <file>]'],
  about: [
    'Has the entries of a project stand for what the workspace has by their names: from then on an entry is the same ' +
      'object when its name changes. Nothing else is changed. What belongs to another project, and what has a name that ' +
      'is there twice, is left alone.',
  ],
  options: { ...fileOption, ...jsonOption, ...writingOptions },
  remarks: ['Exit code: 0 done, 1 not done, 2 wrong arguments.'],
} as const satisfies CommandDefinition

export const validateDefinition = {
  name: 'validate',
  summary: 'read the files of a project, and say what is wrong with them',
  synopsis: ['validate -f <file or folder>... [--json]'],
  about: [
    'Reads the files of a project as a whole, fills in their variables, and asks no service. What is wrong is told with ' +
      'the file and the line.',
  ],
  options: { ...fileOption, ...jsonOption },
  remarks: ['Exit code: 0 nothing is wrong, 1 something is, 2 wrong arguments.'],
} as const satisfies CommandDefinition

export const schemaDefinition = {
  name: 'schema',
  summary: 'print the JSON Schema of the files of a project',
  synopsis: ['schema'],
  about: [
    'Prints the JSON Schema of the files of a project. Editors with a YAML language server complete and check by it where ' +
      'a file begins with the line',
    '  # yaml-language-server: $schema=perigee.schema.json',
  ],
  options: {},
} as const satisfies CommandDefinition

export const discoverDefinition = {
  name: 'discover',
  summary: 'propose monitors for what Docker or Kubernetes runs',
  synopsis: [
    'discover docker [--docker <address>] [--host <name>] [--project <id>] [--output <file> [--yes]] [--json]',
    'discover kubernetes -f <file> [--project <id>] [--output <file> [--yes]] [--json]',
  ],
  about: [
    'Proposes monitors for what containers, or objects of Kubernetes, say they serve, and why. What is approved is ' +
      'written as a file of a project, for "perigee plan" and "perigee apply".',
  ],
  verbs: { docker: null, kubernetes: null },
  options: {
    docker: {
      type: 'string',
      value: '<address>',
      help:
        'where Docker or Podman listens: unix:///var/run/docker.sock, or tcp://host:2376 with the certificates in ' +
        'DOCKER_CERT_PATH. Else DOCKER_HOST',
      of: ['docker'],
    },
    host: {
      type: 'string',
      value: '<name>',
      help: 'at which name or address published ports are reached; without it none are proposed',
      of: ['docker'],
    },
    file: {
      type: 'string',
      short: 'f',
      value: '<file>',
      help: 'what "kubectl get ingresses,services -A -o json" printed; - for the standard input',
      completed: 'file',
      of: ['kubernetes'],
    },
    output: {
      type: 'string',
      value: '<file>',
      help: 'the file that a discovery writes; each proposal is asked about in the terminal',
      completed: 'file',
    },
    yes: { type: 'boolean', help: 'approve all' },
    project: { type: 'string', value: '<id>', help: 'the project that a new file is of' },
    ...jsonOption,
  },
  remarks: ['Exit code: 0 done, 1 not done, 2 wrong arguments.'],
} as const satisfies CommandDefinition

export const importDefinition = {
  name: 'import',
  summary: 'say what of the file of another tool arrives here, and write it as files of a project',
  synopsis: ['import [<source>] <file or folder>... [options]'],
  about: [
    'Reads the file of another tool and says what of it arrives as monitors, contacts, status pages and maintenance, what ' +
      'means something else here, what has no place here, and which checks fail from this machine. Nothing is changed ' +
      'anywhere without --apply, --finish or --undo.',
  ],
  takes: 'file',
  terms: { '<source>': `${namesOf(importSources).join(', ')}; else it is told by the file` },
  options: {
    output: {
      type: 'string',
      value: '<file>',
      help: 'write what arrives as the file of a project, for "perigee plan" and "perigee apply"',
      completed: 'file',
    },
    secrets: {
      type: 'string',
      value: '<file>',
      help:
        'where secrets go: a file of variables for a shell. The project has their names. With --apply, where what the ' +
        'service shows once is added',
      completed: 'file',
    },
    'inline-secrets': { type: 'boolean', help: 'leave secrets in the file of the project' },
    project: { type: 'string', value: '<id>', help: 'the id of the project. Default: the name of the source' },
    'no-try': { type: 'boolean', help: 'make no checks' },
    'try-for': {
      type: 'string',
      default: '120',
      value: '<seconds>',
      help: 'how long checks may take together. Default 120',
    },
    'ping-key': { type: 'string', value: '<key>', help: 'of a project of Healthchecks whose jobs call by slugs' },
    ...jsonOption,
    apply: {
      type: 'boolean',
      help:
        'make it, in the workspace of the token: what is not there yet, and what differs. Jobs find their addresses, and ' +
        'the history comes along. Ended at any moment and begun again, it goes on where it was',
    },
    record: {
      type: 'string',
      value: '<file>',
      help: 'where --apply notes what it made. Default: <project>.import.json',
      completed: 'file',
    },
    namesakes: {
      type: 'boolean',
      help: 'make also what has the name of something that is there and belongs to no project',
    },
    'pay-up-to': {
      type: 'string',
      default: '0',
      value: '<sum>',
      help: 'how many dollars of credit --apply may take, such as 1.50. Default 0',
    },
    undo: {
      type: 'string',
      value: '<record>',
      help: 'remove what --apply made and what was not changed since, with its results',
      completed: 'file',
    },
    finish: {
      type: 'boolean',
      help:
        'only do what a project cannot say, once it is applied: lead jobs to the monitors by the addresses at which they ' +
        'call the other tool, and bring the history along',
    },
    ...writingOptions,
  },
  remarks: [
    'Exit code: 0 all arrives as it was and answers, or all is done; 2 there is something to look at; 1 the file could ' +
      'not be read, or nothing was done.',
  ],
} as const satisfies CommandDefinition
