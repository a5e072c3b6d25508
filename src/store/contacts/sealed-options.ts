import type { ContactOptions } from '#core/contacts/contact-options.ts'
import type { Place, Secrets } from '#store/database/secrets.ts'

type Options = Record<string, unknown>

/** Options as their columns have them; null where none of them is secret. */
export type StoredOptions = { options: Options; sealedOptions: Buffer | null }

/** `id` is the contact's. */
export function sealOptions(
  { id, publicOptions, secretOptions }: ContactOptions & { id: string },
  secrets: Secrets,
): StoredOptions {
  const hasSecrets = Object.keys(secretOptions).length > 0
  return {
    options: publicOptions,
    sealedOptions: hasSecrets ? secrets.encrypt(JSON.stringify(secretOptions), placeOf(id)) : null,
  }
}

/** What `sealOptions` was given. */
export function openOptions(
  { id, options, sealedOptions }: StoredOptions & { id: string },
  secrets: Secrets,
): ContactOptions {
  if (sealedOptions === null) return { publicOptions: options, secretOptions: {} }
  const secretOptions: Options = JSON.parse(secrets.decrypt(sealedOptions, placeOf(id)))
  return { publicOptions: options, secretOptions }
}

function placeOf(id: string): Place {
  return { column: 'alert_channels.secret_options', id }
}
