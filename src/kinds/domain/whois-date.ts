/** Whether `03/04/2027` is the third of April or the fourth of March, where nothing in the text tells. */
export type DayPlace = 'day_first' | 'month_first'

const longest = 120

/**
 * The moment that a registry wrote in one of the many ways registries do; null when the text is none of them or the
 * day does not exist. A time without its zone is taken as UTC.
 */
export function parseWhoisDate(text: string, dayPlace: DayPlace = 'day_first'): Date | null {
  const plain = text.slice(0, longest).trim().replaceAll(/\s+/g, ' ')
  for (const [pattern, read] of patterns) {
    const groups = pattern.exec(plain)?.groups
    if (groups !== undefined) return toDate(read(groups, dayPlace), plain)
  }
  return null
}

type Groups = Readonly<Record<string, string | undefined>>
type Day = { year: number; month: number; day: number }

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthName = '(?<name>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}'
const year = String.raw`(?<year>[12]\d{3})`
const weekday = '(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? )?'

/** Tried in this order; each stands at the beginning and ends where no further digit follows. */
const patterns: readonly (readonly [RegExp, (groups: Groups, dayPlace: DayPlace) => Day])[] = [
  // 2027-03-04, 2027/03/04, 2027.3.4, 2027. 03. 04.
  [
    new RegExp(String.raw`^${year}(?<separator>-|/|\. ?)(?<month>\d{1,2})\k<separator>(?<day>\d{1,2})(?!\d)`),
    byNumbers,
  ],
  // 20270304
  [new RegExp(String.raw`^${year}(?<month>\d{2})(?<day>\d{2})(?!\d{1,3}(?!\d))`), byNumbers],
  // 2027-Mar-04
  [new RegExp(String.raw`^${year}[-/. ]${monthName}[-/. ](?<day>\d{1,2})(?!\d)`, 'i'), byName],
  // 04-Mar-2027, 4 March 2027, 4th of March 2027, Thu, 04 Mar 2027
  [
    new RegExp(
      String.raw`^${weekday}(?<day>\d{1,2})(?:st|nd|rd|th)?(?: of )?[-/. ]{0,2}${monthName}[-/., ]{1,2}${year}(?!\d)`,
      'i',
    ),
    byName,
  ],
  // March 4 2027, Mar 4, 2027
  [new RegExp(String.raw`^${weekday}${monthName}\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? ${year}(?!\d)`, 'i'), byName],
  // Thu Mar 04 05:06:07 UTC 2027
  [
    new RegExp(String.raw`^${weekday}${monthName} (?<day>\d{1,2}) [\d:]{5,8} (?:[a-z]{2,5} )?${year}(?!\d)`, 'i'),
    byName,
  ],
  // 04.03.2027, 4/3/2027, 04-03-2027
  [
    new RegExp(String.raw`^(?<first>\d{1,2})(?<separator>[-/.] ?)(?<second>\d{1,2})\k<separator>${year}(?!\d)`),
    byPlace,
  ],
]

function byNumbers({ year: written, month, day }: Groups): Day {
  return { year: Number(written), month: Number(month), day: Number(day) }
}

function byName({ year: written, name, day }: Groups): Day {
  return { year: Number(written), month: monthNames.indexOf((name ?? '').toLowerCase()) + 1, day: Number(day) }
}

function byPlace({ year: written, first, second }: Groups, dayPlace: DayPlace): Day {
  const [one, two] = [Number(first), Number(second)]
  const isMonthFirst = two > 12 || (dayPlace === 'month_first' && one <= 12)
  return isMonthFirst
    ? { year: Number(written), month: one, day: two }
    : { year: Number(written), month: two, day: one }
}

function toDate(day: Day, text: string): Date | null {
  const midnight = new Date(Date.UTC(day.year, day.month - 1, day.day))
  const exists = midnight.getUTCMonth() === day.month - 1 && midnight.getUTCDate() === day.day
  return exists ? new Date(midnight.getTime() + timeOfDayMs(text)) : null
}

const clock = String.raw`(?<hours>[01]\d|2[0-3]):(?<minutes>[0-5]\d)(?::(?<seconds>[0-5]\d|60)(?:[.,]\d{1,9})?)?`
const zone = String.raw`(?: ?\(?(?:utc|gmt)?(?<sign>[+-])(?<zoneHours>0\d|1[0-4])(?::?(?<zoneMinutes>[0-5]\d))?(?!\d))?`
const timeOfDay = new RegExp(String.raw`(?:^|[^\d:])${clock}${zone}`, 'i')

/** The time in the text with its zone, in milliseconds from midnight UTC; 0 where there is none. */
function timeOfDayMs(text: string): number {
  const groups = timeOfDay.exec(text)?.groups
  if (groups === undefined) return 0
  const { hours, minutes, seconds, sign, zoneHours, zoneMinutes } = groups
  const zoneSeconds = Number(zoneHours ?? 0) * 3600 + Number(zoneMinutes ?? 0) * 60
  const local = Number(hours) * 3600 + Number(minutes) * 60 + Math.min(Number(seconds ?? 0), 59)
  return (sign === '-' ? local + zoneSeconds : local - zoneSeconds) * 1000
}
