import { t } from '@lingui/core/macro'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { inLanguage, weekdayNames } from '../../parts/language.ts'
import { milliseconds } from '../monitor/details.ts'
import { type HourOfWeek, type WeekHour, levelOf } from './week-hours.ts'
import { hourText, shades } from './heat-words.ts'

type GridProps = {
  hours: readonly WeekHour[]
  /** The fastest and the slowest. */
  range: readonly [number, number]
  /** The hour whose times are listed. */
  chosen: HourOfWeek | null
  /** Where the focus comes first. */
  first: HourOfWeek
  onShow: (hour: WeekHour | null) => void
  onChoose: (hour: WeekHour) => void
}

/** The hours of the week: one of them takes the focus, the arrows go to the others, and each opens its times. */
export function HeatGrid({ hours, range, chosen, first, onShow, onChoose }: GridProps): ReactNode {
  const grid = useRef<HTMLDivElement>(null)
  const [reached, setReached] = useState<HourOfWeek | null>(null)
  const { weekday, hour } = reached ?? chosen ?? first
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = placeAfter(event, { weekday, hour })
    if (next === null) return
    cellAt(grid.current, next)?.focus()
    event.preventDefault()
  }
  return (
    <div
      ref={grid}
      role="grid"
      tabIndex={-1}
      aria-label={t`Response time by weekday and hour`}
      onKeyDown={onKeyDown}
      onBlur={() => onShow(null)}
      className="text-xs"
    >
      <Head />
      {weekdayNames().map(({ value, name }) => (
        <div key={value} role="row" className={rowClass}>
          <span role="rowheader" className="truncate pr-2 text-muted">
            <span className="max-sm:sr-only">{name}</span>
            <span aria-hidden="true" className="sm:hidden">
              {shortName(value)}
            </span>
          </span>
          {hours
            .filter((each) => each.weekday === value)
            .map((each) => (
              <Cell
                key={each.hour}
                of={each}
                look={lookOf(each, range)}
                isChosen={chosen !== null && isSame(each, chosen)}
                isReached={isSame(each, { weekday, hour })}
                onReach={() => {
                  setReached(each)
                  onShow(each)
                }}
                onShow={() => onShow(each)}
                onChoose={() => onChoose(each)}
              />
            ))}
        </div>
      ))}
    </div>
  )
}

const rowClass =
  'grid grid-cols-[3rem_repeat(24,minmax(0,1fr))] items-center gap-x-1 py-0.5 sm:grid-cols-[6rem_repeat(24,minmax(0,1fr))]'

/** The first row and the first cell of each have names. */
function cellAt(grid: HTMLElement | null, { weekday, hour }: HourOfWeek): HTMLElement | null {
  const cell = grid?.children.item(weekday)?.children.item(hour + 1)
  return cell instanceof HTMLElement ? cell : null
}

function Head(): ReactNode {
  return (
    <div role="row" className={rowClass}>
      <span role="columnheader">
        <span className="sr-only">{t`Weekday`}</span>
      </span>
      {Array.from({ length: 24 }, (_, hour) => (
        <span key={hour} role="columnheader" className="h-4 whitespace-nowrap text-muted">
          <span className={hour % 6 === 0 ? '' : 'sr-only'}>{hourText(hour)}</span>
        </span>
      ))}
    </div>
  )
}

type CellProps = {
  of: WeekHour
  look: string
  isChosen: boolean
  isReached: boolean
  onReach: () => void
  onShow: () => void
  onChoose: () => void
}

function Cell({ of, look, isChosen, isReached, onReach, onShow, onChoose }: CellProps): ReactNode {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    onChoose()
    event.preventDefault()
  }
  return (
    <span
      role="gridcell"
      tabIndex={isReached ? 0 : -1}
      aria-selected={isChosen}
      onFocus={onReach}
      onPointerEnter={onShow}
      onClick={onChoose}
      onKeyDown={onKeyDown}
      className={`h-6 cursor-pointer focus-visible:z-10 ${isChosen ? 'outline-2 outline-text' : ''} ${look}`}
    >
      <span className="sr-only">{of.ms === null ? t`no checks` : milliseconds(of.ms)}</span>
    </span>
  )
}

function isSame(one: HourOfWeek, other: HourOfWeek): boolean {
  return one.weekday === other.weekday && one.hour === other.hour
}

/** Where a key leads; null for others. It stays within the week. */
function placeAfter({ key, ctrlKey }: KeyboardEvent, { weekday, hour }: HourOfWeek): HourOfWeek | null {
  switch (key) {
    case 'ArrowLeft':
      return { weekday, hour: Math.max(0, hour - 1) }
    case 'ArrowRight':
      return { weekday, hour: Math.min(23, hour + 1) }
    case 'ArrowUp':
      return { weekday: Math.max(1, weekday - 1), hour }
    case 'ArrowDown':
      return { weekday: Math.min(7, weekday + 1), hour }
    case 'Home':
      return { weekday: ctrlKey ? 1 : weekday, hour: 0 }
    case 'End':
      return { weekday: ctrlKey ? 7 : weekday, hour: 23 }
    default:
      return null
  }
}

function lookOf({ ms }: WeekHour, range: readonly [number, number]): string {
  return ms === null ? 'bg-sunken' : (shades[levelOf(ms, range)] ?? '')
}

const shortFormat = inLanguage((locale) => new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' }))

/** The first of January 2024 was a Monday. */
function shortName(weekday: number): string {
  return shortFormat().format(Date.UTC(2024, 0, weekday))
}
