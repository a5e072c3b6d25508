import { z } from 'zod'
import { secretKey, secretKeys, variable } from './config-values.ts'

/** The secret keys that the environment names. */
export type KeySettings = {
  /** 32 bytes; null for the one kept in the data folder. */
  secretKey: Buffer | null
  /** Opens what it sealed, and is to become the current one. */
  nextSecretKey: Buffer | null
  /** Open what they sealed. */
  formerSecretKeys: readonly Buffer[]
}

const oneKey = '32 bytes in base64 (made by "openssl rand -base64 32")'

/** How the key is changed: docs/operating.md, "How do I change the secret key?". */
export const keyVariables = {
  PERIGEE_SECRET_KEY: variable(oneKey, secretKey).optional(),
  PERIGEE_NEXT_SECRET_KEY: variable(oneKey, secretKey).optional(),
  PERIGEE_FORMER_SECRET_KEYS: variable('a list of keys of 32 bytes in base64', secretKeys).default([]),
}

export const secretKeyVariables = [
  'PERIGEE_SECRET_KEY',
  'PERIGEE_NEXT_SECRET_KEY',
  'PERIGEE_FORMER_SECRET_KEYS',
] as const

const keyShape = z.object(keyVariables)
type Read = z.infer<typeof keyShape>

export function keysOf(read: Read): KeySettings {
  return {
    secretKey: read.PERIGEE_SECRET_KEY ?? null,
    nextSecretKey: read.PERIGEE_NEXT_SECRET_KEY ?? null,
    formerSecretKeys: read.PERIGEE_FORMER_SECRET_KEYS,
  }
}

/** Keys of the data folder have their place there. */
export function keyContradictions(read: Read): string[] {
  if (read.PERIGEE_SECRET_KEY !== undefined) return []
  const alone = [
    ...(read.PERIGEE_NEXT_SECRET_KEY === undefined ? [] : ['PERIGEE_NEXT_SECRET_KEY']),
    ...(read.PERIGEE_FORMER_SECRET_KEYS.length === 0 ? [] : ['PERIGEE_FORMER_SECRET_KEYS']),
  ]
  return alone.map((name) => `${name} needs PERIGEE_SECRET_KEY.`)
}
