import { z } from 'zod'
import type { AgentIssuer } from '#core/people/agent.ts'

const maxIssuers = 50

const address = z.url({ protocol: /^https?$/ }).max(1000)

const issuersSchema = z
  .array(z.strictObject({ issuer: address, jwks_uri: address, name: z.string().trim().min(1).max(80) }))
  .max(maxIssuers)
  .refine((list) => new Set(list.map(({ issuer }) => issuer)).size === list.length)

/** Providers whose word about agents counts; null when the text is no list of them. */
export function agentIssuers(text: string): AgentIssuer[] | null {
  const parsed = issuersSchema.safeParse(parseJson(text))
  if (!parsed.success) return null
  return parsed.data.map(({ issuer, jwks_uri: jwksUri, name }) => ({ issuer, jwksUri, name }))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
