import { readFileSync } from 'node:fs'
import { isTokenText } from '#core/people/token-format.ts'
import { readServiceAddress } from '#config/config-service.ts'
import { readArguments } from './arguments.ts'
import { UsageError } from './terminal.ts'

export const sloUsage = `perigee slo check [--slo <name or id>]... [--max-burn <rate>] [--allow-unknown]
                  [--url <service>] [--token-file <file>] [--json]

Asks a running service whether its service level objectives are within their error budgets, as a gate for deploys.

  --slo <name or id>   which objective; may be repeated. Without it all of the workspace are asked
  --max-burn <rate>    also hold back when the budget burned faster than this, over the last hour and over 6 hours
  --allow-unknown      let objectives pass of which nothing is measured
  --url <service>      such as https://up.example.com; else PERIGEE_URL
  --token-file <file>  the file with an API token of the read scope; else PERIGEE_TOKEN, or PERIGEE_TOKEN_FILE
  --json               print one JSON object

Exit code: 0 within budget, 1 not, 2 not known: the service could not be asked, or nothing is measured.
`

const options = {
  slo: { type: 'string', multiple: true },
  'max-burn': { type: 'string' },
  'allow-unknown': { type: 'boolean' },
  url: { type: 'string' },
  'token-file': { type: 'string' },
  json: { type: 'boolean' },
} as const

export type SloOrder = {
  /** Of the list of objectives. */
  address: URL
  token: string
  /** Names or ids; empty for all. */
  wanted: readonly string[]
  maxBurn: number | null
  allowsUnknown: boolean
  isJson: boolean
}

/** Throws UsageError, or ConfigError of what the environment says. */
export function readSloOrder(argv: readonly string[]): SloOrder {
  const { values, positionals } = readArguments(argv, options, sloUsage)
  const [verb, ...more] = positionals
  if (verb !== 'check' || more.length > 0) throw wrong('Say "perigee slo check".')
  const environment = readServiceAddress()
  const file = values['token-file']
  const url = values.url ?? environment.url
  const token = file === undefined ? environment.token : tokenOf(file)
  if (url === null) throw wrong('Which service? Give --url, or set PERIGEE_URL.')
  if (token === null) throw wrong('A token is missing: give --token-file, or set PERIGEE_TOKEN.')
  return {
    address: addressOf(url),
    token,
    wanted: values.slo ?? [],
    maxBurn: values['max-burn'] === undefined ? null : rateOf(values['max-burn']),
    allowsUnknown: values['allow-unknown'] ?? false,
    isJson: values.json ?? false,
  }
}

function addressOf(service: string): URL {
  const root = URL.canParse(service) ? new URL(service) : null
  if (root === null || !['http:', 'https:'].includes(root.protocol) || root.username !== '' || root.search !== '')
    throw wrong(`${JSON.stringify(service)} is no http:// or https:// address of a service.`)
  return new URL('api/v1/slos', service.endsWith('/') ? service : `${service}/`)
}

function tokenOf(file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error))
  }
  if (!isTokenText(text)) throw wrong(`${file} holds no API token, which begins with pgk_.`)
  return text
}

function rateOf(text: string): number {
  const rate = Number(text)
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(text) || rate <= 0) throw wrong(`--max-burn: ${JSON.stringify(text)} is no rate.`)
  return rate
}

function wrong(message: string): UsageError {
  return new UsageError(message, sloUsage)
}
