import { useLayoutEffect, useState } from 'react'

/**
 * Whether the figures of a place under the pointer or the focus are shown: Escape ends them until another place is
 * reached (WCAG 2.2, 1.4.13). `place` is null while nothing is reached.
 */
export function useFigures(place: number | null): boolean {
  const [ended, setEnded] = useState<number | null>(null)
  if (ended !== null && ended !== place) setEnded(null)
  const isShown = place !== null && place !== ended
  // Before it is drawn: figures that are seen can be ended.
  useLayoutEffect(() => {
    if (!isShown) return undefined
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') setEnded(place)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [isShown, place])
  return isShown
}
