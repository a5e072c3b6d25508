import type { GenericEndpointContext } from 'better-auth'
import { z } from 'zod'
import { type PeopleParts, cookiePrefix } from './people-parts.ts'
import { otherBrowser } from './provider-refusals.ts'

type Parts = Pick<PeopleParts, 'publicUrl' | 'now'>

const awaySeconds = 10 * 60
/** How long the page has to fetch what a provider of SAML posted. */
const answerSeconds = 2 * 60

/** `linkFor` is the person who is signed in and wants a link. */
const asked = { workspaceId: z.string(), returnTo: z.string(), linkFor: z.string().nullable() }
/** What is kept while the browser is at the provider: of OpenID Connect, or of SAML. */
const awaySchema = z.union([
  z.object({ ...asked, nonce: z.string(), verifier: z.string() }),
  z.object({ ...asked, requestId: z.string() }),
])
export type Away = z.infer<typeof awaySchema>

const answerSchema = z.union([
  z.object({
    person: z.object({
      issuer: z.string(),
      subject: z.string(),
      email: z.string().nullable(),
      name: z.string(),
      groups: z.array(z.string()).readonly(),
    }),
  }),
  z.object({ problem: z.string() }),
])
/** What a provider of SAML said, until the browser that left has come back for it. */
export type KeptAnswer = z.infer<typeof answerSchema>

/** The cookie binds the way back to the browser that left: else a stranger's link would sign a person in as the stranger. */
export async function keepAway(
  context: GenericEndpointContext,
  parts: Parts,
  { state, ...away }: Away & { state: string },
): Promise<void> {
  await keep(context, parts, { identifier: awayOf(state), value: away, seconds: awaySeconds })
  const { name, options } = cookieOf(parts)
  context.setCookie(name, state, { ...options, maxAge: awaySeconds })
}

/** Once, and by the browser that left alone. */
export async function takeAway(
  context: GenericEndpointContext,
  parts: Parts,
  { workspaceId, state }: { workspaceId: string; state: string },
): Promise<Away> {
  const { name, options } = cookieOf(parts)
  const own = context.getCookie(name)
  if (state === '' || own !== state) throw otherBrowser()
  context.setCookie(name, '', { ...options, maxAge: 0 })
  const kept = await context.context.internalAdapter.consumeVerificationValue(awayOf(state))
  const away = kept === null ? null : awaySchema.parse(JSON.parse(kept.value))
  // Each provider has an address of its own to come back to, so none can answer for another (RFC 9700 4.4.2.2).
  if (away === null || away.workspaceId !== workspaceId) throw otherBrowser()
  return away
}

/** Null where nobody left with this state, or too long ago. */
export async function readAway(context: GenericEndpointContext, parts: Parts, state: string): Promise<Away | null> {
  const kept = await context.context.internalAdapter.findVerificationValue(awayOf(state))
  return kept === null || kept.expiresAt <= parts.now() ? null : awaySchema.parse(JSON.parse(kept.value))
}

export function keepAnswer(
  context: GenericEndpointContext,
  parts: Parts,
  { state, answer }: { state: string; answer: KeptAnswer },
): Promise<void> {
  return keep(context, parts, { identifier: answerOf(state), value: answer, seconds: answerSeconds })
}

/** Null where the provider has not answered, or too long ago. */
export async function takeAnswer(context: GenericEndpointContext, state: string): Promise<KeptAnswer | null> {
  const kept = await context.context.internalAdapter.consumeVerificationValue(answerOf(state))
  return kept === null ? null : answerSchema.parse(JSON.parse(kept.value))
}

type Kept = { identifier: string; value: Omit<Away, 'state'> | KeptAnswer; seconds: number }

async function keep(
  context: GenericEndpointContext,
  parts: Parts,
  { identifier, value, seconds }: Kept,
): Promise<void> {
  await context.context.internalAdapter.createVerificationValue({
    identifier,
    value: JSON.stringify(value),
    expiresAt: new Date(parts.now().getTime() + seconds * 1000),
  })
}

function cookieOf({ publicUrl }: Pick<Parts, 'publicUrl'>) {
  const options = { path: '/', httpOnly: true, secure: publicUrl.startsWith('https://'), sameSite: 'lax' } as const
  return { name: `${cookiePrefix(publicUrl)}.provider`, options }
}

function awayOf(state: string): string {
  return `provider ${state}`
}

function answerOf(state: string): string {
  return `provider answer ${state}`
}
