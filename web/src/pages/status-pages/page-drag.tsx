import { type PointerEvent, type ReactNode, type RefObject, useEffect, useState } from 'react'
import type { Spot } from './page-groups.ts'

/** What a pointer has hold of: a group by its key, or a monitor by its id. */
export type Dragged = { group: number } | { monitorId: string }

export type Dragging = {
  dragged: Dragged | null
  /** Where it would stand if it were let go now. */
  spot: Spot | null
  grip: (dragged: Dragged) => ReactNode
}

/** Near an edge of the window the page moves along, so that what is dragged can go beyond what is seen. */
const edge = { within: 64, step: 14 }

/**
 * Moves rows with a mouse, a pen or a finger. Nothing changes before the pointer lets go, and Escape leaves everything
 * where it was. Keys have the arrows, so that the grip is for pointers alone.
 */
export function useDragging(
  frame: RefObject<HTMLElement | null>,
  onDrop: (dragged: Dragged, spot: Spot) => void,
): Dragging {
  const [held, setHeld] = useState<{ dragged: Dragged; spot: Spot } | null>(null)
  const isHeld = held !== null
  useEffect(() => {
    if (!isHeld) return
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') setHeld(null)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isHeld])
  const follow = (dragged: Dragged, { clientY }: PointerEvent): void => {
    if (frame.current !== null) setHeld({ dragged, spot: spotAt(frame.current, dragged, clientY) })
  }
  const grip = (dragged: Dragged): ReactNode => (
    <span
      aria-hidden="true"
      data-grip=""
      onPointerDown={(event) => {
        if (event.button !== 0) return
        // No text is marked meanwhile.
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        follow(dragged, event)
      }}
      onPointerMove={(event) => {
        if (!isHeld) return
        scrollNear(event.clientY)
        follow(dragged, event)
      }}
      onPointerUp={({ clientY }) => {
        // The spot that was drawn last may be one that the pointer has left since.
        if (isHeld && frame.current !== null) onDrop(dragged, spotAt(frame.current, dragged, clientY))
        setHeld(null)
      }}
      onPointerCancel={() => setHeld(null)}
      className="flex size-9 shrink-0 cursor-grab touch-none items-center justify-center rounded-lg text-muted select-none hover:bg-sunken active:cursor-grabbing"
    >
      ⠿
    </span>
  )
  return { dragged: held?.dragged ?? null, spot: held?.spot ?? null, grip }
}

function scrollNear(y: number): void {
  if (y < edge.within) scrollBy(0, -edge.step)
  else if (y > innerHeight - edge.within) scrollBy(0, edge.step)
}

/** Groups are marked by `data-group`, monitors are the list items of theirs. */
function spotAt(frame: HTMLElement, dragged: Dragged, y: number): Spot {
  const boxes = [...frame.querySelectorAll<HTMLElement>('[data-group]')]
  if ('group' in dragged) return { group: boxes.filter(isAbove(y)).length, index: 0 }
  const group = Math.max(
    0,
    boxes.findLastIndex((box) => box.getBoundingClientRect().top <= y),
  )
  const rows = [...(boxes[group]?.querySelectorAll<HTMLElement>('li') ?? [])]
  return { group, index: rows.filter(isAbove(y)).length }
}

/** Whether the middle of an element is. */
function isAbove(y: number): (element: HTMLElement) => boolean {
  return (element) => {
    const { top, height } = element.getBoundingClientRect()
    return top + height / 2 < y
  }
}
