import { randomBytes, scryptSync } from 'node:crypto'
import type { Passwords } from '#people/people-parts.ts'

/**
 * As good as better-auth's own where a test is about anything else. A hash of that takes 60 ms of the processor, which
 * was most of what the tests of signing in took; src/people/passwords.test.ts holds what a service stores.
 */
export const quickPasswords: Passwords = {
  hash: async (password) => quickHash(password, randomBytes(16).toString('hex')),
  verify: async ({ hash, password }) => {
    const [salt = ''] = hash.split(':')
    return quickHash(password, salt) === hash
  },
}

function quickHash(password: string, salt: string): string {
  return `${salt}:${scryptSync(password.normalize('NFKC'), salt, 64, { N: 2, r: 1, p: 1 }).toString('hex')}`
}
