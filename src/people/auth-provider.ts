import type { BetterAuthPlugin, GenericEndpointContext } from 'better-auth'
import { APIError, createAuthEndpoint, freshSessionMiddleware, getSessionFromCtx } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'
import { isUuid } from '#core/language/uuid.ts'
import { type OpenIdConnect, type ProviderClaims, createOpenIdConnect } from '#identity/openid-connect.ts'
import { ProviderTrouble } from '#identity/provider-fetch.ts'
import { mayBePlain, providerClientOf } from '#operations/people/provider-client.ts'
import {
  type Entered,
  type Linked,
  type ProvidedPerson,
  enterByProvider,
  findSignInProvider,
  keepProviderSession,
  linkByProvider,
  readSignInProvider,
} from '#operations/people/provider-sign-in.ts'
import { refusing } from './auth-door.ts'
import { nameSchema } from './names.ts'
import { type PeopleParts, cookiePrefix } from './people-parts.ts'

type Parts = Pick<PeopleParts, 'database' | 'secrets' | 'publicUrl' | 'carriers' | 'isForbiddenAddress' | 'now'>
type Provider = NonNullable<Awaited<ReturnType<typeof readSignInProvider>>>

const awaySeconds = 10 * 60
const longestAnswer = 8_000
const longestReturn = 1_000

const email = z
  .email()
  .max(254)
  .transform((text) => text.toLowerCase())
/** A path of the console, where the person goes on. */
const returnTo = z.string().max(longestReturn).default('/')
const startSchema = z.object({ email, returnTo })
const linkSchema = z.object({ returnTo })
const finishSchema = z.object({ workspaceId: z.string().refine(isUuid), answer: z.string().max(longestAnswer) })

/** What is kept while the browser is at the provider. `linkFor` is the person who is signed in and wants a link. */
const awaySchema = z.object({
  workspaceId: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
  linkFor: z.string().nullable(),
})
type Away = z.infer<typeof awaySchema>

/** Signing in by the identity provider of a workspace (docs/decisions/single-sign-on.md). */
export function createProviderDoor(parts: Parts) {
  const { carriers, secrets, now } = parts
  const connect = createOpenIdConnect({ net: carriers.net, mayBePlain: mayBePlain(parts) })
  const send = createSend(parts, connect)
  return {
    id: 'perigee-provider',
    endpoints: {
      startProvider: createAuthEndpoint('/provider/start', { method: 'POST', body: startSchema }, async (context) => {
        const { email: loginHint, returnTo: onward } = context.body
        return send(context, { loginHint, returnTo: onward, linkFor: null })
      }),
      linkProvider: createAuthEndpoint(
        '/provider/link',
        { method: 'POST', body: linkSchema, use: [freshSessionMiddleware] },
        async (context) => {
          const { user } = context.context.session
          return send(context, { loginHint: user.email, returnTo: context.body.returnTo, linkFor: user.id })
        },
      ),
      finishProvider: createAuthEndpoint(
        '/provider/finish',
        { method: 'POST', body: finishSchema },
        async (context) => {
          const answer = new URLSearchParams(context.body.answer)
          const workspaceId = context.body.workspaceId.toLowerCase()
          const { state, ...away } = await takeAway(context, parts, { workspaceId, state: answer.get('state') ?? '' })
          const provider = (await readSignInProvider(parts, workspaceId)) ?? noProvider()
          const claims = await trusting(() =>
            connect.arrive(providerClientOf(provider, parts), {
              answer,
              departure: { state, nonce: away.nonce, verifier: away.verifier },
              claims: provider.groupRoles.length === 0 ? ['email'] : ['email', provider.groupsClaim],
            }),
          )
          const entry = { provider, person: personOf(provider, claims), at: now() }
          if (away.linkFor !== null) return link(context, parts, { entry, personId: away.linkFor, to: away.returnTo })
          const personId = personIdOf(await refusing(() => enterByProvider({ ...parts, secrets }, entry)), provider)
          return signIn(context, parts, { personId, workspaceId, to: away.returnTo })
        },
      ),
    },
  } satisfies BetterAuthPlugin
}

type Asked = { loginHint: string; returnTo: string; linkFor: string | null }

function createSend(parts: Parts, connect: OpenIdConnect) {
  return async (context: GenericEndpointContext, { loginHint, returnTo: onward, linkFor }: Asked) => {
    const provider = (await findSignInProvider(parts, loginHint)) ?? noProvider()
    const { workspaceId } = provider
    const { url, departure } = await trusting(() => connect.depart(providerClientOf(provider, parts), { loginHint }))
    const { state, nonce, verifier } = departure
    const away: Away = { workspaceId, nonce, verifier, returnTo: onward, linkFor }
    await context.context.internalAdapter.createVerificationValue({
      identifier: identifierOf(state),
      value: JSON.stringify(away),
      expiresAt: new Date(parts.now().getTime() + awaySeconds * 1000),
    })
    const { name, options } = cookieOf(parts)
    context.setCookie(name, state, { ...options, maxAge: awaySeconds })
    return context.json({ url })
  }
}

/** The cookie binds the way back to the browser that left: else a stranger's link would sign a person in as the stranger. */
async function takeAway(
  context: GenericEndpointContext,
  parts: Parts,
  { workspaceId, state }: { workspaceId: string; state: string },
): Promise<Away & { state: string }> {
  const { name, options } = cookieOf(parts)
  const own = context.getCookie(name)
  if (state === '' || own !== state) throw otherBrowser()
  context.setCookie(name, '', { ...options, maxAge: 0 })
  const kept = await context.context.internalAdapter.consumeVerificationValue(identifierOf(state))
  const away = kept === null ? null : awaySchema.parse(JSON.parse(kept.value))
  // Each provider has an address of its own to come back to, so none can answer for another (RFC 9700 4.4.2.2).
  if (away === null || away.workspaceId !== workspaceId) throw otherBrowser()
  return { ...away, state }
}

function cookieOf({ publicUrl }: Pick<Parts, 'publicUrl'>) {
  const options = { path: '/', httpOnly: true, secure: publicUrl.startsWith('https://'), sameSite: 'lax' } as const
  return { name: `${cookiePrefix(publicUrl)}.provider`, options }
}

function identifierOf(state: string): string {
  return `provider ${state}`
}

const maxGroups = 1_000
const maxSubject = 255

/** An address counts unless the provider says that it did not verify it: the workspace has proved to have the domain. */
function personOf({ issuer, groupsClaim }: Provider, { subject, claims }: ProviderClaims): ProvidedPerson {
  const given = email.safeParse(claims['email']).data ?? null
  const isDenied = [false, 'false'].some((word) => claims['email_verified'] === word)
  if (subject.length > maxSubject) throw refused('PROVIDER_REFUSED', 'The provider names you by too long a text.')
  return {
    issuer,
    subject,
    email: isDenied ? null : given,
    name: nameSchema.safeParse(claims['name']).data ?? given?.split('@')[0] ?? 'Somebody',
    groups: [claims[groupsClaim]]
      .flat()
      .filter((group) => typeof group === 'string')
      .slice(0, maxGroups),
  }
}

function personIdOf(entered: Entered, { name }: Provider): string {
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

type Signing = { personId: string; workspaceId: string; to: string }

async function signIn(context: GenericEndpointContext, parts: Parts, { personId, workspaceId, to }: Signing) {
  const { internalAdapter } = context.context
  const user = await internalAdapter.findUserById(personId)
  const session = await internalAdapter.createSession(personId)
  if (user === null || session === null) throw new Error('A person whom a provider knows could not be signed in.')
  await keepProviderSession(parts, { sessionId: session.id, workspaceId })
  await setSessionCookie(context, { session, user })
  return context.json({ returnTo: to, isLinked: false })
}

type Linking = { entry: Parameters<typeof enterByProvider>[1]; personId: string; to: string }

/** Only for the person who asked for it, who is still signed in. */
async function link(context: GenericEndpointContext, parts: Parts, { entry, personId, to }: Linking) {
  const session = await getSessionFromCtx(context)
  if (session === null || session.user.id !== personId) throw otherBrowser()
  const { email: own } = session.user
  assertLinked(await refusing(() => linkByProvider(parts, { ...entry, personId, email: own })), entry.provider)
  return context.json({ returnTo: to, isLinked: true })
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

/** What a provider does wrong, as better-auth tells its own refusals. */
async function trusting<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ProviderTrouble)) throw error
    throw refused('PROVIDER_REFUSED', error.message)
  }
}

function noProvider(): never {
  const message = 'There is no single sign-on for addresses of this domain. Sign in in another way.'
  throw new APIError('NOT_FOUND', { code: 'NO_SINGLE_SIGN_ON', message })
}

function otherBrowser(): APIError {
  return refused('OTHER_SIGN_IN', 'This sign-in began in another browser, took too long or was used. Begin again.')
}

function notAdmitted(name: string): APIError {
  return refused(
    'NOT_ADMITTED',
    `${name} does not vouch for a mail address of a domain that the workspace has proved. Ask an owner of the workspace.`,
  )
}

function refused(code: string, message: string): APIError {
  return new APIError('UNPROCESSABLE_ENTITY', { code, message })
}
