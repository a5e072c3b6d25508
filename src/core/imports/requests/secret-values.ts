// Which values of requests that were recorded are secrets, or are good for one session alone.

const secretWords = new Set([
  'auth',
  'authorization',
  'credential',
  'credentials',
  'cvc',
  'cvv',
  'otp',
  'passcode',
  'passphrase',
  'passwd',
  'pass',
  'pin',
  'pwd',
  'pw',
  'token',
  'totp',
])
const secretPhrase = /(?:api|access|private)_?key|session_?id|card_?number|passw(?:or)?d|secret|(?:pin|otp)_?code/

const longestName = 200

/** Whether a field, a parameter or a header of this name usually has a secret: `user_token`, but not `token_type`. */
export function isSecretName(name: string): boolean {
  const words = name
    .slice(0, longestName)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
  return secretWords.has(words.at(-1) ?? '') || secretPhrase.test(words.join('_'))
}

const fewestCharacters = 12
const mostCharacters = 4_096
const fewestDifferent = 8

/** Whether a value looks as if chance had made it, as tokens and ids are, and no person had written it. */
export function isRandomLooking(value: string): boolean {
  const { length } = value
  if (length < fewestCharacters || length > mostCharacters || !/^[\w.~+/=:-]+$/.test(value)) return false
  if (/^(?:https?:|\d{4}-\d\d-\d\d)/i.test(value) || !/\d/.test(value) || !/[a-z]/i.test(value)) return false
  return new Set(value).size >= fewestDifferent
}
