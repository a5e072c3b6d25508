import { t } from '@lingui/core/macro'
import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { MonitorLine, gridClass } from './monitors-line.tsx'
import { nearestMonitor, targetOf, useFocus, useSelection } from './monitors-keys.ts'
import { type Line, keyOf } from './monitors-view.ts'
import { useLinesWindow } from './monitors-window.ts'
import { useMatches } from '../../parts/use-matches.ts'

type GridProps = {
  lines: readonly Line[]
  today: string
  isDense: boolean
  selected: ReadonlySet<string>
  /** Null for who may change nothing. */
  onSelect: ((selected: ReadonlySet<string>) => void) | null
}

const heights = { list: { wide: 58, narrow: 104 }, dense: { wide: 36, narrow: 44 } }

/** Thousands of lines, of which those near the window are in the page. One of them takes the focus; arrows move it. */
export function MonitorGrid({ lines, today, isDense, selected, onSelect }: GridProps): ReactNode {
  const isWide = useMatches(wideQuery)
  const body = useRef<HTMLDivElement>(null)
  const beginPx = useTop(body)
  const monitorPx = heights[isDense ? 'dense' : 'list'][isWide ? 'wide' : 'narrow']
  const { heightPx, range, topOf, heightOf, scrollTo } = useLinesWindow(lines, { monitorPx, beginPx })
  const focus = useFocus(lines, { body, scrollTo })
  const selection = useSelection(lines, { selected, onSelect })
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === ' ' && onSelect !== null && !(event.target instanceof HTMLInputElement)) {
      event.preventDefault()
      selection.toggle(focus.active, event.shiftKey)
      return
    }
    const to = targetOf(event.key, focus.active, lines.length)
    if (to === null || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const index = nearestMonitor(lines, { from: to, step: to < focus.active ? -1 : 1 })
    if (event.shiftKey && onSelect !== null) selection.extend(focus.active, index)
    focus.move(index)
  }
  return (
    <div
      role="grid"
      aria-label={t`Monitors`}
      aria-rowcount={lines.length + 1}
      aria-multiselectable={onSelect !== null}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className="rounded-xl border border-line bg-surface"
    >
      <Head isWide={isWide} maySelect={onSelect !== null} />
      <div ref={body} role="rowgroup" className="relative" style={{ height: heightPx }}>
        {lines.slice(range[0], range[1] + 1).map((line, offset) => {
          const index = range[0] + offset
          return (
            <MonitorLine
              key={keyOf(line, index)}
              line={line}
              index={index}
              today={today}
              isWide={isWide}
              isDense={isDense}
              isActive={index === focus.active}
              isSelected={'row' in line && selected.has(line.row.id)}
              top={topOf(index)}
              height={heightOf(index)}
              onFocus={focus.take}
              onSelect={onSelect === null ? null : selection.toggle}
            />
          )
        })}
      </div>
    </div>
  )
}

function Head({ isWide, maySelect }: { isWide: boolean; maySelect: boolean }): ReactNode {
  const columns = [
    { name: t`State` },
    { name: t`Monitor` },
    { name: t`Trend` },
    { name: t`Response`, side: 'text-right' },
    { name: t`90 days` },
    { name: t`Uptime`, side: 'text-right' },
  ]
  return (
    <div role="rowgroup" className={isWide ? 'border-b border-line' : 'sr-only'}>
      <div role="row" aria-rowindex={1} className={`${gridClass} px-4 py-2 text-xs font-medium text-muted`}>
        <span role="columnheader">
          <span className="sr-only">{maySelect ? t`Selected` : t`Number`}</span>
        </span>
        {columns.map(({ name, side = '' }) => (
          <span key={name} role="columnheader" className={side}>
            {name}
          </span>
        ))}
      </div>
    </div>
  )
}

/** The place in the page where the lines begin; what stands above them may grow. */
function useTop(element: RefObject<HTMLDivElement | null>): number {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measureTop = (): void => {
      const found = element.current?.getBoundingClientRect().top
      if (found !== undefined) setTop(Math.round(found + window.scrollY))
    }
    measureTop()
    const observer = new ResizeObserver(measureTop)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [element])
  return top
}

const wideQuery = '(min-width: 64rem)'
