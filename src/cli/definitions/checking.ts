import { kindNames, kindTraits, usualKind } from '#core/monitors/kind-traits.ts'
import { fileOption, jsonOption, readingOptions } from './common-options.ts'
import type { CommandDefinition } from './definition.ts'

/** Names of the kinds that are checked from somewhere: others are called, or read other monitors. */
const checkable = kindNames.filter((name) => kindTraits[name].source === 'probed')
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export const usualTimeoutMs = 10_000

export const checkDefinition = {
  name: 'check',
  summary: 'check one target now, or everything in the project files',
  synopsis: ['check <target> [options]'],
  about: ['Checks a target once, from this machine. Private addresses are allowed.'],
  options: {
    kind: {
      type: 'string',
      default: usualKind,
      value: '<kind>',
      help: `${checkable.join(', ')} (default ${usualKind})`,
      completed: checkable,
    },
    option: {
      type: 'string',
      multiple: true,
      default: [],
      value: '<key>=<value>',
      help: 'a check option, such as json_path=status; can be repeated',
    },
    method: {
      type: 'string',
      default: 'GET',
      value: '<method>',
      help: 'GET, HEAD, POST, PUT, PATCH or DELETE (default GET)',
      completed: methods,
    },
    header: { type: 'string', multiple: true, default: [], value: "'<name>: <value>'", help: 'can be repeated' },
    keyword: { type: 'string', value: '<text>', help: 'text that the response must contain' },
    timeout: {
      type: 'string',
      default: String(usualTimeoutMs),
      value: '<ms>',
      help: `500 to 60000 (default ${usualTimeoutMs})`,
    },
    json: { type: 'boolean', default: false, help: 'print one JSON object' },
  },
  remarks: [
    'Exit codes: 0 up or degraded, 1 down, 2 wrong arguments.',
    '"perigee check -f <file or folder>" runs every check of a project once; see "perigee check -f --help".',
  ],
} as const satisfies CommandDefinition

export const checkFilesDefinition = {
  name: 'check',
  summary: checkDefinition.summary,
  synopsis: ['check -f <file or folder>... [options]'],
  about: [
    'Runs every check of a project once, from this machine. Private addresses are allowed; the locations of monitors are ignored.',
  ],
  options: {
    ...fileOption,
    junit: { type: 'string', value: '<file>', help: 'also write the results as JUnit XML', completed: 'file' },
    ...jsonOption,
    concurrency: {
      type: 'string',
      value: '<number>',
      help: 'how many checks run at the same time, 1 to 64 (default 8)',
    },
    deadline: {
      type: 'string',
      value: '<seconds>',
      help: 'how long all checks together may take, 1 to 3600 (default 600)',
    },
  },
  remarks: [
    'Exit codes: 0 everything is up or degraded, 1 something is down or could not be checked, 2 wrong files or arguments.',
  ],
} as const satisfies CommandDefinition

export const sloDefinition = {
  name: 'slo',
  summary: 'check whether a service meets its objectives',
  synopsis: [
    'slo check [--slo <name or id>]... [--max-burn <rate>] [--allow-unknown]',
    '                  [--url <service>] [--token-file <file>] [--json]',
  ],
  about: [
    'Checks whether the service level objectives of a running service are within their error budgets. Use it as a gate for deploys.',
  ],
  verbs: { check: null },
  options: {
    slo: {
      type: 'string',
      multiple: true,
      value: '<name or id>',
      help: 'an objective to check; can be repeated. Default: every objective of the workspace',
    },
    'max-burn': {
      type: 'string',
      value: '<rate>',
      help: 'also fail when the budget burned faster than this over both the last hour and the last 6 hours',
    },
    'allow-unknown': { type: 'boolean', help: 'pass objectives that have no measurements' },
    ...readingOptions,
    ...jsonOption,
  },
  remarks: [
    'Exit codes: 0 within budget, 1 not within budget, 2 not known: the service did not answer, or nothing is measured.',
  ],
} as const satisfies CommandDefinition

export const verifyDefinition = {
  name: 'verify',
  summary: 'check an export of signed history, without asking the service',
  synopsis: ['verify <file> [options]'],
  about: [
    'Checks every byte of an export of `GET /monitors/{id}/signed-history` or `GET /export/signed-history`, and says ' +
      'what it proves: that the counts are unchanged since the roots of their days left the operator. It needs no service, no database and no settings.',
  ],
  takes: 'file',
  options: {
    keys: {
      type: 'string',
      value: '<file>',
      help: 'the public keys, as saved from /.well-known/perigee-signing-keys; without it, those of the export count',
      completed: 'file',
    },
    roots: {
      type: 'string',
      value: '<file>',
      help: 'roots that were kept, as saved from GET /history/roots; the export must agree with one at least',
      completed: 'file',
    },
    countersigners: {
      type: 'string',
      value: '<file>',
      help: 'the keys of locations, as their operators gave them; one of them at least must have signed a day of the roots',
      completed: 'file',
    },
    json: { type: 'boolean', default: false, help: 'print one JSON object' },
  },
  remarks: ['Exit codes: 0 nothing was changed, 1 something was, or a file cannot be read, 2 wrong arguments.'],
} as const satisfies CommandDefinition
