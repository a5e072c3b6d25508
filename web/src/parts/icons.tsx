import type { ReactNode } from 'react'

/** An orbit, and what goes round closest. */
export function Mark(): ReactNode {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className="size-6 text-accent-text">
      <ellipse
        cx="16"
        cy="16"
        rx="13"
        ry="9"
        fill="none"
        stroke="currentColor"
        strokeWidth="3"
        transform="rotate(-28 16 16)"
      />
      <circle cx="10.5" cy="16.5" r="4.5" fill="currentColor" />
    </svg>
  )
}

export function Chevron(): ReactNode {
  return (
    <Line>
      <path d="m4 6 4 4 4-4" />
    </Line>
  )
}

export function Check(): ReactNode {
  return (
    <Line>
      <path d="m3 8.5 3.5 3.5L13 5" />
    </Line>
  )
}

export function Bars(): ReactNode {
  return (
    <Line>
      <path d="M2 4h12M2 8h12M2 12h12" />
    </Line>
  )
}

function Line({ children }: { children: ReactNode }): ReactNode {
  return (
    <svg
      viewBox="0 0 16 16"
      aria-hidden="true"
      className="size-4 shrink-0"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {children}
    </svg>
  )
}
