import { ProviderTrouble } from './provider-fetch.ts'

/** What `openid-client` found wrong, as a sentence. Texts that the provider chose are shortened to plain letters. */
export async function providerTroubleOf(error: unknown): Promise<ProviderTrouble> {
  const own = ownCauseOf(error)
  if (own !== null) return own
  const library = await import('openid-client')
  if (error instanceof library.AuthorizationResponseError)
    return new ProviderTrouble(`The provider did not let you in: ${plain(error.error)}.`)
  if (error instanceof library.ResponseBodyError)
    return new ProviderTrouble(`The provider refused the code: ${plain(error.error)}.`)
  if (!(error instanceof Error)) return new ProviderTrouble('The provider answered with what cannot be read.')
  const code = 'code' in error ? String(error.code) : ''
  return new ProviderTrouble(
    sentences[code] ?? `The provider did not answer as OpenID Connect has it: ${error.message}.`,
  )
}

/** The codes of oauth4webapi. */
const sentences: Readonly<Record<string, string>> = {
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'The ID token of the provider has expired or is not valid yet. Compare the clocks.',
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: 'The ID token of the provider is for another service, person or sign-in.',
  OAUTH_KEY_SELECTION_FAILED: 'The ID token is signed by no key of the provider.',
  OAUTH_INVALID_RESPONSE: 'The answer of the provider belongs to another sign-in, or is signed by another key.',
  OAUTH_TIMEOUT: 'The provider did not answer in time.',
}

const maxDepth = 5
/** In characters, of a text that the provider chose. */
const maxShown = 60

function ownCauseOf(error: unknown): ProviderTrouble | null {
  let cause = error
  for (let depth = 0; depth < maxDepth; depth += 1) {
    if (cause instanceof ProviderTrouble) return cause
    if (!(cause instanceof Error)) return null
    cause = cause.cause
  }
  return null
}

/** The letters of a text that a provider chose, and not too many of them. */
export function plain(text: string): string {
  return text.replaceAll(/[^\w .-]/g, '').slice(0, maxShown)
}
