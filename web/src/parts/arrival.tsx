import { type ReactNode, useEffect, useRef } from 'react'

/**
 * Takes the focus as it appears, in place of the element that had it, so that readers with a keyboard or a screen
 * reader go on here.
 */
export function Arrival({ children }: { children: ReactNode }): ReactNode {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.focus(), [])
  return (
    <div ref={place} tabIndex={-1} className="focus-visible:outline-none">
      {children}
    </div>
  )
}
