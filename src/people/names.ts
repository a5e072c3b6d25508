import { APIError } from 'better-auth/api'
import { z } from 'zod'

const maxLength = 160

/** Names of people and of what they name, such as passkeys: one line of text. */
export const nameSchema = z
  .string()
  .trim()
  .min(1)
  .max(maxLength)
  .regex(/^\P{Cc}*$/u)
  .refine((text) => text.isWellFormed())

/** Refuses as better-auth does. */
export function readName(given: unknown): string {
  const { data: name } = nameSchema.safeParse(given)
  if (name !== undefined) return name
  const message = `A name must have 1 to ${maxLength} characters, in one line.`
  throw new APIError('BAD_REQUEST', { code: 'INVALID_NAME', message })
}
