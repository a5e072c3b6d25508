import { t } from '@lingui/core/macro'
import { type ReactNode, useLayoutEffect } from 'react'
import { Button } from '../../parts/button.tsx'
import type { Direction } from './page-groups.ts'

/** A press on a button of a row, which keeps the focus once its row has moved. */
export type Move = { row: string; direction: Direction }

/** The button that was pressed moved with its row, which browsers take for gone. */
export function useFocusOn(frame: { current: HTMLElement | null }, moved: Move | null): void {
  useLayoutEffect(() => {
    if (moved === null) return
    const row = frame.current?.querySelector(`[data-row="${moved.row}"]`)
    row?.querySelector<HTMLElement>(`[data-move="${moved.direction}"]`)?.focus()
  }, [frame, moved])
}

type ArrowsProps = { what: string; isFirst: boolean; isLast: boolean; onMove: (direction: Direction) => void }

/**
 * The arrows stay in their places at the ends, so that a person who presses one again and again keeps it under the
 * pointer.
 */
export function Arrows({ what, isFirst, isLast, onMove }: ArrowsProps): ReactNode {
  const onKeyDown = (event: KeyEvent): void => onArrows(event, onMove)
  const arrow = (direction: Direction, isAtEnd: boolean): ReactNode => (
    <Button
      data-move={direction}
      aria-label={direction === 'up' ? t`Move ${what} up` : t`Move ${what} down`}
      aria-disabled={isAtEnd}
      onClick={() => onMove(direction)}
      onKeyDown={onKeyDown}
    >
      {direction === 'up' ? '↑' : '↓'}
    </Button>
  )
  return (
    <span className="flex gap-1">
      {arrow('up', isFirst)}
      {arrow('down', isLast)}
    </span>
  )
}

type KeyEvent = { altKey: boolean; key: string; preventDefault: () => void }

/** Alt with ↑ or ↓, as pressed in a field of a row. */
export function onArrows(event: KeyEvent, move: (direction: Direction) => void): void {
  if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
  event.preventDefault()
  move(event.key === 'ArrowUp' ? 'up' : 'down')
}
