// TLS sessions that the next checks of a monitor take up again, in place of full handshakes
// (docs/decisions/targets-and-kinds.md, "Resumed TLS sessions").
import type { KeptSession, Resumption } from '#net/tls/tls.ts'
import { createSessionMemory, type Sessions } from './session-memory.ts'

/** A full handshake follows, so that a certificate that was replaced is noticed. */
const mostInARow = 9

const memory = createSessionMemory()

/**
 * Looks with the sessions of the checks before, which were up. What is not up is told by a full handshake only: the look
 * is made again then, unless its time is over, and the next check has no session either.
 */
export async function lookResumed<Seen>(
  configuration: object,
  look: (resumption: Resumption) => Promise<Seen>,
  { isUp, signal }: { isUp: (seen: Seen) => boolean; signal: AbortSignal },
): Promise<Seen> {
  const { byHost, inARow } = usable(memory.recall(configuration))
  const course = courseWith(byHost)
  const seen = await look(course.resumption)
  if (isUp(seen)) {
    memory.keep(configuration, { byHost: course.kept, inARow: course.hasOffered() ? inARow + 1 : 0 })
    return seen
  }
  memory.forget(configuration)
  return course.hasOffered() && !signal.aborted ? lookResumed(configuration, look, { isUp, signal }) : seen
}

function usable(sessions: Sessions | null): Sessions {
  return sessions === null || sessions.inARow >= mostInARow ? { byHost: new Map(), inARow: 0 } : sessions
}

type Course = { resumption: Resumption; kept: Sessions['byHost']; hasOffered: () => boolean }

/** A session of a certificate that has ended meanwhile would hide that. */
function courseWith(byHost: Sessions['byHost']): Course {
  const kept = new Map<string, KeptSession>()
  let hasOffered = false
  return {
    kept,
    hasOffered: () => hasOffered,
    resumption: {
      find: (label) => {
        const known = byHost.get(label)
        if (known === undefined || Date.parse(known.certificate.notAfter) <= Date.now()) return null
        hasOffered = true
        // A server of TLS 1.2 may hand out no other one.
        kept.set(label, known)
        return known
      },
      keep: (label, session) => void kept.set(label, session),
    },
  }
}
