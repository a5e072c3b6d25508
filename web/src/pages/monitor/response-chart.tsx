import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, Suspense, lazy, useMemo, useState } from 'react'
import type { LocationRecord, MonitorDetail, ResponseHours } from '../../api/monitors.ts'
import { Empty } from '../../parts/list.tsx'
import { Section } from '../../parts/page.tsx'
import { rangeSince } from '../../parts/watched.ts'
import { useRead } from '../../session/workspace.tsx'
import { type ChartData, nameOf, percentiles, phasesOfDays, summaryOf } from './chart-data.ts'
import { Choice } from './choice.tsx'
import { byLocation, phasesOfSteps, stepsOf } from './response-steps.ts'
import { watchedSinceOf } from './uptime-figures.ts'
import { responseTimesKey, useMonitors } from '../../session/use-monitors.ts'

/** Loaded with the first chart that is looked at. */
const LineChart = lazy(() => import('../../parts/line-chart.tsx'))

type ChartProps = { detail: MonitorDetail; locations: readonly LocationRecord[]; everyMs: number }

type Range = ResponseHours | 'days'
type View = 'time' | 'phases'

export function ResponseChart(props: ChartProps): ReactNode {
  const [range, setRange] = useState<Range>(() => usualRange(props.detail))
  const [view, setView] = useState<View>('time')
  const lead = i18n._(leads[range][view])
  const shown = { ...props, view, lead }
  return (
    <Section title={t`Response time`} lead={lead} action={<Choices {...{ range, setRange, view, setView }} />}>
      <Suspense fallback={<div className="min-h-72" />}>
        {range === 'days' ? <Days {...shown} /> : <Hours key={range} hours={range} {...shown} />}
      </Suspense>
    </Section>
  )
}

type ShownProps = ChartProps & { view: View; lead: string }

const daySeconds = 86_400
const hourMs = 3_600_000

/** The shortest one until it is full: in a longer one the first checks are a single point. */
function usualRange(detail: MonitorDetail): Range {
  const since = watchedSinceOf(detail)
  return since !== null && Date.now() - since < hourMs ? '1' : '24'
}

function Days({ detail, view, lead }: ShownProps): ReactNode {
  const { days } = detail
  const data = useMemo(() => (view === 'time' ? percentiles(days) : phasesOfDays(days)), [view, days])
  const times = days.map(({ date }) => Date.parse(`${date}T00:00:00Z`) / 1000)
  const range = rangeSince(times, { sinceMs: watchedSinceOf(detail), stepSeconds: daySeconds })
  return <Chart data={data} range={range} lead={lead} isStacked={view === 'phases'} isByDay />
}

/** Read while it is looked at. */
function Hours({ hours, detail, locations, everyMs, view, lead }: ShownProps & { hours: ResponseHours }): ReactNode {
  const { id, interval_seconds: intervalSeconds } = detail.data
  const monitors = useMonitors()
  const { data: answer, dataUpdatedAt: now } = useRead(responseTimesKey(id, hours), {
    read: () => monitors.readResponseTimes(id, hours),
    everyMs,
  })
  const steps = useMemo(() => stepsOf(answer, now), [answer, now])
  const phases = useMemo(() => phasesOfSteps(steps, { intervalSeconds }), [steps, intervalSeconds])
  const times = useMemo(() => byLocation(steps, { locations, intervalSeconds }), [steps, locations, intervalSeconds])
  const isStacked = view === 'phases'
  // To the end of the time, whenever the last check was.
  const range = rangeSince(steps.times, { sinceMs: watchedSinceOf(detail), stepSeconds: steps.stepSeconds })
  const place = phases.code === null ? null : nameOf(phases.code, locations)
  return (
    <>
      <Chart data={isStacked ? phases : times} range={range} {...{ lead, isStacked }} isByDay={false} />
      {isStacked && answer.data.length > 1 && place !== null && (
        <p className="mt-2 text-sm text-muted">
          <Trans>Measured from {place}.</Trans>
        </p>
      )}
    </>
  )
}

type DrawnProps = {
  data: ChartData
  range: readonly [from: number, to: number]
  lead: string
  isStacked: boolean
  isByDay: boolean
}

function Chart({ data, range, lead, isStacked, isByDay }: DrawnProps): ReactNode {
  const { times, lines, failures, stepSeconds } = data
  const summary = summaryOf(data)
  if (lines.length === 0 && (failures ?? []).every((count) => count === 0))
    return (
      <Empty>
        <Trans>Nothing was measured in this time.</Trans>
      </Empty>
    )
  return (
    <LineChart
      label={t`Response time, ${lead} ${summary}`}
      {...{ times, range, lines, isStacked, isByDay, failures, stepSeconds }}
    />
  )
}

type Choosing = {
  range: Range
  setRange: (range: Range) => void
  view: View
  setView: (view: View) => void
}

function Choices({ range, setRange, view, setView }: Choosing): ReactNode {
  const ranges = [
    { value: '1', label: t`1 hour` },
    { value: '24', label: t`24 hours` },
    { value: 'days', label: t`90 days` },
  ] as const
  const views = [
    { value: 'time', label: t`Response time` },
    { value: 'phases', label: t`Phases` },
  ] as const
  return (
    <div className="flex flex-wrap gap-2">
      <Choice label={t`Range`} options={ranges} value={range} onChange={setRange} />
      <Choice label={t`Shown`} options={views} value={view} onChange={setView} />
    </div>
  )
}

const leads: Readonly<Record<Range, Readonly<Record<View, MessageDescriptor>>>> = {
  '1': {
    time: msg`Means of each minute’s checks that were not down, by location.`,
    phases: msg`How the time of each minute’s checks was spent.`,
  },
  '24': {
    time: msg`Means of each quarter-hour’s checks that were not down, by location.`,
    phases: msg`How the time of each quarter-hour’s checks was spent.`,
  },
  days: { time: msg`Of each day’s checks that were not down.`, phases: msg`Means of each day.` },
}
