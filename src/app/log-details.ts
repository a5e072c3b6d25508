// What may stand in a line of the log: no credentials, of addresses the host alone, and of an error only what says where
// it came from. Databases and clients add rows, addresses and headers to their errors.

const maxTextLength = 2_000
const maxStackLength = 8_000
const maxCauses = 5
const hidden = '***'

/** The details of a line as they are written. */
export function shownDetails(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(details).map(([name, value]) => [name, shownValue(value)]))
}

function shownValue(value: unknown): unknown {
  if (typeof value === 'string') return shownText(value)
  if (value instanceof Error) return shownError(value)
  if (Array.isArray(value)) return value.map(shownValue)
  return isPlain(value) ? shownDetails(value) : value
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

/** `text` as it is written. */
export function shownText(text: string): string {
  return withoutSecrets(text.length > maxTextLength ? `${text.slice(0, maxTextLength - 1)}…` : text)
}

type ShownError = { type: string; message: string; stack: string; code?: string; cause?: ShownError }

function shownError(error: Error, depth = 0): ShownError {
  const { name, message, stack = '', cause } = error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  return {
    type: name,
    message: shownText(message),
    stack: withoutSecrets(stack.slice(0, maxStackLength)),
    ...(code === null ? {} : { code }),
    ...(cause instanceof Error && depth < maxCauses ? { cause: shownError(cause, depth + 1) } : {}),
  }
}

const mayHaveSecret = /:\/\/|bearer|basic|_[a-z0-9]{16}/i
/** Of an address the host is enough: users, paths and queries may be keys. Frames of a stack are addresses of files. */
const userOfAddress = /\b(?!file:)([a-z][a-z0-9+.-]{1,30}:\/\/)[^\s/?#@"<>]{1,2000}@/gi
const endOfAddress = /\b(?!file:)([a-z][a-z0-9+.-]{1,30}:\/\/[^\s/?#@"'<>]{1,300})[/?#][^\s"<>]+/gi
const credential = /\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi
/** Tokens that this service hands out, and keys of webhooks and of Stripe, say by their beginning what they are. */
const token = /\b(?:pgk|pga|sk|rk|whsec)_(?:live_|test_)?[A-Za-z0-9+/=]{16,}/g

function withoutSecrets(text: string): string {
  if (!mayHaveSecret.test(text)) return text
  return text
    .replaceAll(userOfAddress, '$1')
    .replaceAll(endOfAddress, `$1/${hidden}`)
    .replaceAll(credential, `$1 ${hidden}`)
    .replaceAll(token, hidden)
}
