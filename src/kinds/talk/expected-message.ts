import { text } from '#core/language/text.ts'
import type { Peer } from '#net/tcp/talk.ts'
import type { Check } from '#kinds/kind.ts'
import type { Asking } from '#kinds/web/question-thread.ts'
import { givenUp } from '#kinds/web/web-assertions.ts'
import { pattern } from '#kinds/web/web-options.ts'

/** What a message of a server may be expected to hold. */
export const expectedMessage = {
  expected_message: text({ min: 1, max: 1000 }).optional(),
  message_pattern: pattern.optional(),
}

export type ExpectedMessage = { expected_message?: string | undefined; message_pattern?: string | undefined }

type Means = { peer: Peer; check: Check<ExpectedMessage>; asking: Asking; signal: AbortSignal }

/**
 * Whether the message has the text and matches the pattern; null where the deadline comes first. A pattern that takes too
 * much time or memory ends the talk.
 */
export async function isExpected({ peer, check, asking, signal }: Means, message: Buffer): Promise<boolean | null> {
  const { options, shareKey = '' } = check
  const { expected_message: wanted, message_pattern: wantedPattern } = options
  if (wanted !== undefined && !message.includes(wanted)) return false
  if (wantedPattern === undefined) return true
  if (signal.aborted) return null
  const questions = [{ type: 'pattern', pattern: wantedPattern } as const]
  const asked = asking.ask(shareKey, { body: message.toString('utf8'), questions }, signal)
  const answered = await asked.catch((error: unknown) => {
    if (signal.aborted) return null
    throw error
  })
  if (answered?.type === 'given up') throw peer.fault(givenUp[answered.why])
  return answered === null ? null : answered.answers[0] === null
}
