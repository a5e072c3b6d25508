// Sentences about what is not known of a period: a report says so instead of showing a figure that looks whole.
import { createLocalClock } from '#core/language/local-clock.ts'
import { inWords } from '#core/language/in-words.ts'
import { dayOf } from '#core/language/utc-day.ts'
import type { ReportReadings } from './report-readings.ts'
import type { ReportedMonitor } from './report-content.ts'
import type { ReportPeriod } from './report-period.ts'
import { dayWords } from './report-words.ts'

const mostNamed = 5

type Known = Pick<ReportReadings, 'leftOut' | 'inMaintenance' | 'isExact'>

export function notesOf(
  { leftOut, inMaintenance, isExact }: Known,
  { told, period }: { told: readonly ReportedMonitor[]; period: ReportPeriod },
): string[] {
  const late = told.filter((monitor) => monitor.uptime !== null && monitor.measured_since !== null)
  const unmeasured = told.filter(({ uptime }) => uptime === null)
  return [
    late.length === 0
      ? []
      : `Not measured from the start of the period: ${named(late, (one) => sinceWords(one, period))}.`,
    unmeasured.length === 0 ? [] : `No checks that count in this period: ${named(unmeasured, ({ name }) => name)}.`,
    inMaintenance === 0
      ? []
      : `${inMaintenance === 1 ? 'One incident' : `${inMaintenance} incidents`} during maintenance that is left out of uptime ${inMaintenance === 1 ? 'is' : 'are'} not counted.`,
    isExact
      ? []
      : 'Single checks are not kept that long. Uptime at the start and the end of the period is that of the nearest UTC days.',
    leftOut === 0 ? [] : `${leftOut} more monitors belong to this report, but are not part of its figures.`,
  ].flat()
}

function sinceWords({ name, measured_since: since }: ReportedMonitor, { timeZone }: ReportPeriod): string {
  const local = createLocalClock(timeZone).at(Date.parse(since ?? ''))
  return `${name} (measured since ${dayWords(dayOf(new Date(local)))})`
}

function named(monitors: readonly ReportedMonitor[], words: (monitor: ReportedMonitor) => string): string {
  const more = monitors.length - mostNamed
  const shown = monitors.slice(0, mostNamed).map(words)
  return inWords(more > 0 ? [...shown, `${more} more`] : shown)
}
