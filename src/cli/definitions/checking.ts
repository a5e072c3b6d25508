import { kindNames, kindTraits, usualKind } from '#core/monitors/kind-traits.ts'
import { fileOption, jsonOption, readingOptions } from './common-options.ts'
import type { CommandDefinition } from './definition.ts'

/** Names of the kinds that are checked from somewhere: others are called, or read other monitors. */
const checkable = kindNames.filter((name) => kindTraits[name].source === 'probed')
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export const usualTimeoutMs = 10_000

export const checkDefinition = {
  name: 'check',
  summary: 'check one target now, or all of the files of a project, in the terminal',
  synopsis: ['check <target> [options]'],
  about: ['Checks a target once, now, from this machine. Private addresses are allowed.'],
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
      help: 'a check option, such as json_path=status; may be repeated',
    },
    method: {
      type: 'string',
      default: 'GET',
      value: '<method>',
      help: 'GET, HEAD, POST, PUT, PATCH or DELETE (default GET)',
      completed: methods,
    },
    header: { type: 'string', multiple: true, default: [], value: "'<name>: <value>'", help: 'may be repeated' },
    keyword: { type: 'string', value: '<text>', help: 'text that the answer must contain' },
    timeout: {
      type: 'string',
      default: String(usualTimeoutMs),
      value: '<ms>',
      help: `500 to 60000 (default ${usualTimeoutMs})`,
    },
    json: { type: 'boolean', default: false, help: 'print one JSON object' },
  },
  remarks: [
    'Exit code: 0 up or degraded, 1 down, 2 wrong arguments.',
    '"perigee check -f <file or folder>" makes every check of a project once; "perigee check -f --help" says more.',
  ],
} as const satisfies CommandDefinition

export const checkFilesDefinition = {
  name: 'check',
  summary: checkDefinition.summary,
  synopsis: ['check -f <file or folder>... [options]'],
  about: [
    'Makes every check of a project once, now, from this machine. Private addresses are allowed, and locations are not heeded.',
  ],
  options: {
    ...fileOption,
    junit: { type: 'string', value: '<file>', help: 'also write what was found as JUnit XML', completed: 'file' },
    ...jsonOption,
    concurrency: {
      type: 'string',
      value: '<number>',
      help: 'how many checks are made at the same time, 1 to 64 (default 8)',
    },
    deadline: { type: 'string', value: '<seconds>', help: 'how long all of them may take, 1 to 3600 (default 600)' },
  },
  remarks: [
    'Exit code: 0 all are up or degraded, 1 one is down or could not be checked, 2 the files or the arguments are wrong.',
  ],
} as const satisfies CommandDefinition

export const sloDefinition = {
  name: 'slo',
  summary: 'ask a service whether its objectives are met',
  synopsis: [
    'slo check [--slo <name or id>]... [--max-burn <rate>] [--allow-unknown]',
    '                  [--url <service>] [--token-file <file>] [--json]',
  ],
  about: [
    'Asks a running service whether its service level objectives are within their error budgets, as a gate for deploys.',
  ],
  verbs: { check: null },
  options: {
    slo: {
      type: 'string',
      multiple: true,
      value: '<name or id>',
      help: 'which objective; may be repeated. Without it all of the workspace are asked',
    },
    'max-burn': {
      type: 'string',
      value: '<rate>',
      help: 'also hold back when the budget burned faster than this, over the last hour and over 6 hours',
    },
    'allow-unknown': { type: 'boolean', help: 'let objectives pass of which nothing is measured' },
    ...readingOptions,
    ...jsonOption,
  },
  remarks: ['Exit code: 0 within budget, 1 not, 2 not known: the service could not be asked, or nothing is measured.'],
} as const satisfies CommandDefinition
