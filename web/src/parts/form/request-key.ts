/** An Idempotency-Key: one for what is wanted once, however often it is asked for. Works on plain http, too. */
export function requestKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
