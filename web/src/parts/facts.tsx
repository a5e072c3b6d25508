import type { ReactNode } from 'react'

/** Terms and what they are, side by side. Long terms leave the larger part of a phone to what they are. */
export function Facts({ children }: { children: ReactNode }): ReactNode {
  return <dl className="grid grid-cols-[fit-content(40%)_1fr] gap-x-4 gap-y-1.5 text-sm">{children}</dl>
}

export function Fact({ term, children }: { term: string; children: ReactNode }): ReactNode {
  return (
    <>
      <dt className="text-muted">{term}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </>
  )
}
