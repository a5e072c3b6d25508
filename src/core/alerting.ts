import type { CurrentStatus, KindName } from './monitor.ts'
import type { ResultStatus } from './result.ts'

export const alertTypes = [
  'monitor.down',
  'monitor.up',
  'domain.expiring',
  'certificate.expiring',
  'vulnerability.found',
  'end_of_life.reached',
  'test',
] as const
export type AlertType = (typeof alertTypes)[number]

/** What an alert tells; also the body of a webhook (decisions.md B18a). Timestamps are ISO 8601. */
export type Alert = {
  type: AlertType
  timestamp: string
  data: {
    monitor: { id: string; name: string; kind: KindName; url: string | null; current_status: CurrentStatus } | null
    incident: {
      id: string
      status: 'open' | 'acknowledged' | 'resolved'
      title: string
      cause: string | null
      started_at: string
      resolved_at: string | null
    } | null
    result: {
      status_code: number | null
      latency_ms: number | null
      location_code: string
      error: string | null
      status: ResultStatus
    } | null
  }
}

/** Longest text of an alert that leaves: five of them, at 3 bytes a character, stay below 20 kB (decisions.md B18a). */
const maxTextLength = 1000

/** An alert as outsiders may see it: addresses without user, password, query and fragment, texts on one line and cut. */
export function toPublicAlert(alert: Alert): Alert {
  const { monitor, incident, result } = alert.data
  return {
    type: alert.type,
    timestamp: alert.timestamp,
    data: {
      monitor: monitor && { ...monitor, name: oneLine(monitor.name), url: monitor.url && toPublicUrl(monitor.url) },
      incident: incident && {
        ...incident,
        title: oneLine(incident.title),
        cause: incident.cause && oneLine(incident.cause),
      },
      result: result && { ...result, error: result.error && oneLine(result.error) },
    },
  }
}

/** Targets need not be URLs: `host:port` and bare hosts stay as they are, apart from what may be a secret. */
export function toPublicUrl(url: string): string {
  const [address = ''] = url.split(/[?#]/, 1)
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)?(.*)$/is.exec(address) ?? []
  const end = rest.search(/[/\\]/)
  const authority = end === -1 ? rest : rest.slice(0, end)
  return oneLine(`${scheme}${authority.slice(authority.lastIndexOf('@') + 1)}${rest.slice(authority.length)}`)
}

/** Without line breaks, other control characters and marks that turn the direction of writing; cut when it is long. */
export function oneLine(text: string): string {
  const line = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\s]+/gu, ' ')
    .trim()
  return line.length <= maxTextLength ? line : `${line.slice(0, maxTextLength - 1).toWellFormed()}…`
}

/** What a test alert says: no monitor, no incident. */
export function testAlert(at: Date): Alert {
  return { type: 'test', timestamp: at.toISOString(), data: { monitor: null, incident: null, result: null } }
}

/** How a delivery ended, as its incident's event (decisions.md B6). */
export type DeliveryEvent = {
  type: 'alert_sent' | 'alert_failed'
  message: string
  details: { alert_channel_id: string; attempt: number; error?: string }
}

/** `error` is null when the alert was delivered. */
export function deliveryEvent(
  contact: { id: string; name: string; kind: string },
  { attempt, error }: { attempt: number; error: string | null },
): DeliveryEvent {
  const of = { alert_channel_id: contact.id, attempt }
  const to = `${oneLine(contact.name)} (${contact.kind})`
  if (error === null) return { type: 'alert_sent', message: `Alert sent to ${to}.`, details: of }
  return { type: 'alert_failed', message: `Alert to ${to} failed: ${error}`, details: { ...of, error } }
}
