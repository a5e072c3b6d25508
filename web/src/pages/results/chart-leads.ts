import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { ResponseHours } from '../../api/monitors.ts'
import { timeText } from '../../parts/time.tsx'
import { type ChartRange, hasPercentiles, isChosen } from './chart-range.ts'

/** What a chart shows of a time. */
export type View = 'time' | 'locations' | 'phases'

/** Percentiles are of all locations together, so hours show each location apart. */
export function viewsOf(range: ChartRange, now: number): View[] {
  return hasPercentiles(range, now) ? ['time', 'locations', 'phases'] : ['time', 'phases']
}

/** One sentence on what is drawn. */
export function leadOf(range: ChartRange, view: View): string {
  if (isChosen(range)) {
    const [from, to] = [timeText(range.since), timeText(range.until)]
    return t`From ${from} to ${to}.`
  }
  return i18n._(leads[range][view] ?? leads[range].time)
}

type Leads = { time: MessageDescriptor; phases: MessageDescriptor; locations?: MessageDescriptor }

const days: Leads = {
  time: msg`Of each day’s checks that were not down, from all locations together.`,
  locations: msg`Means of each day’s checks that were not down, by location.`,
  phases: msg`Means of each day.`,
}

const leads: Readonly<Record<ResponseHours, Leads>> = {
  '1': {
    time: msg`Means of each minute’s checks that were not down, by location.`,
    phases: msg`How the time of each minute’s checks was spent.`,
  },
  '24': {
    time: msg`Means of each quarter-hour’s checks that were not down, by location.`,
    phases: msg`How the time of each quarter-hour’s checks was spent.`,
  },
  '168': {
    time: msg`Of each hour’s checks that were not down, from all locations together.`,
    locations: msg`Means of each hour’s checks that were not down, by location.`,
    phases: msg`How the time of each hour’s checks was spent.`,
  },
  '720': {
    time: msg`Of the checks of every six hours that were not down, from all locations together.`,
    locations: msg`Means of the checks of every six hours that were not down, by location.`,
    phases: msg`How the time of the checks of every six hours was spent.`,
  },
  '2160': days,
  '8760': days,
}
