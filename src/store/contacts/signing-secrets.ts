import type { Place, Secrets } from '#store/database/secrets.ts'

/** `id` is the contact's. */
export function sealSigningSecret({ id, secret }: { id: string; secret: string }, secrets: Secrets): Buffer {
  return secrets.encrypt(secret, placeOf(id))
}

/** In the clear, the newest first. */
export function openSigningSecrets(
  { id, signingSecrets }: { id: string; signingSecrets: readonly Buffer[] },
  secrets: Secrets,
): string[] {
  return signingSecrets.map((sealed) => secrets.decrypt(sealed, placeOf(id)))
}

function placeOf(id: string): Place {
  return { column: 'alert_channels.signing_secret', id }
}
