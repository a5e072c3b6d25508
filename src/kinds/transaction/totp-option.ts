import { text } from '#core/language/text.ts'
import { secretBytes } from './totp.ts'

export const totpSecret = text({ min: 1, max: 200 })
  .refine((secret) => secretBytes(secret) !== null, 'Must be a secret in base32, as an authenticator takes it.')
  .optional()
  .describe('Of an authenticator: steps write its present code as `{{totp}}`. Kept encrypted and never returned.')
