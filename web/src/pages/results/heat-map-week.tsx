import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { Section } from '../../parts/page.tsx'
import { useFigures } from '../../parts/use-figures.ts'
import { responseHoursKey, useMonitors } from '../../session/use-monitors.ts'
import { useRead } from '../../session/workspace.tsx'
import { milliseconds } from '../monitor/details.ts'
import { HeatGrid } from './heat-grid.tsx'
import { HeatHours } from './heat-hours.tsx'
import { hourSentence, shades, slowestText } from './heat-words.ts'
import { type HourOfWeek, type WeekHour, weekHours } from './week-hours.ts'

/** An hour more changes little of four weeks. */
const readAgainMs = 600_000

export function HeatMapWeek({ id }: { id: string }): ReactNode {
  const monitors = useMonitors()
  const { data: answer } = useRead(responseHoursKey(id), {
    read: () => monitors.readResponseHours(id),
    everyMs: readAgainMs,
  })
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const hours = useMemo(() => weekHours(answer.data, zone), [answer, zone])
  const [shown, setShown] = useState<WeekHour | null>(null)
  const hasFigures = useFigures(shown === null ? null : shown.weekday * 24 + shown.hour)
  // `turn` tells an hour that was opened in the map from one that its list went on to, which keeps the focus.
  const [open, setOpen] = useState<{ hour: HourOfWeek; turn: number } | null>(null)
  const grid = useRef<HTMLDivElement>(null)
  const choose = (hour: HourOfWeek): void => setOpen({ hour, turn: (open?.turn ?? 0) + 1 })
  const close = (): void => {
    setOpen(null)
    grid.current?.querySelector<HTMLElement>('[role=gridcell][tabindex="0"]')?.focus()
  }
  const known = hours.flatMap(({ ms }) => ms ?? [])
  const range = [Math.min(...known), Math.max(...known)] as const
  const slowest = hours.find(({ ms }) => ms === range[1])
  if (slowest === undefined) return null
  return (
    <Section
      title={t`Hours of the week`}
      lead={t`Mean response time of each hour over the last four weeks, by your clock (${zone}).`}
    >
      <div ref={grid} onPointerLeave={() => setShown(null)}>
        <HeatGrid
          {...{ hours, range }}
          chosen={open?.hour ?? null}
          first={slowest}
          onShow={setShown}
          onChoose={choose}
        />
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 pt-2 text-xs text-muted">
          <p>{shown !== null && hasFigures ? hourSentence(shown) : slowestText(slowest)}</p>
          <Scale range={range} />
        </div>
      </div>
      {open === null ? (
        <div className="mt-3">
          <Button onClick={() => choose(slowest)}>
            <Trans>Show the slowest hour</Trans>
          </Button>
        </div>
      ) : (
        <HeatHours
          key={open.turn}
          data={answer.data}
          {...{ id, zone }}
          chosen={open.hour}
          onChoose={(hour) => setOpen({ ...open, hour })}
          onClose={close}
        />
      )}
    </Section>
  )
}

function Scale({ range: [least, most] }: { range: readonly [number, number] }): ReactNode {
  return (
    <p aria-hidden="true" className="flex items-center gap-1">
      {milliseconds(least)}
      {shades.map((shade) => (
        <span key={shade} className={`inline-block size-3 ${shade}`} />
      ))}
      {milliseconds(most)}
    </p>
  )
}
