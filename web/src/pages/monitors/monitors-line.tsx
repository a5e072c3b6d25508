import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { type ReactNode, memo, useDeferredValue, useMemo } from 'react'
import { DayBars } from '../../parts/bars.tsx'
import { inLanguage, numberText } from '../../parts/language.ts'
import { Spark } from '../../parts/spark.tsx'
import { Status } from '../../parts/status.tsx'
import { Ago, useIsPast, useNow } from '../../parts/time.tsx'
import { sinceWatched, watchedInsteadOfBars } from '../../parts/watched.ts'
import { kindTitle } from '../monitor/kinds.ts'
import { type MonitorRow, barsOf } from './monitors-rows.ts'
import { LineTitle } from './monitors-title.tsx'
import type { Line } from './monitors-view.ts'

type LineProps = {
  line: Line
  index: number
  today: string
  isWide: boolean
  isDense: boolean
  isActive: boolean
  isSelected: boolean
  top: number
  height: number
  onFocus: (index: number) => void
  /** Null for who may change nothing. */
  onSelect: ((index: number, isRange: boolean) => void) | null
}

export const gridClass =
  'grid grid-cols-[1.5rem_6rem_minmax(0,1fr)_5rem_6rem_minmax(7rem,12rem)_5.5rem] items-center gap-x-3'

/** Drawn again only when something of it changed: while the list is scrolled, and while others change, it stays. */
export const MonitorLine = memo(function MonitorLine({ line, index, top, height, ...props }: LineProps): ReactNode {
  const style = { transform: `translateY(${top}px)`, height }
  if (!('row' in line))
    return (
      <div
        role="row"
        aria-rowindex={index + 2}
        style={style}
        className="absolute inset-x-0 flex items-end border-b border-line px-4 pb-1.5 text-sm"
      >
        <span role="gridcell" aria-colspan={7} className="font-semibold">
          <LineTitle line={line} />
        </span>
      </div>
    )
  const { isActive, isSelected, isWide, onFocus } = props
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-active={isActive ? '' : undefined}
      style={style}
      onFocus={() => onFocus(index)}
      className={`absolute inset-x-0 border-b border-line px-4 last:rounded-b-xl last:border-b-0 hover:z-10 ${isSelected ? 'bg-accent-soft' : ''} ${isWide ? gridClass : narrowClass}`}
    >
      {isWide ? <Wide {...props} row={line.row} index={index} /> : <Narrow {...props} row={line.row} index={index} />}
    </div>
  )
})

/** The name has the room that it needs; its target has the rest. */
const denseNameClass = 'flex min-w-0 items-baseline gap-3 *:first:max-w-full *:first:shrink-0'

const narrowClass = 'flex flex-col justify-center gap-1.5'

type CellsProps = Omit<LineProps, 'line' | 'top' | 'height'> & { row: MonitorRow }

function Wide({ row, today, isDense, ...props }: CellsProps): ReactNode {
  return (
    <>
      <Selection {...props} row={row} />
      <span role="gridcell">
        <Status of={row.state} />
      </span>
      <span role="gridcell" className={isDense ? denseNameClass : 'min-w-0'}>
        <Name {...props} row={row} />
        <Target row={row} />
      </span>
      <span role="gridcell">
        <Drawn className="h-6">
          <Spark points={row.spark} />
        </Drawn>
      </span>
      <span role="gridcell" className="text-right text-sm">
        <Response row={row} />
        {isDense ? (
          <UnknownMark row={row} />
        ) : (
          <span className="block truncate text-xs text-muted">
            <Checked row={row} />
          </span>
        )}
      </span>
      <span role="gridcell">
        <Drawn className={isDense ? 'h-4' : 'h-6'}>
          <RowBars row={row} today={today} className={isDense ? 'h-4' : 'h-6'} />
        </Drawn>
      </span>
      <span role="gridcell" className="text-right text-sm">
        <Uptime row={row} isWide={!isDense} isShort={isDense} />
      </span>
    </>
  )
}

/** Drawn a moment after the words, when the browser has time: lines that fly past never are. */
function Drawn({ className, children }: { className: string; children: ReactNode }): ReactNode {
  const isDrawn = useDeferredValue(true, false)
  return isDrawn ? children : <div className={className} />
}

/** On small screens: what it is and how it is, then where, then its days. */
function Narrow({ row, today, isDense, ...props }: CellsProps): ReactNode {
  if (isDense) return <NarrowHead {...props} row={row} />
  return (
    <>
      <NarrowHead {...props} row={row} />
      <div role="presentation" className="flex items-baseline justify-between gap-3 text-sm">
        <span role="gridcell" className="min-w-0">
          <Target row={row} />
        </span>
        <span role="gridcell" className="shrink-0 text-muted">
          <Response row={row} /> · <Uptime row={row} isWide={false} />
          <UnknownMark row={row} />
        </span>
      </div>
      <span role="gridcell">
        <Drawn className="h-4">
          <RowBars row={row} today={today} className="h-4" />
        </Drawn>
      </span>
    </>
  )
}

function NarrowHead({ row, ...props }: Omit<CellsProps, 'today' | 'isDense'>): ReactNode {
  return (
    <div role="presentation" className="flex items-center gap-2">
      <Selection {...props} row={row} />
      <span role="gridcell" className="min-w-0 grow">
        <Name {...props} row={row} />
      </span>
      <span role="gridcell">
        <Status of={row.state} />
      </span>
    </div>
  )
}

type OwnProps = Pick<CellsProps, 'row' | 'index' | 'isActive'>

function Selection({ row, index, isActive, isSelected, onSelect }: Omit<CellsProps, 'today' | 'isDense'>): ReactNode {
  return (
    <span role="gridcell" className="flex items-center">
      {onSelect !== null && (
        <input
          type="checkbox"
          aria-label={t`Select ${{ name: row.name }}`}
          tabIndex={isActive ? 0 : -1}
          checked={isSelected}
          onChange={({ nativeEvent }) => onSelect(index, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)}
          className="size-6 accent-accent"
        />
      )}
    </span>
  )
}

function Name({ row, isActive }: Omit<OwnProps, 'index'>): ReactNode {
  return (
    <Link
      to="/monitors/$id"
      params={{ id: row.id }}
      preload={false}
      tabIndex={isActive ? 0 : -1}
      className="block truncate font-medium hover:underline"
    >
      {row.name}
      {row.isOverdue && (
        <span className="ml-2 text-xs font-normal text-warn">
          <Trans>Payment overdue</Trans>
        </span>
      )}
    </Link>
  )
}

function Target({ row }: { row: MonitorRow }): ReactNode {
  return (
    <span className="block truncate text-sm text-muted">
      {[kindTitle(row.kind), row.url?.replace(/^https?:\/\//, '')].filter(Boolean).join(' · ')}
    </span>
  )
}

function Response({ row }: { row: MonitorRow }): ReactNode {
  return <span className="tabular-nums">{row.latencyMs === null ? '–' : `${numberText(row.latencyMs)} ms`}</span>
}

/** On small screens, where the last check has no place. */
function UnknownMark({ row }: { row: MonitorRow }): ReactNode {
  return useIsPast(row.unknownFrom) && <span className="ml-2 text-warn">{t`not known now`}</span>
}

/** A state that nobody can tell is the last that was known: that stands where the last check does. */
function Checked({ row }: { row: MonitorRow }): ReactNode {
  if (useIsPast(row.unknownFrom))
    return (
      <span className="text-warn" title={t`Its locations could not tell, or their results could not be stored.`}>
        <Trans>not known now</Trans>
      </span>
    )
  return row.checkedAt === null ? t`not yet` : <Ago at={row.checkedAt} />
}

function Uptime({ row, isWide, isShort = false }: { row: MonitorRow; isWide: boolean; isShort?: boolean }): ReactNode {
  const watched = watchedInsteadOfBars(row.watchedSince, useNow())
  return (
    <span className="tabular-nums">
      {row.uptime === null ? '–' : `${percentOf(row.uptime)} %`}
      {watched !== null && !isShort && (
        <span className={isWide ? 'block text-xs text-muted' : ''}>{isWide ? watched : ` · ${watched}`}</span>
      )}
    </span>
  )
}

/** Rounded down, so that an uptime below 100 % is never shown as 100 %. */
function percentOf(uptime: number): string {
  if (uptime === 100) return '100'
  return hundredths().format(Math.floor(uptime * 100) / 100)
}

const hundredths = inLanguage(
  (locale) => new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
)

function RowBars({ row, today, className }: { row: MonitorRow; today: string; className: string }): ReactNode {
  const days = useMemo(() => sinceWatched(barsOf(row, today), row.watchedSince), [row, today])
  return <DayBars days={days} label={t`Days of ${{ name: row.name }}`} className={className} />
}
