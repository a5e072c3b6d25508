import { randomBytes } from 'node:crypto'
import type { BetterAuthPlugin, GenericEndpointContext } from 'better-auth'
import { createAuthEndpoint, freshSessionMiddleware } from 'better-auth/api'
import { z } from 'zod'
import { linkedIssuer } from '#core/people/single-sign-on.ts'
import { isUuid } from '#core/language/uuid.ts'
import { type OpenIdConnect, createOpenIdConnect } from '#identity/openid-connect.ts'
import { ProviderTrouble } from '#identity/provider-fetch.ts'
import { type Saml, createSaml } from '#identity/saml/saml.ts'
import { mayBePlain, providerClientOf, samlSidesOf } from '#operations/people/provider-client.ts'
import {
  type ProvidedPerson,
  enterByProvider,
  findSignInProvider,
  readSignInProvider,
} from '#operations/people/provider-sign-in.ts'
import { refusing } from './auth-door.ts'
import type { PeopleParts } from './people-parts.ts'
import { type Away, type KeptAnswer, keepAnswer, keepAway, readAway, takeAnswer, takeAway } from './provider-away.ts'
import { type Provider, emailSchema, link, personIdOf, personOf, signIn } from './provider-entry.ts'
import { noProvider, otherBrowser, providerRefused, trusting } from './provider-refusals.ts'

type Parts = Pick<PeopleParts, 'database' | 'secrets' | 'publicUrl' | 'carriers' | 'isForbiddenAddress' | 'now'>
type Protocols = { connect: OpenIdConnect; saml: Saml }

const longestAnswer = 8_000
const longestReturn = 1_000
const longestState = 100

/** A path of the console, where the person goes on. */
const returnTo = z.string().max(longestReturn).default('/')
const workspaceId = z
  .string()
  .refine(isUuid)
  .transform((id) => id.toLowerCase())
const startSchema = z.object({ email: emailSchema, returnTo })
const linkSchema = z.object({ returnTo })
const finishSchema = z.object({ workspaceId, answer: z.string().max(longestAnswer) })
const responseSchema = z.object({
  workspaceId,
  state: z.string().max(longestState),
  response: z.string(),
})

/** Signing in by the identity provider of a workspace (docs/decisions/single-sign-on.md). */
export function createProviderDoor(parts: Parts) {
  const { carriers, now } = parts
  const connect = createOpenIdConnect({ net: carriers.net, mayBePlain: mayBePlain(parts) })
  const protocols = { connect, saml: createSaml() }
  return {
    id: 'perigee-provider',
    endpoints: {
      startProvider: createAuthEndpoint('/provider/start', { method: 'POST', body: startSchema }, async (context) => {
        const { email: loginHint, returnTo: onward } = context.body
        return send(context, { parts, protocols }, { loginHint, returnTo: onward, linkFor: null })
      }),
      linkProvider: createAuthEndpoint(
        '/provider/link',
        { method: 'POST', body: linkSchema, use: [freshSessionMiddleware] },
        async (context) => {
          const { user } = context.context.session
          const asked = { loginHint: user.email, returnTo: context.body.returnTo, linkFor: user.id }
          return send(context, { parts, protocols }, asked)
        },
      ),
      /** Only saml-routes.ts asks it: with what a provider of SAML has a browser post, which brings no cookies along. */
      answerProvider: createAuthEndpoint(
        '/provider/response',
        { method: 'POST', body: responseSchema },
        async (context) => {
          const { workspaceId: id, state, response } = context.body
          const away = await readAway(context, parts, state)
          const provider = await readSignInProvider(parts, id)
          if (away?.workspaceId !== id || !('requestId' in away) || provider?.protocol !== 'saml') throw otherBrowser()
          const { requestId } = away
          const answer = await answerOf(provider, () =>
            protocols.saml.arrive({ ...samlSidesOf(provider, parts), requestId, response }),
          )
          await keepAnswer(context, parts, { state, answer })
          return context.json({ status: true })
        },
      ),
      finishProvider: createAuthEndpoint(
        '/provider/finish',
        { method: 'POST', body: finishSchema },
        async (context) => {
          const { workspaceId: id } = context.body
          const answer = new URLSearchParams(context.body.answer)
          const state = answer.get('state') ?? ''
          const away = await takeAway(context, parts, { workspaceId: id, state })
          const provider = (await readSignInProvider(parts, id)) ?? noProvider()
          const person = await ('requestId' in away
            ? postedPerson(context, provider, state)
            : arrivedPerson({ parts, connect }, provider, { away, answer }))
          const entry = { provider, person, at: now() }
          const { linkFor, returnTo: to } = away
          if (linkFor !== null) return context.json(await link(context, parts, { entry, personId: linkFor, to }))
          const personId = personIdOf(await refusing(() => enterByProvider(parts, entry)), provider)
          return context.json(await signIn(context, parts, { personId, workspaceId: id, to }))
        },
      ),
    },
  } satisfies BetterAuthPlugin
}

type Asked = { loginHint: string; returnTo: string; linkFor: string | null }

async function send(
  context: GenericEndpointContext,
  { parts, protocols: { connect, saml } }: { parts: Parts; protocols: Protocols },
  { loginHint, returnTo: onward, linkFor }: Asked,
) {
  const provider = (await findSignInProvider(parts, loginHint)) ?? noProvider()
  const asked = { workspaceId: provider.workspaceId, returnTo: onward, linkFor }
  if (provider.protocol === 'saml') {
    const state = randomBytes(32).toString('base64url')
    const { url, requestId } = await saml.depart(samlSidesOf(provider, parts), state)
    await keepAway(context, parts, { ...asked, state, requestId })
    return context.json({ url })
  }
  const { url, departure } = await trusting(() => connect.depart(providerClientOf(provider, parts), { loginHint }))
  await keepAway(context, parts, { ...asked, ...departure })
  return context.json({ url })
}

type Back = { away: Extract<Away, { nonce: string }>; answer: URLSearchParams }

/** Of OpenID Connect: the browser brings a code. */
function arrivedPerson(
  { parts, connect }: { parts: Parts; connect: OpenIdConnect },
  provider: Provider,
  { away: { nonce, verifier }, answer }: Back,
): Promise<ProvidedPerson> {
  if (provider.protocol !== 'openid_connect') throw otherBrowser()
  return trusting(async () => {
    const claims = await connect.arrive(providerClientOf(provider, parts), {
      answer,
      departure: { state: answer.get('state') ?? '', nonce, verifier },
      claims: provider.groupRoles.length === 0 ? ['email'] : ['email', provider.groupsClaim],
    })
    return personOf(provider, claims)
  })
}

/** Of SAML: the browser has brought the response before, which is kept. */
async function postedPerson(
  context: GenericEndpointContext,
  provider: Provider,
  state: string,
): Promise<ProvidedPerson> {
  const kept = await takeAnswer(context, state)
  if (kept === null) throw otherBrowser()
  if ('problem' in kept) throw providerRefused(kept.problem)
  // An owner may have named another provider meanwhile.
  if (kept.person.issuer !== linkedIssuer(provider)) throw otherBrowser()
  return kept.person
}

async function answerOf(provider: Provider, arrive: () => ReturnType<Saml['arrive']>): Promise<KeptAnswer> {
  try {
    return { person: personOf(provider, await arrive()) }
  } catch (error) {
    if (!(error instanceof ProviderTrouble)) throw error
    return { problem: error.message }
  }
}
