import { type ReactNode, Suspense, lazy, useMemo, useState } from 'react'
import type { LocationRecord, MonitorDetail, ResultRecord } from '../../api/monitors.ts'
import { Empty } from '../../parts/list.tsx'
import { Section } from '../../parts/page.tsx'
import { Choice } from './choice.tsx'
import { byLocation, ofLastDay, percentiles, phasesOfChecks, phasesOfDays, summaryOf } from './chart-data.ts'

/** Loaded with the first chart that is looked at. */
const LineChart = lazy(() => import('../../parts/line-chart.tsx'))

type ChartProps = {
  detail: MonitorDetail
  results: readonly ResultRecord[]
  locations: readonly LocationRecord[]
  /** When the results were read, in milliseconds since 1970. */
  now: number
}

const ranges = [
  { value: 'day', label: '24 hours' },
  { value: 'days', label: '90 days' },
] as const
const views = [
  { value: 'time', label: 'Response time' },
  { value: 'phases', label: 'Phases' },
] as const
type Range = (typeof ranges)[number]['value']
type View = (typeof views)[number]['value']

export function ResponseChart({ detail, results, locations, now }: ChartProps): ReactNode {
  const [range, setRange] = useState<Range>('day')
  const [view, setView] = useState<View>('time')
  const { days } = detail
  const data = useMemo(() => {
    if (range === 'days') return view === 'time' ? percentiles(days) : phasesOfDays(days)
    const recent = ofLastDay(results, now)
    return view === 'time' ? byLocation(recent, locations) : phasesOfChecks(recent)
  }, [range, view, days, results, locations, now])
  return (
    <Section
      title="Response time"
      lead={leads[range][view]}
      action={
        <div className="flex flex-wrap gap-2">
          <Choice label="Range" options={ranges} value={range} onChange={setRange} />
          <Choice label="Shown" options={views} value={view} onChange={setView} />
        </div>
      }
    >
      {data.lines.length === 0 ? (
        <Empty>Nothing was measured in this time.</Empty>
      ) : (
        <Suspense fallback={<div className="min-h-72" />}>
          <LineChart
            label={`Response time, ${leads[range][view]} ${summaryOf(data)}`}
            times={data.times}
            range={rangeOf(range, now)}
            lines={data.lines}
            isStacked={view === 'phases'}
            isByDay={range === 'days'}
          />
        </Suspense>
      )}
    </Section>
  )
}

/** Ends now, whenever the last check was. */
function rangeOf(range: Range, now: number): [from: number, to: number] {
  const to = Math.floor(now / 1000)
  return [to - (range === 'day' ? 1 : 90) * 86_400, to]
}

const leads: Readonly<Record<Range, Readonly<Record<View, string>>>> = {
  day: { time: 'Of each successful check, by location.', phases: 'How the time of each check was spent.' },
  days: { time: 'Of each day’s successful checks.', phases: 'Means of each day.' },
}
