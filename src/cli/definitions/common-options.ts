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
    help: 'a file, or a folder of which all files that end in .yaml or .yml are read; may be repeated',
    completed: 'file',
  },
} as const satisfies Options

const url = {
  type: 'string',
  value: '<service>',
  help: 'such as https://up.example.com; else PERIGEE_URL',
} as const satisfies OptionDefinition

const tokenFile = { type: 'string', value: '<file>', completed: 'file' } as const satisfies Omit<
  OptionDefinition,
  'help'
>

export const readingOptions = {
  url,
  'token-file': {
    ...tokenFile,
    help: 'the file with an API token of the read scope; else PERIGEE_TOKEN, or PERIGEE_TOKEN_FILE',
  },
} as const satisfies Options

export const writingOptions = {
  url,
  'token-file': {
    ...tokenFile,
    help: 'the file with an API token of the write scope; else PERIGEE_TOKEN, or PERIGEE_TOKEN_FILE',
  },
} as const satisfies Options
