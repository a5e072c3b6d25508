import { z } from 'zod'

/** A person who signs in. `id` is a UUID; `email` is in lower case. */
export type Person = { id: string; email: string; name: string; isEmailVerified: boolean }

/** Roles in a workspace, the one with all rights first. */
const roles = ['owner', 'member', 'viewer'] as const
export type MemberRole = (typeof roles)[number]

export const roleSchema = z
  .enum(roles)
  .describe('`viewer` reads, `member` also changes, `owner` also has members, tokens, agents and the workspace itself.')

/**
 * A session acts with the scope of its person's role, so that the console and the API are the same operations under the
 * same checks (docs/decisions/people-and-access.md).
 */
export function scopeOf(role: MemberRole): 'read' | 'write' {
  return role === 'viewer' ? 'read' : 'write'
}

/** `open` lets any person sign up, `invited` only people with an invitation and owners with a set-up link. */
export type SignUp = 'open' | 'invited'

/** NIST SP 800-63B 3.1.1.2 asks for eight or more. */
export const passwordLength = { min: 10, max: 128 } as const
