import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { OnCallLayer, OnCallScheduleRecord, OnCallShiftRecord, OnCallShiftsRecord } from '../../api/on-call.ts'
import { inLanguage } from '../../parts/language.ts'
import { useNow } from '../../parts/time.tsx'
import { useRead } from '../../session/workspace.tsx'
import { shiftsKey, useOnCallApi } from './use-on-call.ts'

const dayMs = 86_400_000
const days = 14
const readAgainMs = 60_000

type Bar = Pick<OnCallShiftRecord, 'starts_at' | 'ends_at'> & { name: string; tone: string }
type Line = { id: string; label: string; bars: readonly Bar[] }
type Span = { from: Date; until: Date }

const tones = [
  'bg-accent-soft text-accent-text inset-ring-accent-text/40',
  'bg-good-soft text-good inset-ring-good/40',
  'bg-warn-soft text-warn inset-ring-warn/40',
  'bg-sunken text-text inset-ring-edge/60',
]

/** From this midnight on, in the reader's zone. */
export function twoWeeks(): Span {
  const from = new Date()
  from.setHours(0, 0, 0, 0)
  return { from, until: new Date(from.getTime() + days * dayMs) }
}

type CalendarProps = { schedule: OnCallScheduleRecord; names: ReadonlyMap<string, string> }

export function OnCallCalendar({ schedule, names }: CalendarProps): ReactNode {
  const api = useOnCallApi()
  const { data } = useRead(shiftsKey(schedule.id), {
    read: async () => {
      const span = twoWeeks()
      return { span, found: await api.readShifts(schedule.id, span) }
    },
    everyMs: readAgainMs,
  })
  const { name } = schedule
  return <TwoWeeks {...data} label={t`Two weeks of ${name}`} layers={schedule.layers} names={names} />
}

type TwoWeeksProps = {
  label: string
  layers: readonly OnCallLayer[]
  found: OnCallShiftsRecord
  span: Span
  names: ReadonlyMap<string, string>
}

/** A line for each layer and one for who is on call. Where it is too narrow for names it is moved sideways. */
export function TwoWeeks({ label, layers, found, span, names }: TwoWeeksProps): ReactNode {
  const now = useNow()
  return (
    // Keys move it sideways only while it has the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section aria-label={label} tabIndex={0} className="overflow-x-auto">
      <div className="relative min-w-3xl max-sm:min-w-7xl">
        <Days span={span} />
        {linesOf({ layers, found, names }).map((line) => (
          <div
            key={line.id}
            className="flex items-center border-t border-line py-1.5 max-sm:flex-col max-sm:items-start"
          >
            <span className="w-28 shrink-0 truncate pr-3 text-sm text-muted max-sm:sticky max-sm:left-0 max-sm:w-64">
              {line.label}
            </span>
            <ol aria-label={line.label} className="relative h-7 grow max-sm:w-full max-sm:flex-none">
              {line.bars.map((bar) => (
                <BarItem key={bar.starts_at} bar={bar} span={span} />
              ))}
              <li
                aria-hidden="true"
                className="absolute inset-y-0 w-0.5 bg-bad-fill"
                style={{ left: share(now, span) }}
              />
            </ol>
          </div>
        ))}
      </div>
    </section>
  )
}

function linesOf({ layers, found, names }: Pick<TwoWeeksProps, 'layers' | 'found' | 'names'>): Line[] {
  const toneOf = tonesOf(layers)
  const barOf = ({ contact_id: id, ...times }: OnCallShiftRecord): Bar => ({
    ...times,
    name: id === null ? t`No one` : (names.get(id) ?? id),
    tone: id === null ? gapTone : toneOf(id),
  })
  const gaps = found.gaps.map((gap) => ({ ...gap, name: t`No one`, tone: gapTone }))
  const ofLayers = found.layers.map((shifts, index) => {
    const number = index + 1
    return { id: `layer ${number}`, label: layers[index]?.name ?? t`Layer ${number}`, bars: shifts.map(barOf) }
  })
  const manned = found.shifts.filter(({ contact_id: id }) => id !== null)
  return [...ofLayers, { id: 'all', label: t`On call`, bars: [...manned.map(barOf), ...gaps] }]
}

const gapTone = 'bg-bad-soft text-bad inset-ring-bad/50'

function tonesOf(layers: TwoWeeksProps['layers']): (id: string) => string {
  const ids = [...new Set(layers.flatMap(({ participants }) => participants))]
  return (id) => tones[Math.max(0, ids.indexOf(id)) % tones.length] ?? ''
}

const dayName = inLanguage((locale) => new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric' }))
const full = inLanguage((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }))

function Days({ span }: { span: Span }): ReactNode {
  return (
    <div aria-hidden="true" className="flex pb-1 pl-28 text-xs text-muted max-sm:pl-0">
      {Array.from({ length: days }, (_, index) => {
        // Noon: days with a change of clocks are an hour shorter or longer.
        const noon = span.from.getTime() + (index + 0.5) * dayMs
        return (
          <span key={noon} className="w-0 grow truncate">
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
      className={`absolute inset-y-0 overflow-hidden rounded-md text-xs leading-7 inset-ring ${tone}`}
      style={{ left, width }}
    >
      <span className="block truncate px-1.5 text-clip">{name}</span>
    </li>
  )
}

function share(ms: number, { from, until }: Span): string {
  return `${((ms - from.getTime()) / (until.getTime() - from.getTime())) * 100}%`
}
