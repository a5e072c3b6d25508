import type { PersonMailContent } from '#core/people/person-mail.ts'
import type { Session } from '#operations/pipeline/session-credential.ts'
import type { Services } from '#operations/pipeline/services.ts'
import { enqueuePersonMail } from '#store/people/person-mails.ts'
import { findSession, takeCode, touchSession } from '#store/people/people.ts'

const touchIntervalMs = 60_000

export type ResumedSession = {
  token: string
  now: Date
  /** Told when the last use could not be noted, which happens behind the request. */
  onTouchFailure: (error: unknown) => void
}

/** The session of a token, null when it is over; its last use is noted at most once a minute. */
export async function resumeSession(
  { database }: Pick<Services, 'database'>,
  { token, now, onTouchFailure }: ResumedSession,
): Promise<Session | null> {
  const session = await findSession(database, { token, now })
  if (session !== null && now.getTime() - session.lastSeenAt.getTime() >= touchIntervalMs)
    touchSession(database, { sessionId: session.id, at: now }).catch(onTouchFailure)
  return session
}

/** False when the person used this code before: it is good for one sign-in (RFC 6238 5.2). Only its hash is kept. */
export function spendCode(
  { database, secrets }: Pick<Services, 'database' | 'secrets'>,
  { personId, code, at }: { personId: string; code: string; at: Date },
): Promise<boolean> {
  return takeCode(database, { personId, codeHashes: secrets.signatures('one-time code', `${personId} ${code}`), at })
}

/** Mails a person by a job: an answer waits for no mail server, nor tells by its time which address has an account. */
export function mailPerson(
  { database, secrets }: Pick<Services, 'database' | 'secrets'>,
  { content, expiresAt }: { content: PersonMailContent; expiresAt: Date },
): Promise<void> {
  return database.transaction((tx) => enqueuePersonMail(tx, secrets, { expires_at: expiresAt.toISOString(), content }))
}
