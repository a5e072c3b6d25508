/** A way to pay that a 402 offers: every parameter as it came, and `request` read. */
export type PaymentChallenge = {
  id: string
  method: string
  intent: string
  /** What is to be paid, as the method says it; null where it cannot be read. */
  request: unknown
  /** Null where it does not end. */
  expires: string | null
  parameters: Readonly<Record<string, string>>
}

const maxChallenges = 20

/** The `Payment` challenges of a `WWW-Authenticate`, which has one scheme after the other (RFC 9110 11.6.1). */
export function readChallenges(header: string): PaymentChallenge[] {
  const pieces = header.split(/(?:^|,\s*)Payment\s+(?=[\w-]+=)/i).slice(1, maxChallenges + 1)
  return pieces.map((piece) => {
    const parameters = readParameters(piece)
    const { id = '', method = '', intent = '', request = '', expires } = parameters
    return { id, method, intent, request: readJson(request), expires: expires ?? null, parameters }
  })
}

/** The credential that answers a challenge: the `payment` of a call. `payload` is what the method asks for. */
export function credentialFor(challenge: PaymentChallenge, payload: Readonly<Record<string, unknown>>): string {
  const bytes = new TextEncoder().encode(JSON.stringify({ challenge: challenge.parameters, payload }))
  const characters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(characters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function readParameters(text: string): Record<string, string> {
  const pairs = text.matchAll(/([\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/g)
  return Object.fromEntries(
    Array.from(pairs, ([, name = '', quoted, plain = '']) => [name, quoted?.replaceAll(/\\(.)/g, '$1') ?? plain]),
  )
}

/** From base64url. */
function readJson(text: string): unknown {
  try {
    const characters = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(characters, (character) => character.charCodeAt(0))
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return null
  }
}
