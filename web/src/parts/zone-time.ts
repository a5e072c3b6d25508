// Times as clocks of a zone show them, in the form of `datetime-local` fields: "2026-11-22T03:00".

/** The clock time of the zone at an instant. */
export function localIn(zone: string, at: Date): string {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  const read = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? ''
  return `${read('year').padStart(4, '0')}-${read('month')}-${read('day')}T${read('hour')}:${read('minute')}`
}

/**
 * The instant at which clocks of the zone show this, or null where it is no time. One that comes twice is the first of
 * them; one that is left out counts as if clocks had not changed yet, which is the time after the gap.
 */
export function instantIn(zone: string, local: string): Date | null {
  const asUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(local) ? Date.parse(`${local}:00Z`) : NaN
  if (Number.isNaN(asUtc)) return null
  const before = asUtc - offsetMs(zone, asUtc - dayMs)
  const after = asUtc - offsetMs(zone, asUtc + dayMs)
  const right = [before, after].filter((ms) => localIn(zone, new Date(ms)) === local)
  return new Date(right.length === 0 ? before : Math.min(...right))
}

/** `UTC+2`, `UTC−3:30`. */
export function offsetText(zone: string, at: Date): string {
  const minutes = Math.round(offsetMs(zone, at.getTime()) / 60_000)
  if (minutes === 0) return 'UTC'
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}

export function isZone(zone: string): boolean {
  try {
    return formatOf(zone).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const dayMs = 86_400_000

function offsetMs(zone: string, ms: number): number {
  const minute = Math.floor(ms / 60_000) * 60_000
  return Date.parse(`${localIn(zone, new Date(minute))}:00Z`) - minute
}

function formatOf(zone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
}
