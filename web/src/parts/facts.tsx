import type { ReactNode } from 'react'

/** Terms and what they are, side by side. */
export function Facts({ children }: { children: ReactNode }): ReactNode {
  return <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm">{children}</dl>
}

export function Fact({ term, children }: { term: string; children: ReactNode }): ReactNode {
  return (
    <>
      <dt className="text-muted">{term}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </>
  )
}
