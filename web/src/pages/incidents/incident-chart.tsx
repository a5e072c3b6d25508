import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, lazy, useMemo, useState } from 'react'
import type { LocationRecord } from '../../api/monitors.ts'
import type { IncidentStory } from '../../api/overview.ts'
import type { Drawing } from '../../parts/chart/chart.ts'
import type { Stretch } from '../../parts/chart/line-chart.tsx'
import { Section } from '../../parts/page.tsx'
import { Awaited, WaitingPart } from '../../parts/waiting.tsx'
import { responseTimesKey, useMonitors } from '../../session/use-monitors.ts'
import { useRead } from '../../session/workspace.tsx'
import { type Chosen, chosenOf, hourMs } from '../results/chart-range.ts'
import { byLocation, stepsOf } from '../results/response-steps.ts'

/** Loaded with the first chart that is looked at. */
const LineChart = lazy(() => import('../../parts/chart/line-chart.tsx'))

/** What is shown before it began and after it ended, so that one sees what was usual. */
const aroundMs = hourMs
/** Of a longer one the chart has the first of it: the API reads a year at most. */
const longestMs = 300 * 24 * hourMs
const readAgainMs = 30_000

type ChartProps = { story: IncidentStory; locations: readonly LocationRecord[] }

/** Response times before, during and after the incident. Nothing of a monitor that was deleted. */
export function IncidentChart({ story, locations }: ChartProps): ReactNode {
  const { monitor, resolved_at: resolvedAt } = story
  // One that goes on is shown with the hour to come, so that the time that is asked for stays.
  const end = useState(() => (resolvedAt === null ? Date.now() : Date.parse(resolvedAt)))[0]
  if (monitor === null) return null
  const from = Date.parse(story.started_at) - aroundMs
  const chosen = chosenOf({ from: from / 1000, to: Math.min(end + aroundMs, from + longestMs) / 1000 })
  return (
    <Section title={t`Response time around it`} lead={t`From an hour before it began. Gaps are checks that failed.`}>
      <Awaited fallback={<WaitingPart className="min-h-72" />}>
        <Around story={story} locations={locations} chosen={chosen} intervalSeconds={monitor.interval_seconds} />
      </Awaited>
    </Section>
  )
}

type AroundProps = ChartProps & { chosen: Chosen; intervalSeconds: number }

function Around({ story, locations, chosen, intervalSeconds }: AroundProps): ReactNode {
  const { monitor_id: id, started_at: startedAt, resolved_at: resolvedAt, title } = story
  const monitors = useMonitors()
  const navigate = useNavigate()
  const { data: answer, dataUpdatedAt: now } = useRead(responseTimesKey(id, chosen), {
    read: () => monitors.readResponseTimes(id, chosen),
    ...(resolvedAt === null ? { everyMs: readAgainMs } : {}),
  })
  const drawing = useMemo((): Drawing => {
    const [from, until] = [Date.parse(chosen.since) / 1000, Math.min(now, Date.parse(chosen.until)) / 1000]
    const to = resolvedAt === null ? until : Date.parse(resolvedAt) / 1000
    return {
      ...byLocation(stepsOf(answer, until * 1000 - 1), { locations, intervalSeconds }),
      range: [from, until],
      isStacked: false,
      isByDay: false,
      bands: [{ from: Date.parse(startedAt) / 1000, to, of: 'incident', title }],
      limitMs: null,
    }
  }, [answer, now, chosen.since, chosen.until, locations, intervalSeconds, startedAt, resolvedAt, title])
  const open = (stretch: Stretch): void => {
    void navigate({ to: '/monitors/$id/time', params: { id }, search: chosenOf(stretch) })
  }
  return <LineChart label={t`Response time around the incident`} drawing={drawing} onOpen={open} />
}
