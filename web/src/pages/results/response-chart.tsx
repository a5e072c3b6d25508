import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, Suspense, lazy, useMemo, useState } from 'react'
import type { LocationRecord, MonitorDetail, ResponseHours } from '../../api/monitors.ts'
import { Button } from '../../parts/button.tsx'
import type { Band, Drawing } from '../../parts/chart/chart.ts'
import type { Stretch } from '../../parts/chart/line-chart.tsx'
import { Empty } from '../../parts/list.tsx'
import { Section } from '../../parts/page.tsx'
import { useNow } from '../../parts/time.tsx'
import { Awaited, WaitingPart } from '../../parts/waiting.tsx'
import { rangeSince } from '../../parts/watched.ts'
import { useRead } from '../../session/workspace.tsx'
import { ChartChoices } from './chart-choices.tsx'
import { type ChartData, nameOf, summaryOf } from './chart-data.ts'
import { type View, leadOf, viewsOf } from './chart-leads.ts'
import {
  type ChartRange,
  chosenOf,
  hasPercentiles,
  hourMs,
  isChosen,
  offeredRanges,
  readChosen,
  readMonitorSearch,
  usualRange,
  wider,
} from './chart-range.ts'
import { PhasePlace } from './phase-place.tsx'
import {
  type Steps,
  byLocation,
  lacksPercentiles,
  maintenanceOf,
  percentilesOfSteps,
  phasesOfSteps,
  placesWithPhases,
  stepsOf,
} from './response-steps.ts'
import { watchedSinceOf } from './uptime-figures.ts'
import { responseTimesKey, useMonitors } from '../../session/use-monitors.ts'

/** Loaded with the first chart that is looked at. */
const LineChart = lazy(() => import('../../parts/chart/line-chart.tsx'))
const RangeForm = lazy(async () => ({ default: (await import('./range-form.tsx')).RangeForm }))

type ChartProps = { detail: MonitorDetail; locations: readonly LocationRecord[]; everyMs: number }

/** What it shows stands in the address, so that it can be sent to somebody, and the way back zooms out. */
export function ResponseChart(props: ChartProps): ReactNode {
  const { range, offered, show } = useRange(props.detail)
  const [isChoosing, setChoosing] = useState(false)
  const [wanted, setView] = useState<View>('time')
  const now = useNow()
  const views = viewsOf(range, now)
  const view = views.includes(wanted) ? wanted : 'time'
  const lead = leadOf(range, view)
  const onRange = (next: ResponseHours | 'custom'): void => {
    setChoosing(next === 'custom')
    if (next !== 'custom') show(next)
  }
  return (
    <Section
      title={t`Response time`}
      lead={lead}
      action={<ChartChoices {...{ range, offered, onRange, view, views, onView: setView }} />}
    >
      {(isChoosing || isChosen(range)) && (
        <Suspense>
          <RangeForm key={JSON.stringify(range)} range={timeOf(range, now)} onChoose={show} />
        </Suspense>
      )}
      <Awaited fallback={<WaitingPart className="min-h-72" />}>
        <Measured key={JSON.stringify(range)} {...props} {...{ range, view, lead, onZoom: show }} />
      </Awaited>
      {isChosen(range) && (
        <div className="mt-3">
          <Button onClick={() => show(wider(range, now))}>
            <Trans>Zoom out</Trans>
          </Button>
        </div>
      )}
    </Section>
  )
}

type Ranging = { range: ChartRange; offered: readonly ResponseHours[]; show: (range: ChartRange) => void }

function useRange(detail: MonitorDetail): Ranging {
  const navigate = useNavigate()
  const search = readMonitorSearch(useSearch({ strict: false }))
  const offered = offeredRanges(watchedSinceOf(detail), useNow())
  const range = readChosen(search) ?? search.range ?? usualRange(offered)
  const show = (next: ChartRange): void => {
    const asked = isChosen(next) ? next : { range: next }
    void navigate({
      to: '/monitors/$id',
      params: { id: detail.data.id },
      search: asked,
      resetScroll: false,
    })
  }
  return { range, offered, show }
}

function timeOf(range: ChartRange, now: number): { since: string; until: string } {
  if (isChosen(range)) return range
  return { since: new Date(now - Number(range) * hourMs).toISOString(), until: new Date(now).toISOString() }
}

/** Hours of a week or a month change slowly, and a month of results is more to read than a day. */
const slowlyMs = 60_000

type MeasuredProps = ChartProps & { range: ChartRange; view: View; lead: string; onZoom: (range: ChartRange) => void }

/** Read while it is looked at; a time that is over does not change any more. */
function Measured({ range, everyMs, onZoom, ...shown }: MeasuredProps): ReactNode {
  const { detail } = shown
  const { id } = detail.data
  const monitors = useMonitors()
  const end = isChosen(range) ? Date.parse(range.until) : Infinity
  const now = useNow()
  const isOver = end < now
  const isSlow = hasPercentiles(range, now)
  const { data: answer, dataUpdatedAt: readAt } = useRead(responseTimesKey(id, range), {
    read: () => monitors.readResponseTimes(id, range),
    ...(isOver ? {} : { everyMs: isSlow ? Math.max(everyMs, slowlyMs) : everyMs }),
  })
  // The end of a time that is over belongs to the step before it.
  const steps = useMemo(() => stepsOf(answer, Math.min(readAt, end - 1)), [answer, readAt, end])
  return <Shown {...shown} {...{ steps, hasWhole: isChosen(range), onZoom }} />
}

type ShownProps = Omit<MeasuredProps, 'range' | 'everyMs'> & { steps: Steps; hasWhole: boolean }

function Shown({ steps, detail, locations, view, lead, hasWhole, onZoom }: ShownProps): ReactNode {
  const { id, interval_seconds: intervalSeconds } = detail.data
  const navigate = useNavigate()
  const [place, setPlace] = useState<string | null>(null)
  const sinceMs = hasWhole ? null : watchedSinceOf(detail)
  const data = useMemo((): Shape => {
    if (view === 'phases') return phasesOfSteps(steps, { intervalSeconds, code: place })
    if (view === 'time' && steps.shared.some((step) => step !== undefined))
      return percentilesOfSteps(steps, { intervalSeconds })
    return byLocation(steps, { locations, intervalSeconds })
  }, [steps, view, place, locations, intervalSeconds])
  const { incidents, data: monitor } = detail
  const drawing = useMemo((): Drawing => {
    // To the end of the time, whenever the last check was.
    const range = rangeSince(steps.times, { sinceMs, stepSeconds: steps.stepSeconds })
    return {
      ...data,
      range,
      isStacked: view === 'phases',
      isByDay: steps.stepSeconds === daySeconds,
      bands: [...maintenanceOf(steps), ...incidentBands(incidents)].filter(
        ({ from, to }) => from <= range[1] && to >= range[0],
      ),
      limitMs: limitOf(monitor.check_options),
    }
  }, [data, steps, sinceMs, view, incidents, monitor.check_options])
  const open = (stretch: Stretch): void => {
    void navigate({ to: '/monitors/$id/time', params: { id }, search: chosenOf(stretch) })
  }
  return (
    <>
      {view === 'phases' && (
        <PhasePlace
          codes={placesWithPhases(steps).map(({ code }) => code)}
          shown={data.code ?? null}
          onChoose={setPlace}
          nameOf={(code) => nameOf(code, locations)}
        />
      )}
      <Chart {...{ data, drawing, lead }} onZoom={(stretch) => onZoom(chosenOf(stretch))} onOpen={open} />
      {view === 'time' && lacksPercentiles(steps) && (
        <p className="mt-2 text-sm text-muted">
          <Trans>
            Where the percentiles are not known, the chart shows the mean. Point at it to see the slowest check.
          </Trans>
        </p>
      )}
    </>
  )
}

/** `code`: of the location whose phases they are, where they are those of one. */
type Shape = ChartData & { code?: string | null }

const daySeconds = 86_400

function incidentBands(incidents: MonitorDetail['incidents']): Band[] {
  return incidents.map(({ started_at: from, resolved_at: to, title }) => ({
    from: Date.parse(from) / 1000,
    to: (to === null ? Date.now() : Date.parse(to)) / 1000,
    of: 'incident',
    title,
  }))
}

/** From when on it is degraded, where its kind has such a limit. */
function limitOf(options: Readonly<Record<string, unknown>>): number | null {
  const { max_latency_ms: limit } = options
  return typeof limit === 'number' ? limit : null
}

type DrawnProps = {
  data: ChartData
  drawing: Drawing
  lead: string
  onZoom: (stretch: Stretch) => void
  onOpen: (stretch: Stretch) => void
}

function Chart({ data, drawing, lead, onZoom, onOpen }: DrawnProps): ReactNode {
  const summary = summaryOf(data)
  if (data.lines.length === 0 && data.failures.every((count) => count === 0))
    return (
      <Empty>
        <Trans>Nothing was measured in this time.</Trans>
      </Empty>
    )
  return <LineChart label={t`Response time, ${lead} ${summary}`} {...{ drawing, onZoom, onOpen }} />
}
