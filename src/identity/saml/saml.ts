import { randomBytes } from 'node:crypto'
import { askOnce, type ThreadLimits } from '#threads/thread.ts'
import { createPlaces } from '#threads/waiting-places.ts'
import type { ProviderClaims } from '#identity/openid-connect.ts'
import { ProviderTrouble } from '#identity/provider-fetch.ts'
import type { ProviderMetadata } from './saml-metadata.ts'

/** A provider as an owner pinned it. Texts are as the provider writes them; certificates are PEM. */
export type SamlProvider = {
  entityId: string
  signOnUrl: string
  certificates: readonly string[]
  /** In place of the NameID. */
  subjectAttribute: string | null
  /** In place of the usual names. */
  emailAttribute: string | null
  groupsAttribute: string
}

/** How the service is known to the provider of a workspace: an entity of its own for each. */
export type SamlService = { entityId: string; consumerUrl: string }

export type SamlArrival = {
  service: SamlService
  provider: SamlProvider
  /** The ID of the AuthnRequest, which the assertion has to name. */
  requestId: string
  /** The form member `SAMLResponse`: base64 (SAML Bindings 3.5.4). */
  response: string
}

/** SAML 2.0, web browser SSO that begins here (SAML Profiles 4.1). Throws `ProviderTrouble`. */
export type Saml = {
  /** The address at the provider to which the browser goes, with an AuthnRequest (SAML Bindings 3.4). */
  depart: (
    sides: Pick<SamlArrival, 'service' | 'provider'>,
    relayState: string,
  ) => Promise<{ url: string; requestId: string }>
  /** Who the provider says a person is. `claims` has `email`, `name` and the groups by the name of their attribute. */
  arrive: (arrival: SamlArrival) => Promise<ProviderClaims>
  /** What an owner would otherwise enter, of a document of at most `maxMetadataLength` characters. */
  readMetadata: (xml: string) => Promise<ProviderMetadata>
}

/** What the thread is asked, and what it answers. `trouble` is a sentence. */
export type SamlQuestion = { type: 'response'; arrival: SamlArrival } | { type: 'metadata'; xml: string }
export type SamlAnswer =
  | { type: 'claims'; claims: ProviderClaims }
  | { type: 'metadata'; metadata: ProviderMetadata }
  | { type: 'trouble'; trouble: string }

/** Of a response, in base64 as it is sent; its XML has 256 KB. */
const maxResponseLength = Math.ceil((256 * 1024) / 3) * 4

const code = new URL('./saml-worker.ts', import.meta.url)
/** A usual response takes some ten milliseconds, and the thread a fifth of a second to start. */
const limits: ThreadLimits = { timeoutMs: 10_000, maxHeapMb: 192 }
const bounds = { atOnce: 2, maxWaiting: 20 }

/** What others sent is read in a thread that can be ended: a process reads two at once. */
export function createSaml(): Saml {
  const places = createPlaces(bounds)
  const ask = async (question: SamlQuestion): Promise<SamlAnswer> => {
    const asked = await places.take(() => askOnce<SamlAnswer>(code, question, limits))
    if (asked === null) throw new ProviderTrouble('Too many people sign in right now. Try again in a moment.')
    if (asked.type === 'given up') throw new ProviderTrouble('What the provider sent takes too long to read.')
    if (asked.answer.type === 'trouble') throw new ProviderTrouble(asked.answer.trouble)
    return asked.answer
  }
  return {
    depart: departTo,
    arrive: async (arrival) => {
      if (arrival.response.length > maxResponseLength)
        throw new ProviderTrouble('The provider answered with more than 256 KB.')
      const answer = await ask({ type: 'response', arrival })
      if (answer.type !== 'claims') throw new Error('The thread of SAML answered another question.')
      return answer.claims
    },
    readMetadata: async (xml) => {
      const answer = await ask({ type: 'metadata', xml })
      if (answer.type !== 'metadata') throw new Error('The thread of SAML answered another question.')
      return answer.metadata
    },
  }
}

/** The document by which a provider learns of the service (SAML Metadata 2.4.4). */
export async function serviceMetadata({ entityId, consumerUrl }: SamlService): Promise<string> {
  const { generateServiceProviderMetadata } = await import('@node-saml/node-saml')
  return generateServiceProviderMetadata({
    issuer: entityId,
    callbackUrl: consumerUrl,
    wantAssertionsSigned: true,
    identifierFormat: null,
  })
}

async function departTo(
  { service, provider }: Pick<SamlArrival, 'service' | 'provider'>,
  relayState: string,
): Promise<{ url: string; requestId: string }> {
  const { SAML } = await import('@node-saml/node-saml')
  const requestId = `_${randomBytes(20).toString('hex')}`
  const library = new SAML({
    entryPoint: provider.signOnUrl,
    issuer: service.entityId,
    callbackUrl: service.consumerUrl,
    idpCert: [...provider.certificates],
    // Which of its formats and ways of signing in it takes is the provider's to say.
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    generateUniqueId: () => requestId,
  })
  return { url: await library.getAuthorizeUrlAsync(relayState, undefined, {}), requestId }
}
