import { plural, t } from '@lingui/core/macro'
import { type ReactNode, useMemo, useState } from 'react'
import { inLanguage, weekdayNames } from '../../parts/language.ts'
import { Section } from '../../parts/page.tsx'
import { responseHoursKey, useMonitors } from '../../session/use-monitors.ts'
import { useRead } from '../../session/workspace.tsx'
import { milliseconds } from './details.ts'
import { type WeekHour, levelOf, weekHours } from './week-hours.ts'

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
  const known = hours.flatMap(({ ms }) => ms ?? [])
  if (known.length === 0) return null
  const range = [Math.min(...known), Math.max(...known)] as const
  const slowest = hours.find(({ ms }) => ms === range[1])
  return (
    <Section
      title={t`Hours of the week`}
      lead={t`Mean response time of each hour over the last four weeks, by your clock (${zone}).`}
    >
      <WeekTable {...{ hours, range, setShown }} />
      <div className="mt-2 flex flex-wrap items-center justify-between gap-x-6 gap-y-1 text-xs text-muted">
        <p>{shown !== null ? hourSentence(shown) : slowest !== undefined && slowestText(slowest)}</p>
        <Scale range={range} />
      </div>
    </Section>
  )
}

type WeekTableProps = {
  hours: readonly WeekHour[]
  range: readonly [number, number]
  setShown: (hour: WeekHour | null) => void
}

function WeekTable({ hours, range, setShown }: WeekTableProps): ReactNode {
  return (
    <table aria-label={t`Response time by weekday and hour`} className="w-full table-fixed border-collapse text-xs">
      <thead>
        <tr>
          <th scope="col" className="w-12 sm:w-24">
            <span className="sr-only">{t`Weekday`}</span>
          </th>
          {hours.slice(0, 24).map(({ hour }) => (
            <th key={hour} scope="col" className="h-5 p-0 text-left font-normal whitespace-nowrap text-muted">
              <span className={hour % 6 === 0 ? '' : 'sr-only'}>{hourText(hour)}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody onPointerLeave={() => setShown(null)}>
        {weekdayNames().map(({ value, name }) => (
          <tr key={value}>
            <th scope="row" className="truncate py-0 pr-2 text-left font-normal text-muted">
              <span className="max-sm:sr-only">{name}</span>
              <span aria-hidden="true" className="sm:hidden">
                {shortName(value)}
              </span>
            </th>
            {hours
              .filter(({ weekday }) => weekday === value)
              .map((each) => (
                <WeekCell key={each.hour} hour={each} {...{ range, setShown }} />
              ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type CellProps = Omit<WeekTableProps, 'hours'> & { hour: WeekHour }

function WeekCell({ hour, range, setShown }: CellProps): ReactNode {
  return (
    <td
      onPointerEnter={() => setShown(hour)}
      className={`relative h-6 border-2 border-surface p-0 ${lookOf(hour, range)}`}
    >
      <span className="sr-only">{hour.ms === null ? t`no checks` : milliseconds(hour.ms)}</span>
    </td>
  )
}

const shades = ['bg-chart-1/15', 'bg-chart-1/35', 'bg-chart-1/55', 'bg-chart-1/75', 'bg-chart-1']

function lookOf({ ms }: WeekHour, range: readonly [number, number]): string {
  return ms === null ? 'bg-sunken' : (shades[levelOf(ms, range)] ?? '')
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

const shortFormat = inLanguage((locale) => new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' }))

/** The first of January 2024 was a Monday. */
function shortName(weekday: number): string {
  return shortFormat().format(Date.UTC(2024, 0, weekday))
}

const hourFormat = inLanguage((locale) => new Intl.DateTimeFormat(locale, { hour: 'numeric', timeZone: 'UTC' }))

function hourText(hour: number): string {
  return hourFormat().format(new Date(hour * 3_600_000))
}

function nameOf({ weekday, hour }: WeekHour): string {
  const name = weekdayNames().find(({ value }) => value === weekday)?.name ?? ''
  return `${name}, ${hourText(hour)}`
}

function hourSentence(at: WeekHour): string {
  const name = nameOf(at)
  if (at.ms === null) return t`${name}: no checks`
  const checks = plural({ checks: at.checks }, { one: '# check', other: '# checks' })
  const mean = milliseconds(at.ms)
  return t`${name}: ${mean} on average of ${checks}`
}

function slowestText(at: WeekHour): string {
  const [name, mean] = [nameOf(at), milliseconds(at.ms ?? 0)]
  return t`Slowest: ${name}, ${mean}`
}
