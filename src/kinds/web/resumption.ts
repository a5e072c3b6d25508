// TLS sessions that the next checks of a monitor take up again, in place of full handshakes.
import type { KeptSession, Resumption } from '#net/tls/tls.ts'

/** A full handshake follows, so that a certificate that was replaced is noticed. */
const mostInARow = 9

type Sessions = ReadonlyMap<string, KeptSession>
type Memory = { sessions: Sessions; inARow: number }

/** By the configuration: what is written about a monitor anew begins with a full handshake. */
const memories = new WeakMap<object, Memory>()

/**
 * Looks with the sessions of the checks before, which were up. What is not up is told by a full handshake only: the look
 * is made again then, unless its time is over, and the next check has no session either.
 */
export async function lookResumed<Seen>(
  configuration: object,
  look: (resumption: Resumption) => Promise<Seen>,
  { isUp, signal }: { isUp: (seen: Seen) => boolean; signal: AbortSignal },
): Promise<Seen> {
  const { sessions, inARow } = usable(memories.get(configuration))
  const course = courseWith(sessions)
  const seen = await look(course.resumption)
  if (isUp(seen)) {
    memories.set(configuration, { sessions: course.kept, inARow: course.hasOffered() ? inARow + 1 : 0 })
    return seen
  }
  memories.delete(configuration)
  return course.hasOffered() && !signal.aborted ? lookResumed(configuration, look, { isUp, signal }) : seen
}

function usable(memory: Memory | undefined): Memory {
  return memory === undefined || memory.inARow >= mostInARow ? { sessions: new Map(), inARow: 0 } : memory
}

type Course = { resumption: Resumption; kept: Sessions; hasOffered: () => boolean }

/** A session of a certificate that has ended meanwhile would hide that. */
function courseWith(sessions: Sessions): Course {
  const kept = new Map<string, KeptSession>()
  let hasOffered = false
  return {
    kept,
    hasOffered: () => hasOffered,
    resumption: {
      find: (label) => {
        const known = sessions.get(label)
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
