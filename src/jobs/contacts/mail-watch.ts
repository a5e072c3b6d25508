import type { Carriers } from '#contacts/send.ts'
import type { MailOutcome } from '#contacts/message.ts'

export type MailWatchOptions = {
  sendMail: Carriers['sendMail']
  /** Told when the server takes no mail any more, and again when it says so in other words. */
  onFailing: (error: string) => Promise<void>
  /** Told when it takes mail for the first time, and again after it failed. */
  onWell: () => Promise<void>
}

/** One address that does not exist says nothing of the server; so many refusals in a row do. */
const maxRefusals = 5

/** Passes mails on, and tells how the mail server is. What it is told may fail: the next mail tells it again. */
export function watchMail({ sendMail, onFailing, onWell }: MailWatchOptions): Carriers['sendMail'] {
  let told: string | null | undefined
  let refusals = 0

  async function tell(error: string | null): Promise<void> {
    if (told === error) return
    await (error === null ? onWell() : onFailing(error))
    told = error
  }

  return async (message, signal) => {
    const outcome = await sendMail(message, signal)
    // A mail that was given up because this process ends says nothing of the server.
    if (signal.aborted && !isTimeout(signal.reason)) return outcome
    const refusal = refusalOf(outcome)
    refusals = outcome.ok && !outcome.answer.isAccepted ? refusals + 1 : 0
    const isServersOwn = !outcome.ok || (!outcome.answer.isAccepted && outcome.answer.refused === 'session')
    if (refusal === null || isServersOwn || refusals >= maxRefusals) await tell(refusal).catch(() => {})
    return outcome
  }
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError'
}

function refusalOf(outcome: MailOutcome): string | null {
  if (!outcome.ok) return outcome.failure
  const { answer } = outcome
  return answer.isAccepted ? null : `The mail server refuses mail: ${answer.text}`
}
