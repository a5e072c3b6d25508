import type { ReactNode } from 'react'

/** The browser's own colours know no theme. */
const look =
  'block h-2 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent'

/** How much of something is done. */
export function Bar({ label, value, max }: { label: string; value: number; max: number }): ReactNode {
  return <progress aria-label={label} value={value} max={max} className={look} />
}
