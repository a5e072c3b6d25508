// What becomes of an alert, as the timeline of its incident tells it.
import { oneLine } from '#core/language/one-line.ts'

/** How a delivery ended, as an event of its incident (docs/decisions/incidents.md, "Events"). */
export type DeliveryEvent = {
  type: 'alert_sent' | 'alert_failed'
  message: string
  details: { alert_channel_id: string; attempt: number; error?: string; template_problem?: string }
}

/**
 * `error` is null for an alert that was delivered; `templateProblem` says why it has the built-in words. `others` counts
 * the alerts that were in the same message.
 */
export function deliveryEvent(
  contact: { id: string; name: string; kind: string },
  {
    attempt,
    error,
    templateProblem = null,
    others = 0,
  }: { attempt: number; error: string | null; templateProblem?: string | null; others?: number },
): DeliveryEvent {
  const plain = { alert_channel_id: contact.id, attempt }
  const of = templateProblem === null ? plain : { ...plain, template_problem: templateProblem }
  const to = `${oneLine(contact.name)} (${contact.kind})`
  if (error === null) {
    const words =
      templateProblem === null ? '' : ` The built-in text was sent instead of its template. ${templateProblem}`
    const together = others === 0 ? '' : ` together with ${others} other ${others === 1 ? 'alert' : 'alerts'}`
    return { type: 'alert_sent', message: `Alert sent to ${to}${together}.${words}`, details: of }
  }
  return { type: 'alert_failed', message: `Alert to ${to} failed: ${error}`, details: { ...of, error } }
}

/** What kept an alert from being sent at all: the outage ended, or a person took it on, before its time came. */
export type DropReason = 'ended' | 'acknowledged'

const dropReasons: Readonly<Record<DropReason, string>> = {
  ended: 'the incident ended before the alert was due',
  acknowledged: 'the incident was acknowledged before the alert was due',
}

export function droppedEvent(
  contact: { id: string; name: string; kind: string },
  reason: DropReason,
): { message: string; details: { alert_channel_id: string; reason: DropReason } } {
  return {
    message: `No alert to ${oneLine(contact.name)} (${contact.kind}): ${dropReasons[reason]}.`,
    details: { alert_channel_id: contact.id, reason },
  }
}
