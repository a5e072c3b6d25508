import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Line } from './monitors-view.ts'

// How the list is walked through and selected without a pointer.

const pageLines = 10

function isMonitor(line: Line | undefined): boolean {
  return line !== undefined && 'row' in line
}

export function targetOf(key: string, active: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return active + 1
    case 'ArrowUp':
      return active - 1
    case 'PageDown':
      return Math.min(count - 1, active + pageLines)
    case 'PageUp':
      return Math.max(0, active - pageLines)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}

/** Titles are passed over; at either end it stays with the last one. */
export function nearestMonitor(lines: readonly Line[], { from, step }: { from: number; step: -1 | 1 }): number {
  const start = Math.min(lines.length - 1, Math.max(0, from))
  for (let index = start; index >= 0 && index < lines.length; index += step) if (isMonitor(lines[index])) return index
  return nearestMonitor(lines, { from: start, step: step === 1 ? -1 : 1 })
}

type Focus = { active: number; take: (index: number) => void; move: (index: number) => void }
type Placing = { body: RefObject<HTMLDivElement | null>; scrollTo: (index: number) => void }

/** Which line can be tabbed to. One that is moved to may have to come into the page first. */
export function useFocus(lines: readonly Line[], { body, scrollTo }: Placing): Focus {
  const [wanted, setWanted] = useState(0)
  const moving = useRef(false)
  const active = nearestMonitor(lines, { from: wanted, step: 1 })
  useEffect(() => {
    if (!moving.current) return
    const link = body.current?.querySelector<HTMLElement>('[data-active] a')
    if (link === null || link === undefined) return
    moving.current = false
    link.focus({ preventScroll: true })
  })
  const move = (index: number): void => {
    moving.current = true
    setWanted(index)
    scrollTo(index)
  }
  return { active, take: setWanted, move }
}

type Selected = { selected: ReadonlySet<string>; onSelect: ((selected: ReadonlySet<string>) => void) | null }
type Selecting = { toggle: (index: number, isRange: boolean) => void; extend: (from: number, to: number) => void }

/** With Shift everything from the last one on, as it then is. */
export function useSelection(lines: readonly Line[], { selected, onSelect }: Selected): Selecting {
  const latest = useRef({ lines, selected, onSelect })
  const anchor = useRef(0)
  useLayoutEffect(() => {
    latest.current = { lines, selected, onSelect }
  })
  const toggle = useCallback((index: number, isRange: boolean) => {
    const { lines: present, selected: known, onSelect: tell } = latest.current
    const [own] = idsOf(present, index, index)
    const isOn = own !== undefined && !known.has(own)
    const next = new Set(known)
    for (const id of idsOf(present, isRange ? anchor.current : index, index)) {
      if (isOn) next.add(id)
      else next.delete(id)
    }
    anchor.current = index
    tell?.(next)
  }, [])
  const extend = (from: number, to: number): void => {
    anchor.current = to
    onSelect?.(new Set([...selected, ...idsOf(lines, from, to)]))
  }
  return { toggle, extend }
}

function idsOf(lines: readonly Line[], from: number, to: number): string[] {
  const range = lines.slice(Math.min(from, to), Math.max(from, to) + 1)
  return range.flatMap((line) => ('row' in line ? [line.row.id] : []))
}
