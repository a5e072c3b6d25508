import type { OnCallShift } from './on-call-shifts.ts'

export type OnCallCalendar = {
  id: string
  name: string
  /** When the schedule last changed. */
  changedAt: Date
  shifts: readonly OnCallShift[]
  /** Of contacts, by their ids. */
  names: ReadonlyMap<string, string>
}

/**
 * The shifts as iCalendar (RFC 5545), an event each, at times of UTC. Times that an override leaves to no one are left
 * out.
 */
export function renderCalendar({ id, name, changedAt, shifts, names }: OnCallCalendar): string {
  const stamp = timeOf(changedAt)
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Perigee//On-call schedules//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${textOf(name)}`,
    `X-WR-CALNAME:${textOf(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...shifts.flatMap(({ startsAt, endsAt, contactId, layer, overrideId }) => {
      const person = contactId === null ? undefined : names.get(contactId)
      if (person === undefined) return []
      return [
        'BEGIN:VEVENT',
        // The time at which it begins tells an event from all others of what it is of: their shifts do not overlap.
        `UID:${id}-${overrideId ?? `layer${layer}`}-${timeOf(startsAt)}@perigee`,
        `DTSTAMP:${stamp}`,
        `DTSTART:${timeOf(startsAt)}`,
        `DTEND:${timeOf(endsAt)}`,
        `SUMMARY:${textOf(`${person} – ${name}`)}`,
        'TRANSP:TRANSPARENT',
        'END:VEVENT',
      ]
    }),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

/** RFC 5545 3.3.5, form 2. */
function timeOf(time: Date): string {
  return `${time.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}

/** RFC 5545 3.3.11. Control characters have no place in a text. */
function textOf(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll(/\r\n|\r|\n/g, String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, ' ')
}

const lineBytes = 75

/** RFC 5545 3.1: lines of at most 75 bytes, each further one led by a space; no character is cut. */
function folded(line: string): string {
  const lines: string[] = []
  let [current, length] = ['', 0]
  for (const character of line) {
    const bytes = bytesOf(character.codePointAt(0) ?? 0)
    if (length + bytes > lineBytes) {
      lines.push(current)
      ;[current, length] = [' ', 1]
    }
    current += character
    length += bytes
  }
  return [...lines, current].join('\r\n')
}

/** In UTF-8. */
function bytesOf(codePoint: number): number {
  if (codePoint < 0x80) return 1
  if (codePoint < 0x800) return 2
  return codePoint < 0x10000 ? 3 : 4
}
