import { z } from 'zod'
import { type SessionRecord, sessionSchema } from '#core/people/access.ts'
import { fail } from '#core/language/error.ts'
import { type PersonSession, deleteSession, listSessions } from '#store/people/people.ts'
import { definePersonOperation } from '#operations/pipeline/define-operation.ts'

const list = definePersonOperation({
  name: 'list_sessions',
  method: 'GET',
  path: '/sessions',
  tag: 'Console',
  summary: 'List where the person is signed in, newest first',
  errors: [401],
  success: { status: 200, description: 'Sessions.', schema: z.strictObject({ data: z.array(sessionSchema) }) },
  run: async ({ caller, services, now }) => {
    const sessions = await listSessions(services.database, { personId: caller.person.id, now })
    return { status: 200, body: { data: sessions.map((session) => toRecord(session, caller.sessionId)) } }
  },
})

const revoke = definePersonOperation({
  name: 'revoke_session',
  method: 'DELETE',
  path: '/sessions/{id}',
  tag: 'Console',
  summary: 'End a session at once',
  errors: [401, 404],
  success: { status: 204, description: 'The session was ended.' },
  run: async ({ caller, services }, { path: { id = '' } }) => {
    if (!(await deleteSession(services.database, { personId: caller.person.id, sessionId: id })))
      throw fail('not_found', 'There is no such session.')
    return { status: 204, body: undefined }
  },
})

export const sessionOperations = [list, revoke]

function toRecord(session: PersonSession, currentId: string): SessionRecord {
  return {
    id: session.id,
    is_current: session.id === currentId,
    created_at: session.createdAt.toISOString(),
    last_seen_at: session.lastSeenAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
    address: session.address,
    user_agent: session.userAgent,
  }
}
