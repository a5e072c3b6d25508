import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { type ReactNode, memo, useRef, useSyncExternalStore } from 'react'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { numberText } from '../../parts/language.ts'
import { stateLooks, stateWords } from '../../parts/status.tsx'
import type { MonitorRow } from './monitors-rows.ts'
import { LineTitle } from './monitors-title.tsx'
import { type Line, keyOf, states } from './monitors-view.ts'

/**
 * Fewer tiles are larger; each of these sizes fits the wall without scrolling at 1920 by 1080 pixels. All tiles of a wall
 * are equally high, because each size has room for a name of two lines.
 */
const sizes = [
  { upTo: 12, tile: 'min-h-40 text-4xl', grid: 'grid-cols-[repeat(auto-fill,minmax(min(100%,22rem),1fr))]' },
  {
    upTo: 40,
    tile: 'min-h-28 text-2xl max-sm:min-h-20 max-sm:text-lg',
    grid: 'grid-cols-2 sm:grid-cols-[repeat(auto-fill,minmax(15rem,1fr))]',
  },
  { upTo: 150, tile: 'min-h-16 text-base', grid: 'grid-cols-[repeat(auto-fill,minmax(min(100%,10rem),1fr))]' },
  { upTo: Infinity, tile: 'min-h-14 text-sm', grid: 'grid-cols-[repeat(auto-fill,minmax(min(100%,8rem),1fr))]' },
] as const

/** Tiles for a screen that several people look at: names and states, what needs somebody in the colour of its state. */
export function MonitorWall({ lines }: { lines: readonly Line[] }): ReactNode {
  const wall = useRef<HTMLDivElement>(null)
  const isFull = useIsFull()
  const rows = lines.flatMap((line) => ('row' in line ? [line.row] : []))
  const size = sizes.find(({ upTo }) => rows.length <= upTo) ?? sizes[0]
  return (
    <div ref={wall} className="bg-ground [&:fullscreen]:overflow-y-auto [&:fullscreen]:p-6">
      <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <p className={isFull ? 'text-5xl font-semibold' : 'text-lg font-semibold'}>{standingOf(rows)}</p>
        <div className="flex flex-wrap gap-2">
          {!isFull && (
            <ButtonLink to="/settings/screens">
              <Trans>Show on a screen</Trans>
            </ButtonLink>
          )}
          <Button onClick={() => void toggleFull(wall.current)}>
            {isFull ? <Trans>Leave full screen</Trans> : <Trans>Full screen</Trans>}
          </Button>
        </div>
      </div>
      <ul aria-label={t`Monitors`} className={`grid gap-2 ${size.grid}`}>
        {lines.map((line, index) =>
          'row' in line ? (
            <Tile key={keyOf(line, index)} row={line.row} className={size.tile} />
          ) : (
            <li key={keyOf(line, index)} className="col-span-full pt-3 font-semibold">
              <LineTitle line={line} />
            </li>
          ),
        )}
      </ul>
    </div>
  )
}

const Tile = memo(function Tile({ row, className }: { row: MonitorRow; className: string }): ReactNode {
  const look = stateLooks[row.state]
  return (
    <li className="grid [contain-intrinsic-size:auto_4rem] [content-visibility:auto]">
      <Link
        to="/monitors/$id"
        params={{ id: row.id }}
        preload={false}
        className={`flex flex-col justify-center rounded-xl px-3 py-1 leading-tight ${look.class} ${className}`}
      >
        <span className="line-clamp-2 font-semibold wrap-anywhere">{row.name}</span>
        <span className="flex items-center gap-2 text-[0.7em]">
          <span aria-hidden="true" className={`size-2 shrink-0 ${look.dot}`} />
          {i18n._(stateWords[row.state])}
        </span>
      </Link>
    </li>
  )
})

/** "2 down, 1 degraded, 40 up". */
function standingOf(rows: readonly MonitorRow[]): string {
  const ids = new Map(rows.map((row) => [row.id, row.state]))
  const all = [...ids.values()]
  const counts = states.map((state) => ({ state, count: all.filter((each) => each === state).length }))
  if (all.every((state) => state === 'up')) return plural(all.length, { one: '# monitor is up', other: 'All # are up' })
  return counts
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => `${numberText(count)} ${i18n._(stateWords[state]).toLowerCase()}`)
    .join(', ')
}

async function toggleFull(wall: HTMLElement | null): Promise<void> {
  if (document.fullscreenElement === null) await wall?.requestFullscreen()
  else await document.exitFullscreen()
}

function useIsFull(): boolean {
  return useSyncExternalStore(
    (tell) => {
      document.addEventListener('fullscreenchange', tell)
      return () => document.removeEventListener('fullscreenchange', tell)
    },
    () => document.fullscreenElement !== null,
  )
}
