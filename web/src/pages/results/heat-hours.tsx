import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import type { HoursOfResponse } from '../../api/monitors.ts'
import { Button } from '../../parts/button.tsx'
import { weekdayNames } from '../../parts/language.ts'
import { linkClass } from '../../parts/page.tsx'
import { timeText } from '../../parts/time.tsx'
import { hourMs } from './chart-range.ts'
import { milliseconds } from '../monitor/details.ts'
import { hourText, nameOfHour } from './heat-words.ts'
import { type HourOfWeek, timesOf } from './week-hours.ts'

type HoursProps = {
  /** Of the monitor. */
  id: string
  data: HoursOfResponse['data']
  zone: string
  chosen: HourOfWeek
  onChoose: (hour: HourOfWeek) => void
  onClose: () => void
}

/** What an hour of the week is made of: each leads to its time. The focus comes here as it opens. */
export function HeatHours({ id, data, zone, chosen, onChoose, onClose }: HoursProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const times = timesOf(data, zone, chosen)
  return (
    <section aria-labelledby="hours" className="mt-4 flex flex-col gap-3 rounded-lg border border-line p-4 text-sm">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <h3 id="hours" ref={heading} tabIndex={-1} className="font-medium focus-visible:outline-none">
          {nameOfHour(chosen)}
        </h3>
        <Button look="quiet" onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      </div>
      <OtherHour chosen={chosen} onChoose={onChoose} />
      {times.length === 0 ? (
        <p className="text-muted">
          <Trans>Nothing was measured in this hour of the last four weeks.</Trans>
        </p>
      ) : (
        <ul aria-label={t`Times`} className="divide-y divide-line">
          {times.map(({ at, ms, checks }) => (
            <li key={at} className="flex flex-wrap items-baseline justify-between gap-x-4 py-1.5">
              <Link to="/monitors/$id/time" params={{ id }} search={hourFrom(at)} className={linkClass}>
                {timeText(at)}
              </Link>
              <span className="text-muted tabular-nums">
                {milliseconds(ms)} · {plural(checks, { one: '# check', other: '# checks' })}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** The same for fingers: on a phone the cells of the map are narrow. */
function OtherHour({ chosen, onChoose }: Pick<HoursProps, 'chosen' | 'onChoose'>): ReactNode {
  const { weekday, hour } = chosen
  return (
    <div className="flex flex-wrap gap-3">
      <Choice label={t`Weekday`} value={weekday} onChange={(next) => onChoose({ weekday: next, hour })}>
        {weekdayNames()}
      </Choice>
      <Choice label={t`Hour`} value={hour} onChange={(next) => onChoose({ weekday, hour: next })}>
        {Array.from({ length: 24 }, (_, value) => ({ value, name: hourText(value) }))}
      </Choice>
    </div>
  )
}

type ChoiceProps = {
  label: string
  value: number
  onChange: (value: number) => void
  children: readonly { value: number; name: string }[]
}

function Choice({ label, value, onChange, children }: ChoiceProps): ReactNode {
  const id = useId()
  return (
    <span className="flex items-center gap-2">
      <label htmlFor={id} className="text-muted">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
        className="min-h-9 rounded-lg border border-edge bg-surface px-2.5 py-1 text-text"
      >
        {children.map((each) => (
          <option key={each.value} value={each.value}>
            {each.name}
          </option>
        ))}
      </select>
    </span>
  )
}

function hourFrom(at: string): { since: string; until: string } {
  const from = Date.parse(at)
  return { since: new Date(from).toISOString(), until: new Date(from + hourMs).toISOString() }
}
