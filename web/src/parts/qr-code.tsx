import { generate } from 'lean-qr'
import type { ReactNode } from 'react'

/** Modules around the code, which readers need to find it (ISO/IEC 18004 6.3.8). */
const margin = 4

/** Dark on white whatever the theme: many readers know no other. */
export function QrCode({ text, label }: { text: string; label: string }): ReactNode {
  const code = generate(text)
  const size = code.size + 2 * margin
  const cells = Array.from({ length: code.size ** 2 }, (_, index) => [index % code.size, Math.floor(index / code.size)])
  const path = cells.map(([x = 0, y = 0]) => (code.get(x, y) ? `M${x + margin} ${y + margin}h1v1h-1z` : '')).join('')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-48 self-center rounded-lg bg-white"
    >
      <path d={path} fill="black" />
    </svg>
  )
}
