/** What a registry tells about a domain. */
export type Registration = {
  isRegistered: boolean
  /** ISO 8601; null where the registry publishes none, or none that can be read. */
  expiresAt: string | null
  registrar: string | null
  /** In the words of RDAP (RFC 8056), lower case: `client hold`, `pending delete`. */
  statuses: string[]
}

export const unregistered: Registration = { isRegistered: false, expiresAt: null, registrar: null, statuses: [] }

/** What was found about a domain, and where; `problem` says in words why nothing was. */
export type LookUp =
  | { ok: true; registration: Registration; source: 'rdap' | 'whois'; server: string }
  | { ok: false; problem: string }

/** Looks a registrable domain up at its registry, and ends by itself. */
export type RegistrationSource = (domain: string) => Promise<LookUp>

/** One exchange with a registry may take this long. */
export const stepMs = 6_000

/** `clientHold https://icann.org/epp#clientHold` and `CLIENT HOLD` as `client hold`. */
export function plainStatus(text: string): string {
  return text
    .replace(/\s*\(?https?:\S*/, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[\s_-]+/g, ' ')
    .trim()
    .toLowerCase()
    .slice(0, maxTextLength)
}

/** The name of a registrar as someone else wrote it; null when there is none. */
export function plainName(text: string): string | null {
  const plain = text.replaceAll(/\s+/g, ' ').trim().slice(0, maxTextLength)
  return plain === '' ? null : plain
}

const maxTextLength = 100

/** Statuses kept of one registration; EPP has about a dozen. */
export const maxStatuses = 20
