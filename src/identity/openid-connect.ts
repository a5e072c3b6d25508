import type { ClientAuth, Configuration } from 'openid-client'
import type { Net } from '#net/net.ts'
import { ProviderTrouble, createProviderFetch } from './provider-fetch.ts'
import { providerTroubleOf } from './provider-trouble.ts'

/** How the service is known to a provider. */
export type ProviderClient = {
  issuer: string
  clientId: string
  clientSecret: string
  redirectUri: string
  /** Changes with any of these. */
  version: string
}

/** What is kept between leaving for the provider and coming back. */
export type Departure = { state: string; nonce: string; verifier: string }

/** The claims of a person, verified (OpenID Connect Core 1.0 3.1.3.7). */
export type ProviderClaims = { subject: string; claims: Readonly<Record<string, unknown>> }

/** Throws `ProviderTrouble` where the provider does anything else than it should. */
export type OpenIdConnect = {
  /** The address at the provider to which the browser goes. */
  depart: (client: ProviderClient, asked: { loginHint: string }) => Promise<{ url: string; departure: Departure }>
  /** `answer` is the query that the browser came back with; `claims` are those without which user info is asked for. */
  arrive: (client: ProviderClient, arrival: Arrival) => Promise<ProviderClaims>
  /** Looks whether the provider can be used at all. */
  examine: (client: ProviderClient) => Promise<void>
}

type Arrival = { answer: URLSearchParams; departure: Departure; claims: readonly string[] }

type Options = {
  net: Pick<Net, 'http'>
  /** Whether plain http will do. */
  mayBePlain: boolean
}

const timeoutSeconds = 10
const freshMs = 10 * 60_000
const maxKnown = 100
/** In characters. */
const maxShownIssuer = 200

type Known = { version: string; readAt: number; configuration: Promise<Configuration> }

/** OpenID Connect by the authorization code flow with PKCE. What providers publish is kept for ten minutes. */
export function createOpenIdConnect({ net, mayBePlain }: Options): OpenIdConnect {
  const known = new Map<string, Known>()
  const discover = async (client: ProviderClient): Promise<Configuration> => {
    const library = await import('openid-client')
    const configuration = await library.discovery(
      new URL(client.issuer),
      client.clientId,
      {},
      authOf(client, library),
      {
        [library.customFetch]: createProviderFetch(net),
        timeout: timeoutSeconds,
        // Else a token that came from the token endpoint would be believed for the sake of TLS alone.
        execute: [library.enableNonRepudiationChecks, ...(mayBePlain ? [library.allowInsecureRequests] : [])],
      },
    )
    assertSound(configuration, client, mayBePlain)
    return configuration
  }
  const configurationOf = (client: ProviderClient): Promise<Configuration> => {
    const key = `${client.redirectUri} ${client.issuer}`
    const held = known.get(key)
    if (held !== undefined && held.version === client.version && Date.now() - held.readAt < freshMs)
      return held.configuration
    const configuration = discover(client)
    known.delete(key)
    known.set(key, { version: client.version, readAt: Date.now(), configuration })
    for (const oldest of known.keys()) if (known.size > maxKnown) known.delete(oldest)
    configuration.catch(() => {
      if (known.get(key)?.configuration === configuration) known.delete(key)
    })
    return configuration
  }
  return {
    depart: (client, { loginHint }) =>
      explained(async () => departFrom(client, await configurationOf(client), loginHint)),
    arrive: (client, arrival) => explained(async () => arriveFrom(client, await configurationOf(client), arrival)),
    examine: (client) => explained(async () => examineKeys(await discover(client), net)),
  }
}

/** RFC 6749 2.3.1 has Basic; where a provider also takes the form, that needs no escapes on which providers differ. */
function authOf({ clientSecret }: ProviderClient, library: typeof import('openid-client')): ClientAuth {
  const basic = library.ClientSecretBasic(clientSecret)
  const post = library.ClientSecretPost(clientSecret)
  return (...request) => {
    const [server] = request
    const isForm = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') === true
    return isForm ? post(...request) : basic(...request)
  }
}

/**
 * The library takes the metadata of any Microsoft tenant for its common address, and with it people of all of them. One
 * issuer is one issuer here.
 */
function assertSound(configuration: Configuration, { issuer }: ProviderClient, mayBePlain: boolean): void {
  const server = configuration.serverMetadata()
  if (server.issuer !== issuer)
    throw new ProviderTrouble(
      `The provider calls itself ${server.issuer.slice(0, maxShownIssuer)}. Enter that as the issuer.`,
    )
  for (const [name, address] of [
    ['authorization_endpoint', server.authorization_endpoint],
    ['token_endpoint', server.token_endpoint],
    ['jwks_uri', server.jwks_uri],
  ] as const) {
    const { protocol } = URL.parse(address ?? '') ?? {}
    // The browser goes to the first one, so it must not be a script either.
    if (protocol !== 'https:' && !(mayBePlain && protocol === 'http:'))
      throw new ProviderTrouble(`The ${name} of the provider is no https address.`)
  }
}

async function departFrom(
  { redirectUri }: ProviderClient,
  configuration: Configuration,
  loginHint: string,
): Promise<{ url: string; departure: Departure }> {
  const library = await import('openid-client')
  const departure = {
    state: library.randomState(),
    nonce: library.randomNonce(),
    verifier: library.randomPKCECodeVerifier(),
  }
  const offersGroups = configuration.serverMetadata().scopes_supported?.includes('groups') === true
  const url = library.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: offersGroups ? 'openid email profile groups' : 'openid email profile',
    state: departure.state,
    nonce: departure.nonce,
    code_challenge: await library.calculatePKCECodeChallenge(departure.verifier),
    code_challenge_method: 'S256',
    login_hint: loginHint,
  })
  return { url: url.href, departure }
}

async function arriveFrom(
  { redirectUri }: ProviderClient,
  configuration: Configuration,
  { answer, departure, claims: wanted }: Arrival,
): Promise<ProviderClaims> {
  const library = await import('openid-client')
  const tokens = await library.authorizationCodeGrant(configuration, new URL(`${redirectUri}?${answer.toString()}`), {
    expectedState: departure.state,
    expectedNonce: departure.nonce,
    pkceCodeVerifier: departure.verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (claims === undefined) throw new ProviderTrouble('The provider sent no ID token.')
  const { sub: subject } = claims
  const isWhole = wanted.every((name) => claims[name] !== undefined)
  if (isWhole || configuration.serverMetadata().userinfo_endpoint === undefined) return { subject, claims }
  const more = await library.fetchUserInfo(configuration, tokens.access_token, subject)
  return { subject, claims: { ...more, ...claims } }
}

/** Keys are read when the first token has to be verified, which is late to learn that they are not there. */
async function examineKeys(configuration: Configuration, net: Pick<Net, 'http'>): Promise<void> {
  const { jwks_uri: address = '', code_challenge_methods_supported: methods } = configuration.serverMetadata()
  if (methods !== undefined && !methods.includes('S256'))
    throw new ProviderTrouble('The provider does not take PKCE with S256.')
  const fetchOnce = createProviderFetch(net)
  const answer = await fetchOnce(address, {
    method: 'GET',
    headers: { accept: 'application/json' },
    body: undefined,
    redirect: 'manual',
  })
  const keys: unknown = answer.status === 200 ? await answer.json().catch(() => null) : null
  if (typeof keys !== 'object' || keys === null || !('keys' in keys) || !Array.isArray(keys.keys))
    throw new ProviderTrouble(`${new URL(address).host} did not answer with keys at the jwks_uri of the provider.`)
}

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw await providerTroubleOf(error)
  }
}
