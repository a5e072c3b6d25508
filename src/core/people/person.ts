import { z } from 'zod'

/** Somebody who signs in. `id` is a UUID; `email` is in lower case. */
export type Person = { id: string; email: string; name: string; isEmailVerified: boolean }

/** What a person may do in a workspace, from all to least. */
export const roles = ['owner', 'member', 'viewer'] as const
export type MemberRole = (typeof roles)[number]

export const roleSchema = z
  .enum(roles)
  .describe('`viewer` reads, `member` also changes, `owner` also has members, tokens, agents and the workspace itself.')

/** The scope with which a session acts (decisions.md A14). */
export function scopeOf(role: MemberRole): 'read' | 'write' {
  return role === 'viewer' ? 'read' : 'write'
}

/** `open` lets anybody sign up; `invited` those who were invited, and owners by a set-up link. */
export type SignUp = 'open' | 'invited'

/** NIST SP 800-63B 3.1.1.2 asks for eight or more. */
export const passwordLength = { min: 10, max: 128 } as const
