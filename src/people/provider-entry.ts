import type { GenericEndpointContext } from 'better-auth'
import { getSessionFromCtx } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'
import { linkedIssuer } from '#core/people/single-sign-on.ts'
import type { ProviderClaims } from '#identity/openid-connect.ts'
import { ProviderTrouble } from '#identity/provider-fetch.ts'
import {
  type Entered,
  type Linked,
  type ProvidedPerson,
  type enterByProvider,
  keepProviderSession,
  linkByProvider,
  type readSignInProvider,
} from '#operations/people/provider-sign-in.ts'
import { refusing } from './auth-door.ts'
import { nameSchema } from './names.ts'
import type { PeopleParts } from './people-parts.ts'
import { notAdmitted, otherBrowser, refused } from './provider-refusals.ts'

export type Provider = NonNullable<Awaited<ReturnType<typeof readSignInProvider>>>
type Parts = Pick<PeopleParts, 'database' | 'secrets'>

const maxGroups = 1_000
const maxSubject = 255

export const emailSchema = z
  .email()
  .max(254)
  .transform((text) => text.toLowerCase())

/**
 * An address counts unless the provider says that it did not verify it: the workspace has proved to have the domain.
 * Throws `ProviderTrouble`.
 */
export function personOf(provider: Provider, { subject, claims }: ProviderClaims): ProvidedPerson {
  const given = emailSchema.safeParse(claims['email']).data ?? null
  const isDenied = [false, 'false'].some((word) => claims['email_verified'] === word)
  if (subject.length > maxSubject) throw new ProviderTrouble('The provider names you by too long a text.')
  return {
    issuer: linkedIssuer(provider),
    subject,
    email: isDenied ? null : given,
    name: nameSchema.safeParse(claims['name']).data ?? given?.split('@')[0] ?? 'Somebody',
    groups: [claims[provider.groupsClaim]]
      .flat()
      .filter((group) => typeof group === 'string')
      .slice(0, maxGroups),
  }
}

export function personIdOf(entered: Entered, { name }: Provider): string {
  switch (entered.type) {
    case 'entered':
      return entered.personId
    case 'not_admitted':
      throw notAdmitted(name)
    case 'not_linked':
      throw refused(
        'ACCOUNT_NOT_LINKED',
        `Your address has an account here that is not linked with ${name}. Sign in as before, then link it under Settings, Security.`,
      )
  }
}

/** Where the page goes on, and whether an account was linked. */
export type Arrived = { returnTo: string; isLinked: boolean }

type Signing = { personId: string; workspaceId: string; to: string }

export async function signIn(
  context: GenericEndpointContext,
  parts: Parts,
  { personId, workspaceId, to }: Signing,
): Promise<Arrived> {
  const { internalAdapter } = context.context
  const user = await internalAdapter.findUserById(personId)
  const session = await internalAdapter.createSession(personId)
  if (user === null || session === null) throw new Error('A person whom a provider knows could not be signed in.')
  await keepProviderSession(parts, { sessionId: session.id, workspaceId })
  await setSessionCookie(context, { session, user })
  return { returnTo: to, isLinked: false }
}

type Linking = { entry: Parameters<typeof enterByProvider>[1]; personId: string; to: string }

/** Only for the person who asked for it, who is still signed in. */
export async function link(
  context: GenericEndpointContext,
  parts: Parts,
  { entry, personId, to }: Linking,
): Promise<Arrived> {
  const session = await getSessionFromCtx(context)
  if (session === null || session.user.id !== personId) throw otherBrowser()
  const { email: own } = session.user
  assertLinked(await refusing(() => linkByProvider(parts, { ...entry, personId, email: own })), entry.provider)
  return { returnTo: to, isLinked: true }
}

function assertLinked({ type }: Linked, { name }: Provider): void {
  switch (type) {
    case 'linked':
      return
    case 'not_admitted':
      throw notAdmitted(name)
    case 'other_address':
      throw refused('OTHER_ADDRESS', `At ${name} you have another address than here. Change yours here first.`)
    case 'taken':
      throw refused('PROVIDER_TAKEN', `Another account is linked with this person at ${name}.`)
    case 'too_many':
      throw refused('LIMIT_REACHED', 'Your account is linked with too many providers. Remove a link first.')
  }
}
