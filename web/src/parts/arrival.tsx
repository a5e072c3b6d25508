import { type ReactNode, useEffect, useRef } from 'react'

/** Takes the focus as it appears, in the place of what had it: whoever listens or goes by keyboard goes on here. */
export function Arrival({ children }: { children: ReactNode }): ReactNode {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.focus(), [])
  return (
    <div ref={place} tabIndex={-1} className="focus-visible:outline-none">
      {children}
    </div>
  )
}
