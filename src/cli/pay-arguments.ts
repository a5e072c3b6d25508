import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { isTokenText } from '#core/people/token-format.ts'
import type { Purse } from '#payments/wallet.ts'
import { readArguments } from './arguments.ts'
import { usageOf } from './definitions/definition.ts'
import { payDefinition } from './definitions/owning.ts'
import { UsageError } from './terminal.ts'

export const payUsage = usageOf(payDefinition)

const { options } = payDefinition

/** What is paid for, and the operation that sells it. */
export type Goods =
  | { type: 'monitor'; path: 'monitors'; body: Record<string, unknown> }
  | { type: 'credit'; path: 'credits'; body: { amount_cents: number }; apiKey: string }

export type PayOrder = {
  /** Where the goods are sold. */
  address: URL
  goods: Goods
  /** Null to ask for the price alone. */
  paying: { purse: Purse; budgetCents: number } | null
  isJson: boolean
}

/** Throws UsageError. */
export function readPayOrder(argv: readonly string[]): PayOrder {
  const { values, positionals } = readArguments(argv, options, payUsage)
  const [service, ...targets] = positionals
  if (service === undefined) throw wrong('Name a service.')
  const goods = values.credit === undefined ? monitorOf(targets, values) : creditOf(values.credit, targets, values)
  const purse = purseOf(values)
  if (purse !== null && values.budget === undefined) throw wrong('Give --budget, the most that may be paid.')
  return {
    address: addressOf(service, goods.path),
    goods,
    paying: purse === null ? null : { purse, budgetCents: centsOf('--budget', values.budget ?? '') },
    isJson: values.json ?? false,
  }
}

type Chosen = { set?: string[]; 'api-key'?: string }

function monitorOf([target, ...more]: string[], { set = [], 'api-key': apiKey }: Chosen): Goods {
  if (target === undefined) throw wrong('Name a target, or --credit.')
  if (more.length > 0) throw wrong('Too many arguments.')
  if (apiKey !== undefined) throw wrong('--api-key only works with --credit.')
  return { type: 'monitor', path: 'monitors', body: { name: nameOf(target), url: target, ...membersOf(set) } }
}

function creditOf(dollars: string, [target]: string[], { set, 'api-key': file }: Chosen): Goods {
  if (target !== undefined) throw wrong('--credit does not take a target.')
  if (set !== undefined) throw wrong('--set only works for a monitor, not with --credit.')
  if (file === undefined) throw wrong('Give --api-key, a key of the workspace that gets the credit.')
  const apiKey = textOf(file).trim()
  if (!isTokenText(apiKey)) throw wrong(`${file} holds no API key. An API key begins with pgk_.`)
  return { type: 'credit', path: 'credits', body: { amount_cents: centsOf('--credit', dollars) }, apiKey }
}

const maxNameLength = 160

function nameOf(target: string): string {
  return target.slice(0, maxNameLength)
}

/** A payment is as good as money, so it goes over TLS, or does not leave the machine. */
function addressOf(service: string, path: Goods['path']): URL {
  const root = URL.canParse(service) ? new URL(service) : null
  const isHttps = root?.protocol === 'https:'
  const isLoopback = root?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(root.hostname)
  if (root === null || !(isHttps || isLoopback)) throw wrong(`${JSON.stringify(service)} is not an https:// address.`)
  return new URL(`api/v1/${path}`, service.endsWith('/') ? service : `${service}/`)
}

function purseOf({ card, key, token }: { card?: string; key?: string; token?: string }): Purse | null {
  if (card !== undefined && key !== undefined) throw wrong('Pay with --card or with --key, not with both.')
  if ((key === undefined) !== (token === undefined)) throw wrong('--key and --token only work together.')
  if (card !== undefined) return { type: 'card', token: card }
  return key === undefined || token === undefined ? null : { type: 'chain', key: keyOf(key), ...tokenOf(token) }
}

function hexText(digits: number): z.ZodType<`0x${string}`, `0x${string}`> {
  const pattern = new RegExp(`^0x[0-9a-fA-F]{${digits}}$`)
  return z.custom<`0x${string}`>((value) => typeof value === 'string' && pattern.test(value))
}

function keyOf(file: string): `0x${string}` {
  const key = hexText(64).safeParse(textOf(file).trim())
  if (!key.success) throw wrong(`${file} holds no private key: it must be 0x and 64 hexadecimal digits.`)
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
  if (!token.success || Number(decimals) < 2)
    throw wrong(`--token: ${JSON.stringify(text)} is not chain id, address and decimals, such as 8453:0x8335…2913:6.`)
  return { chainId: Number(chainId), token: token.data, decimals: Number(decimals) }
}

function centsOf(option: string, text: string): number {
  const [, whole, part = ''] = /^\$?(\d{1,6})(?:\.(\d{1,2}))?$/.exec(text) ?? []
  if (whole === undefined) throw wrong(`${option}: ${JSON.stringify(text)} is not an amount in dollars, such as 0.50.`)
  return Number(whole) * 100 + Number(part.padEnd(2, '0'))
}

/** A value is JSON where it can be, and plain text where not. */
function membersOf(pairs: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf('=')
      if (equals < 1) throw wrong(`--set: ${JSON.stringify(pair)} does not have the form member=value.`)
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
