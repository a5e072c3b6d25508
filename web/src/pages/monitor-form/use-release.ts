import { useRef } from 'react'

export type Release = {
  /** For the form. */
  onPointerDown: () => void
  /** Does something at once, or when the pointer that is pressed is let go. */
  whenReleased: (work: () => void) => void
}

/**
 * Puts off what would move a form while something in it is pressed. A press takes the focus from the field before, whose
 * problem then takes a line or gives one back: what had moved away from under the pointer would hear no click.
 */
export function useRelease(): Release {
  const waiting = useRef<(() => void)[] | null>(null)
  const release = (): void => {
    const works = waiting.current ?? []
    waiting.current = null
    for (const work of works) work()
  }
  return {
    onPointerDown: () => {
      if (waiting.current !== null) return
      waiting.current = []
      const pressed = new AbortController()
      const end = (): void => {
        pressed.abort()
        // The click comes in the same turn of the event loop, after the pointer.
        setTimeout(release)
      }
      const { signal } = pressed
      for (const type of ['pointerup', 'pointercancel']) window.addEventListener(type, end, { signal })
      // The list of a select may keep the end of a press to itself.
      window.addEventListener('pointermove', ({ buttons }) => (buttons === 0 ? end() : undefined), { signal })
    },
    whenReleased: (work) => {
      if (waiting.current === null) work()
      else waiting.current.push(work)
    },
  }
}
