import { oneLine } from '#core/language/one-line.ts'
import type { MailMessage } from '#contacts/message.ts'
import { noticeMail } from '#contacts/notices.ts'
import { factsOf, timeText } from '#contacts/wording/facts.ts'

type Assigned = {
  email: string
  title: string
  cause: string | null
  startedAt: Date
  monitorName: string
  url: string
}

/** Tells a member that an incident is theirs now. Who gave it to them stands in its timeline. */
export function incidentAssignedMail({ email, title, cause, startedAt, monitorName, url }: Assigned): MailMessage {
  const name = oneLine(title)
  return noticeMail(email, {
    tone: 'warning',
    headline: `Assigned to you: ${name}`,
    lead: `The incident “${name}” was assigned to you. It is ongoing.`,
    facts: factsOf([
      ['Monitor', oneLine(monitorName)],
      ['Cause', cause === null ? null : oneLine(cause)],
      ['Since', timeText(startedAt.toISOString())],
    ]),
    link: { label: 'Open the incident', url },
    footer: null,
  })
}
