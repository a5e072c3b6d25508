// Options that several commands have.
import type { OptionDefinition } from './definition.ts'

type Options = Readonly<Record<string, OptionDefinition>>

export const jsonOption = {
  json: { type: 'boolean', help: 'print one JSON object' },
} as const satisfies Options

export const fileOption = {
  file: {
    type: 'string',
    short: 'f',
    multiple: true,
    value: '<path>',
    help: 'a file, or a folder whose .yaml and .yml files are read; can be repeated',
    completed: 'file',
  },
} as const satisfies Options

const url = {
  type: 'string',
  value: '<service>',
  help: 'such as https://up.example.com (default: PERIGEE_URL)',
} as const satisfies OptionDefinition

const tokenFile = { type: 'string', value: '<file>', completed: 'file' } as const satisfies Omit<
  OptionDefinition,
  'help'
>

export const readingOptions = {
  url,
  'token-file': {
    ...tokenFile,
    help: 'a file with an API token, read scope (default: PERIGEE_TOKEN or PERIGEE_TOKEN_FILE)',
  },
} as const satisfies Options

export const writingOptions = {
  url,
  'token-file': {
    ...tokenFile,
    help: 'a file with an API token, write scope (default: PERIGEE_TOKEN or PERIGEE_TOKEN_FILE)',
  },
} as const satisfies Options
