import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Purse } from '../payments/wallet.ts'
import { readArguments } from './arguments.ts'
import { UsageError } from './terminal.ts'

export const payUsage = `perigee pay <service> <target> [--card <token> | --key <file> --token <token>] --budget <dollars>
            [--set <member>=<value>]... [--json]

Creates a monitor at another Perigee, such as https://up.example.com, without an account there: pays for it, and prints
the API key of the workspace that begins with the payment. What is paid and not used stays there as credit.

  --budget <dollars>   what may be paid at most, such as 0.50
  --card <token>       a shared payment token, granted to the profile that the service names
  --key <file>         pays with a token of a chain, from the account whose private key (0x…) is in the file
  --token <token>      which one: chain id, address and decimals, such as 8453:0x8335…2913:6
  --set <member>=<value>   a member of the monitor, such as kind=ssl or 'locations=["eu"]'; may be repeated
  --json               print one JSON object

Without --card and --key it says what would be asked for, and nothing is paid.

Exit code: 0 done, 1 not done, 2 wrong arguments.
`

const options = {
  budget: { type: 'string' },
  card: { type: 'string' },
  key: { type: 'string' },
  token: { type: 'string' },
  set: { type: 'string', multiple: true },
  json: { type: 'boolean' },
} as const

export type PayOrder = {
  /** Where monitors are created. */
  address: URL
  monitor: Record<string, unknown>
  /** Null to ask for the price alone. */
  paying: { purse: Purse; budgetCents: number } | null
  isJson: boolean
}

/** Throws UsageError. */
export function readPayOrder(argv: readonly string[]): PayOrder {
  const { values, positionals } = readArguments(argv, options, payUsage)
  const [service, target, ...more] = positionals
  if (service === undefined || target === undefined) throw wrong('Name a service and a target.')
  if (more.length > 0) throw wrong('That is one word too many.')
  const purse = purseOf(values)
  if (purse !== null && values.budget === undefined) throw wrong('--budget says what may be paid at most.')
  return {
    address: addressOf(service),
    monitor: { name: nameOf(target), url: target, ...membersOf(values.set ?? []) },
    paying: purse === null ? null : { purse, budgetCents: centsOf(values.budget ?? '') },
    isJson: values.json ?? false,
  }
}

const maxNameLength = 160

function nameOf(target: string): string {
  return target.slice(0, maxNameLength)
}

/** A payment is as good as money, so it goes over TLS, or does not leave the machine. */
function addressOf(service: string): URL {
  const root = URL.canParse(service) ? new URL(service) : null
  const isHttps = root?.protocol === 'https:'
  const isLoopback = root?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(root.hostname)
  if (root === null || !(isHttps || isLoopback)) throw wrong(`${JSON.stringify(service)} is no https:// address.`)
  return new URL('api/v1/monitors', service.endsWith('/') ? service : `${service}/`)
}

function purseOf({ card, key, token }: { card?: string; key?: string; token?: string }): Purse | null {
  if (card !== undefined && key !== undefined) throw wrong('Pay by --card or by --key.')
  if ((key === undefined) !== (token === undefined)) throw wrong('--key and --token belong together.')
  if (card !== undefined) return { type: 'card', token: card }
  return key === undefined || token === undefined ? null : { type: 'chain', key: keyOf(key), ...tokenOf(token) }
}

function hexText(digits: number): z.ZodType<`0x${string}`, `0x${string}`> {
  const pattern = new RegExp(`^0x[0-9a-fA-F]{${digits}}$`)
  return z.custom<`0x${string}`>((value) => typeof value === 'string' && pattern.test(value))
}

function keyOf(file: string): `0x${string}` {
  const key = hexText(64).safeParse(textOf(file).trim())
  if (!key.success) throw wrong(`${file} holds no private key: 0x and 64 hexadecimal digits.`)
  return key.data
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error))
  }
}

function tokenOf(text: string): { chainId: number; token: `0x${string}`; decimals: number } {
  const [, chainId, address, decimals] = /^(\d{1,9}):([^:]+):(\d{1,2})$/.exec(text) ?? []
  const token = hexText(40).safeParse(address)
  if (!token.success || Number(decimals) < 2) throw wrong(`${JSON.stringify(text)} is no token; see --token.`)
  return { chainId: Number(chainId), token: token.data, decimals: Number(decimals) }
}

function centsOf(text: string): number {
  const [, whole, part = ''] = /^\$?(\d{1,6})(?:\.(\d{1,2}))?$/.exec(text) ?? []
  if (whole === undefined) throw wrong(`--budget: ${JSON.stringify(text)} are no dollars.`)
  return Number(whole) * 100 + Number(part.padEnd(2, '0'))
}

/** A value is JSON where it can be, and plain text where not. */
function membersOf(pairs: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf('=')
      if (equals < 1) throw wrong(`--set: ${JSON.stringify(pair)} is not of the form member=value.`)
      return [pair.slice(0, equals), fromJson(pair.slice(equals + 1))]
    }),
  )
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function wrong(message: string): UsageError {
  return new UsageError(message, payUsage)
}
