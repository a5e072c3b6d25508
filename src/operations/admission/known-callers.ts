import { hash } from 'node:crypto'
import type { Credentials } from '#operations/pipeline/authenticate.ts'

/** As which caller a request counts, before anything is looked up for it. */
export type KnownCallers = {
  /** The id under which its credential was known last; the network address where it is not known. */
  callerOf: (credentials: Credentials) => string
  /** Told of every credential that was good, with the id of the workspace or the person that it stands for. */
  know: (credentials: Credentials, id: string) => void
}

const mostKnown = 10_000

/**
 * Credentials that nobody vouched for count as their address, for a stranger can make up as many as there are requests.
 * They are kept as hashes.
 */
export function createKnownCallers(most: number = mostKnown): KnownCallers {
  const known = new Map<string, string>()
  return {
    callerOf: (credentials) => {
      const key = keyOf(credentials)
      return (key === null ? undefined : known.get(key)) ?? credentials.address
    },
    know: (credentials, id) => {
      const key = keyOf(credentials)
      if (key === null) return
      known.delete(key)
      known.set(key, id)
      const [oldest] = known.keys()
      if (known.size > most && oldest !== undefined) known.delete(oldest)
    },
  }
}

/** By the token that counts, or else the cookies and the workspace of a session. */
function keyOf({ tokens: [token], session }: Credentials): string | null {
  if (token !== undefined) return hash('sha256', token, 'base64url')
  if (session === null) return null
  return hash('sha256', `${session.workspace} ${session.headers.get('cookie') ?? ''}`, 'base64url')
}
