import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { type KeyboardEvent, type MouseEvent, type ReactNode, type SyntheticEvent, useState } from 'react'
import { inLanguage, listed } from './language.ts'
import { sliderTarget } from './slider-keys.ts'
import { useFigures } from './use-figures.ts'

/** The checks of one UTC day. */
export type BarDay = {
  date: string
  state: 'before' | 'none' | 'up' | 'degraded' | 'down'
  /** The part of the day's checks that failed (`down`) or was degraded: 0 to 1. */
  share: number
}

type Counts = { date: string; checks: number; down: number; restricted: number }

/** A day of the API's, as a bar. */
export function barOfDay({ date, checks, down, restricted }: Counts): BarDay {
  if (checks === 0) return { date, state: 'none', share: 0 }
  if (down > 0) return { date, state: 'down', share: down / checks }
  if (restricted > 0) return { date, state: 'degraded', share: restricted / checks }
  return { date, state: 'up', share: 0 }
}

type BarsProps = {
  /** Oldest first. */
  days: readonly BarDay[]
  /** The subject of the bars, for screen readers. */
  label: string
  /** Takes the focus: arrows go from day to day. */
  isExplorable?: boolean
  /** Asked to open a day: it was clicked, or Enter was pressed. Of bars that take the focus. */
  onOpen?: (day: BarDay) => void
  /** Sets the height, such as "h-6". */
  className?: string
}

/**
 * A bar a day, told by shape as well as by colour: a good day is a whole bar, a bad one hangs from above, the longer
 * the worse, with a gap below; a degraded one is short; a day without checks is a stub. Days before it was watched are
 * no bars but a line, so that the place of the others is seen. Five paths, however many days.
 */
export function DayBars({ days, label, isExplorable = false, onOpen, className = 'h-6' }: BarsProps): ReactNode {
  const [at, setAt] = useState<number | null>(null)
  const shown = at === null ? undefined : days[at]
  const hasFigures = useFigures(at)
  const placeOf = ({ currentTarget, clientX }: MouseEvent): number => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return Math.min(days.length - 1, Math.max(0, Math.floor(((clientX - left) / width) * days.length)))
  }
  const openAt = (place: number): void => {
    const day = days[place]
    if (day !== undefined) onOpen?.(day)
  }
  const roles = isExplorable
    ? sliderOf({ days, label, at, setAt, openAt })
    : { role: 'img', 'aria-label': `${label}: ${summaryOf(days)}` }
  return (
    <div
      {...roles}
      className={`relative rounded-sm ${onOpen === undefined ? '' : 'cursor-pointer'}`}
      onPointerMove={(event) => setAt(placeOf(event))}
      onPointerLeave={() => setAt(null)}
      {...(onOpen === undefined ? {} : { onClick: (event: MouseEvent) => openAt(placeOf(event)) })}
    >
      <svg
        viewBox={`0 0 ${days.length * step - gap} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        className={`block w-full ${className}`}
      >
        {paths.map(({ of, fill }) => {
          const drawn = days.map((day, index) => of(day, index * step)).join('')
          return drawn === '' ? null : <path key={fill} d={drawn} className={fill} />
        })}
        {at !== null && <path d={rectangle(at * step, [0, height])} className="fill-text/25" />}
      </svg>
      {hasFigures && at !== null && shown !== undefined && (
        <Detail day={shown} from={at / days.length} to={(at + 1) / days.length} />
      )}
    </div>
  )
}

const step = 4
const gap = 1
const height = 24

/** Each draws what is its own of a day, at its left edge. */
const paths: readonly { fill: string; of: (day: BarDay, x: number) => string }[] = [
  { fill: 'fill-edge/50', of: ({ state }, x) => (state === 'before' ? rectangle(x, [22, 23.5], step) : '') },
  { fill: 'fill-edge/60', of: ({ state }, x) => (state === 'none' ? rectangle(x, [20, height]) : '') },
  {
    fill: 'fill-good-bar',
    of: (day, x) => {
      if (day.state === 'up') return rectangle(x, [0, height])
      return day.state === 'down' ? rectangle(x, [fallOf(day) + 3, height]) : ''
    },
  },
  { fill: 'fill-warn', of: ({ state }, x) => (state === 'degraded' ? rectangle(x, [9, height]) : '') },
  { fill: 'fill-bad-fill', of: (day, x) => (day.state === 'down' ? rectangle(x, [0, fallOf(day)]) : '') },
]

/** How far a bad day hangs down: a third for a single failed check, nearly all for a whole day. */
function fallOf({ share }: BarDay): number {
  return Math.round(8 + Math.sqrt(share) * 10)
}

function rectangle(x: number, [top, bottom]: readonly [number, number], width = step - gap): string {
  return `M${x} ${top}h${width}V${bottom}h-${width}z`
}

type DetailProps = { day: BarDay; from: number; to: number }

/**
 * Above the day's bar, which lies between two parts of the width, and kept within the bars' own width. The pointer may
 * go straight up onto it, and reaches no other day there.
 */
function Detail({ day, from, to }: DetailProps): ReactNode {
  const side = from < 0.5 ? { left: `${from * 100}%` } : { right: `${(1 - to) * 100}%` }
  return (
    <span
      aria-hidden="true"
      style={side}
      onPointerMove={keepHere}
      onClick={keepHere}
      className="absolute bottom-full z-10 cursor-auto pb-1"
    >
      <span className="block rounded-md bg-text px-2 py-1 text-xs whitespace-nowrap text-ground shadow-lg">
        {textOf(day)}
      </span>
    </span>
  )
}

function keepHere(event: SyntheticEvent): void {
  event.stopPropagation()
}

type Explored = {
  days: readonly BarDay[]
  label: string
  at: number | null
  setAt: (at: number | null) => void
  openAt: (place: number) => void
}

/** A slider says its value as it moves, in words. */
function sliderOf({ days, label, at, setAt, openAt }: Explored) {
  const last = days.length - 1
  const value = at ?? last
  const day = days[value]
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') openAt(value)
    const to = sliderTarget(event.key, { value, last, page: 7 })
    if (to === null) return
    event.preventDefault()
    setAt(Math.min(last, Math.max(0, to)))
  }
  return {
    role: 'slider',
    tabIndex: 0,
    'aria-label': `${label}: ${summaryOf(days)}`,
    'aria-valuemin': 0,
    'aria-valuemax': last,
    'aria-valuenow': value,
    'aria-valuetext': day === undefined ? '' : textOf(day),
    onKeyDown,
    onFocus: () => setAt(value),
    onBlur: () => setAt(null),
  }
}

const dayFormat = inLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
)

function nameOf(date: string): string {
  return dayFormat().format(new Date(`${date}T00:00:00Z`))
}

function textOf({ date, state, share }: BarDay): string {
  const day = nameOf(date)
  const percent = percentOf(share)
  switch (state) {
    case 'before':
      return t`${day}: not watched yet`
    case 'none':
      return t`${day}: no checks`
    case 'up':
      return t`${day}: no failures`
    case 'degraded':
      return t`${day}: ${percent} of checks degraded`
    case 'down':
      return t`${day}: ${percent} of checks failed`
  }
}

function percentOf(share: number): string {
  const percent = share * 100
  if (percent >= 0.01) return `${digitsOf(percent, percent < 1 ? 2 : 1)} %`
  const least = digitsOf(0.01, 2)
  return t`under ${least} %`
}

function digitsOf(value: number, most: number): string {
  return value.toLocaleString(i18n.locale, { maximumFractionDigits: most })
}

const namedDays = 5

/** All bars in words, for screen readers. */
function summaryOf(days: readonly BarDay[]): string {
  const checked = days.filter(({ state }) => state !== 'none' && state !== 'before')
  if (checked.length === 0)
    return plural({ days: days.length }, { one: 'no checks in # day', other: 'no checks in # days' })
  const bad = checked.filter(({ state }) => state === 'down')
  const over = plural({ days: checked.length }, { one: '# day with checks', other: '# days with checks' })
  if (bad.length === 0) return t`${over}, no failures`
  const named = listed(bad.slice(-namedDays).map(({ date }) => nameOf(date)))
  const others = bad.length - namedDays
  return others > 0 ? t`${over}, failures on ${named} and ${others} earlier` : t`${over}, failures on ${named}`
}
