import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { LocationRecord, MonitorDetail, ResponseTimes } from '../../api/monitors.ts'
import { Empty } from '../../parts/list.tsx'
import { Section } from '../../parts/page.tsx'
import { responseTimesKey, useMonitors } from '../../session/use-monitors.ts'
import { useRead } from '../../session/workspace.tsx'
import { nameOf } from './chart-data.ts'
import type { Chosen } from './chart-range.ts'
import { milliseconds, phaseLabel, phaseNames } from '../monitor/details.ts'
import { type LaneFigures, laneFigures } from './lane-figures.ts'
import { PhaseBar } from './phases.tsx'

type LanesProps = { detail: MonitorDetail; chosen: Chosen; locations: readonly LocationRecord[] }

/** What each location saw in a time, one above the other, each step at the same place. */
export function Lanes({ detail, chosen, locations }: LanesProps): ReactNode {
  const { id } = detail.data
  const monitors = useMonitors()
  const { data: answer } = useRead(responseTimesKey(id, chosen), { read: () => monitors.readResponseTimes(id, chosen) })
  const highest = Math.max(...answer.data.flatMap(({ steps }) => steps.map((step) => step.latency_ms ?? 0)), 1)
  return (
    <Section title={t`Locations`} lead={t`What each location saw, side by side in time.`}>
      {answer.data.length === 0 && (
        <Empty>
          <Trans>No results of this time are kept.</Trans>
        </Empty>
      )}
      <ul aria-label={t`Locations`} className="divide-y divide-line">
        {answer.data.map(({ location_code: code, steps }) => (
          <Lane key={code} name={nameOf(code, locations)} {...{ steps, answer, chosen, highest }} />
        ))}
      </ul>
    </Section>
  )
}

type Steps = ResponseTimes['data'][number]['steps']
type LaneProps = { name: string; steps: Steps; answer: ResponseTimes; chosen: Chosen; highest: number }

function Lane({ name, steps, answer, chosen, highest }: LaneProps): ReactNode {
  const figures = laneFigures(steps)
  const phases = phaseNames.flatMap((phase) => {
    const ms = figures.phases[phase]
    return ms === null ? [] : [{ name: phase, label: phaseLabel(phase), ms }]
  })
  return (
    <li className="py-4 first:pt-0 last:pb-0">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 className="font-medium">{name}</h3>
        <p className="text-sm text-muted tabular-nums">{figuresText(figures)}</p>
      </div>
      <Strip {...{ steps, answer, chosen, highest }} />
      {phases.length > 0 && (
        <div className="mt-3">
          <PhaseBar phases={phases} />
        </div>
      )}
    </li>
  )
}

function figuresText({ checks, failed, degraded, mean, slowest }: LaneFigures): string {
  return [
    plural(checks, { one: '# check', other: '# checks' }),
    ...(failed > 0 ? [plural(failed, { one: '# failed', other: '# failed' })] : []),
    ...(degraded > 0 ? [plural(degraded, { one: '# degraded', other: '# degraded' })] : []),
    ...(mean === null || slowest === null ? [] : [meanText(mean, slowest)]),
  ].join(' · ')
}

function meanText(mean: number, slowest: number): string {
  const [usual, most] = [milliseconds(mean), milliseconds(slowest)]
  return mean === slowest ? usual : t`${usual} on average, ${most} at most`
}

const height = 40

/** A bar for each step, as high as its mean; failed ones hang from above over the whole height. Drawn for the eye alone. */
function Strip({ steps, answer, chosen, highest }: Omit<LaneProps, 'name'>): ReactNode {
  const first = Date.parse(answer.from) / 1000
  const count = Math.max(1, Math.ceil((Date.parse(chosen.until) / 1000 - first) / answer.step_seconds))
  const bars = steps.map((step) => {
    const x = (Date.parse(step.at) / 1000 - first) / answer.step_seconds
    const tall = step.failed === step.checks ? height : Math.max(3, ((step.latency_ms ?? 0) / highest) * height)
    return { x, tall, look: lookOf(step) }
  })
  return (
    <svg
      viewBox={`0 0 ${count} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="block h-10 w-full rounded-sm bg-sunken"
    >
      {bars.map(({ x, tall, look }) => (
        <rect key={x} x={x + 0.05} y={height - tall} width={0.9} height={tall} className={look} />
      ))}
    </svg>
  )
}

function lookOf({ failed, degraded }: Steps[number]): string {
  if (failed > 0) return 'fill-bad-fill'
  return degraded > 0 ? 'fill-warn' : 'fill-good-bar'
}
