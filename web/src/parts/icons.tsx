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

/** Drawn on 16 by 16, one stroke wide, like the others here. */
const drawn = {
  monitors: 'M1.5 8h3l2-4.5 3 9 2-4.5h3',
  incidents: 'M8 2.2 14.6 13.5H1.4zM8 6.5v3M8 11.4v.01',
  objectives: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 10.3a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6z',
  maintenance: 'M13.8 4.4a3.7 3.7 0 0 1-5 4.3l-4.4 4.7a1.4 1.4 0 0 1-2-2L7 7a3.7 3.7 0 0 1 4.3-4.9L9.2 4.3l.4 2 2 .4z',
  reports: 'M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3M6 8h4.2M6 11h4.2',
  statusPages: 'M1.5 2.8h13v10.4h-13zM1.5 5.8h13M4 8.6h4.5M4 10.8h2.5',
  contacts: 'M8 1.8a4 4 0 0 0-4 4c0 4-1.7 5.2-1.7 5.2h11.4S12 9.8 12 5.8a4 4 0 0 0-4-4zM6.7 13.7a1.5 1.5 0 0 0 2.6 0',
  onCall: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.8V8l2.2 1.6',
  settings: 'M2 5h5M11 5h3M9 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM2 11h3M9 11h5M7 13a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.7 10.7 14 14',
  workspace: 'M2.5 14V2.5h7V14M9.5 6.5h4V14M1.5 14h13M5 5.5h2M5 8h2M5 10.5h2',
  moveIn: 'M8 1.5v8M4.8 6.5 8 9.7l3.2-3.2M1.5 9.5v5h13v-5',
  screens: 'M1.5 2.5h13v8.5h-13zM8 11v3M5 14h6',
  members:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 13.5a4.5 4.5 0 0 1 9 0M10.5 2.9a2.5 2.5 0 0 1 0 4.2M12.3 9.8a4.5 4.5 0 0 1 2.2 3.7',
  tokens: 'M5.2 13.8a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM7.4 8.6 13.8 2.2M11 5l2.2 2.2',
  agents: 'M3 5.5h10v8H3zM8 5.5v-3M6 9v1M10 9v1M1.2 8.5v2M14.8 8.5v2',
  audit: 'M5.5 4H14M5.5 8H14M5.5 12H14M2 4v.01M2 8v.01M2 12v.01',
  plan: 'M8 1.8 14.5 5 8 8.2 1.5 5zM1.5 8 8 11.2 14.5 8M1.5 11 8 14.2 14.5 11',
  credit: 'M1.5 3.5h13v9h-13zM1.5 6.5h13M4 10h2.5',
  payments: 'M3 1.5h10v13l-1.7-1.2-1.6 1.2L8 13.3l-1.7 1.2-1.6-1.2L3 14.5zM5.5 5h5M5.5 8h5',
  account: 'M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2.5 14.5a5.5 5.5 0 0 1 11 0',
  security: 'M8 1.5l5.5 2V8c0 3.3-2.3 5.5-5.5 6.5C4.8 13.5 2.5 11.3 2.5 8V3.5z',
  plus: 'M8 3v10M3 8h10',
  run: 'M4.5 2.5 13 8l-8.5 5.5z',
  pause: 'M5.5 3v10M10.5 3v10',
  done: 'm3 8.5 3.5 3.5L13 5',
  edit: 'M10.5 3 13 5.5 5.5 13l-3 .5.5-3z',
  theme: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 2v12M8 5h3.5M8 8h5.5M8 11h3.5',
  leave: 'M6.5 2.5h-4v11h4M10 5l3 3-3 3M13 8H6',
  keyboard: 'M1.5 4h13v8.5h-13zM4 6.8v.01M6.7 6.8v.01M9.3 6.8v.01M12 6.8v.01M5 10h6',
} as const
export type IconName = keyof typeof drawn

export function Icon({ name }: { name: IconName }): ReactNode {
  return (
    <Line>
      <path d={drawn[name]} />
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
