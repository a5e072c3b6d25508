import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { OnCallScheduleRecord, OnCallShiftRecord } from '../../api/on-call.ts'
import { inLanguage } from '../../parts/language.ts'
import { useNow } from '../../parts/time.tsx'
import { useRead } from '../../session/workspace.tsx'
import { shiftsKey, useOnCallApi } from './use-on-call.ts'

const dayMs = 86_400_000
const days = 14
const readAgainMs = 60_000

type Bar = Pick<OnCallShiftRecord, 'starts_at' | 'ends_at'> & { name: string; tone: string }
type Line = { id: string; label: string; bars: readonly Bar[] }
type Span = { startsMs: number; endsMs: number }

const tones = [
  'bg-accent-soft text-accent-text border-accent-text/40',
  'bg-good-soft text-good border-good/40',
  'bg-warn-soft text-warn border-warn/40',
  'bg-sunken text-text border-edge/60',
]

type CalendarProps = { schedule: OnCallScheduleRecord; names: ReadonlyMap<string, string> }

/** Two weeks from this midnight on, in the reader's zone: a line for each layer and one for who is on call. */
export function OnCallCalendar({ schedule, names }: CalendarProps): ReactNode {
  const api = useOnCallApi()
  const now = useNow()
  const { data } = useRead(shiftsKey(schedule.id), {
    read: async () => {
      const from = new Date()
      from.setHours(0, 0, 0, 0)
      const until = new Date(from.getTime() + days * dayMs)
      const shifts = await api.readShifts(schedule.id, { from, until })
      return { ...shifts, startsMs: from.getTime(), endsMs: until.getTime() }
    },
    everyMs: readAgainMs,
  })
  const { name: scheduleName } = schedule
  const toneOf = tonesOf(schedule)
  const barOf = ({ contact_id: id, ...times }: OnCallShiftRecord): Bar => ({
    ...times,
    name: id === null ? t`No one` : (names.get(id) ?? id),
    tone: id === null ? gapTone : toneOf(id),
  })
  const gaps = data.gaps.map((gap) => ({ ...gap, name: t`No one`, tone: gapTone }))
  const lines: Line[] = [
    ...data.layers.map((shifts, index) => {
      const number = index + 1
      return {
        id: `layer ${number}`,
        label: schedule.layers[index]?.name ?? t`Layer ${number}`,
        bars: shifts.map(barOf),
      }
    }),
    {
      id: 'all',
      label: t`On call`,
      bars: [...data.shifts.filter(({ contact_id: id }) => id !== null).map(barOf), ...gaps],
    },
  ]
  return (
    <section aria-label={t`Two weeks of ${scheduleName}`}>
      <div className="relative">
        <Days span={data} />
        {lines.map(({ id, label, bars }) => (
          <div key={id} className="flex items-center border-t border-line py-1.5">
            <span className="w-28 shrink-0 truncate pr-3 max-sm:w-16 text-sm text-muted">{label}</span>
            <ol aria-label={label} className="relative h-7 grow">
              {bars.map((bar) => (
                <BarItem key={bar.starts_at} bar={bar} span={data} />
              ))}
              <li
                aria-hidden="true"
                className="absolute inset-y-0 w-0.5 bg-bad-fill"
                style={{ left: share(now, data) }}
              />
            </ol>
          </div>
        ))}
      </div>
    </section>
  )
}

const gapTone = 'bg-bad-soft text-bad border-bad/50'

function tonesOf({ layers }: OnCallScheduleRecord): (id: string) => string {
  const ids = [...new Set(layers.flatMap(({ participants }) => participants))]
  return (id) => tones[Math.max(0, ids.indexOf(id)) % tones.length] ?? ''
}

const dayName = inLanguage((locale) => new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric' }))
const full = inLanguage((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }))

function Days({ span }: { span: Span }): ReactNode {
  return (
    <div aria-hidden="true" className="flex pb-1 pl-28 text-xs max-sm:pl-16 text-muted">
      {Array.from({ length: days }, (_, index) => {
        // Noon: days with a change of clocks are an hour shorter or longer.
        const noon = span.startsMs + (index + 0.5) * dayMs
        return (
          <span key={noon} className="w-0 grow truncate max-sm:even:invisible max-sm:overflow-visible">
            {dayName().format(noon)}
          </span>
        )
      })}
    </div>
  )
}

function BarItem({ bar, span }: { bar: Bar; span: Span }): ReactNode {
  const { name, tone, starts_at: starts, ends_at: ends } = bar
  const left = share(Date.parse(starts), span)
  const width = `calc(${share(Date.parse(ends), span)} - ${left})`
  const times = full().formatRange(new Date(starts), new Date(ends))
  return (
    <li
      title={`${name}, ${times}`}
      className={`absolute inset-y-0 truncate rounded-md border px-1.5 text-xs leading-6.5 ${tone}`}
      style={{ left, width }}
    >
      {name}
    </li>
  )
}

function share(ms: number, { startsMs, endsMs }: Span): string {
  return `${((ms - startsMs) / (endsMs - startsMs)) * 100}%`
}
