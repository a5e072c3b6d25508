import { resolve } from 'node:path'
import { z } from 'zod'
import type { CanaryToken } from '#core/money/canary.ts'
import { variable } from './config-values.ts'

/** Where monitors of the kind `paid_endpoint` may buy: the file with the key of the wallet, and with which tokens. */
export type CanarySettings = { keyFile: string; tokens: CanaryToken[] }

const maxTokens = 20
const amount = z.string().regex(/^[1-9]\d{0,77}$/)
const tokenSchema = z.strictObject({
  network: z.string().regex(/^eip155:[1-9]\d{0,14}$/),
  asset: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  name: z.string().min(1).max(100),
  version: z.string().min(1).max(20),
  day_limit: amount,
})

export const canaryVariables = {
  PERIGEE_CANARY_KEY_FILE: variable('a file', (text) => resolve(text)).optional(),
  PERIGEE_CANARY_TOKENS: variable(
    `a JSON list of up to ${maxTokens} tokens, each once, with network, asset, name, version and day_limit`,
    tokensOf,
  ).optional(),
}

const shape = z.object(canaryVariables)
type Read = z.infer<typeof shape>

export function canaryOf(read: Read): CanarySettings | null {
  const [keyFile, tokens] = [read.PERIGEE_CANARY_KEY_FILE, read.PERIGEE_CANARY_TOKENS]
  return keyFile === undefined || tokens === undefined ? null : { keyFile, tokens }
}

/** People who may make a monitor could have the operator's wallet pay an address of their own. */
export function canaryContradictions(read: Read & { PERIGEE_SIGN_UP: string; PERIGEE_PAYMENTS: string }): string[] {
  const given = [read.PERIGEE_CANARY_KEY_FILE, read.PERIGEE_CANARY_TOKENS].filter((each) => each !== undefined).length
  if (given === 0) return []
  if (given === 1) return ['PERIGEE_CANARY_KEY_FILE and PERIGEE_CANARY_TOKENS must be set together.']
  const isClosed = read.PERIGEE_SIGN_UP !== 'open' && read.PERIGEE_PAYMENTS === 'off'
  return isClosed
    ? []
    : ['PERIGEE_CANARY_KEY_FILE needs a closed sign-up and PERIGEE_PAYMENTS=off: strangers could have it pay them.']
}

function tokensOf(text: string): CanaryToken[] | null {
  const read = z.array(tokenSchema).min(1).max(maxTokens).safeParse(jsonOf(text))
  if (!read.success) return null
  const tokens = read.data.map(({ network, asset, name, version, day_limit: limit }) => {
    return { network, asset: asset.toLowerCase(), name, version, dayLimit: BigInt(limit) }
  })
  return new Set(tokens.map(({ network, asset }) => `${network} ${asset}`)).size === tokens.length ? tokens : null
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
