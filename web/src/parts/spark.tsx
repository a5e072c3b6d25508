import type { ReactNode } from 'react'

const [width, height] = [96, 24]

/** The last response times as a line; what it says in words stands beside it. Gaps where a round had none. */
export function Spark({ points }: { points: readonly (number | null)[] }): ReactNode {
  const most = Math.max(1, ...points.map((ms) => ms ?? 0))
  const step = width / Math.max(1, points.length - 1)
  const path = points.map((ms, index) => {
    if (ms === null) return ''
    const place = `${(index * step).toFixed(1)} ${(height - 2 - (ms / most) * (height - 4)).toFixed(1)}`
    return `${(points[index - 1] ?? null) === null ? 'M' : 'L'}${place}`
  })
  return (
    <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true" className="block h-6 w-full">
      <path
        d={path.join('')}
        vectorEffect="non-scaling-stroke"
        fill="none"
        strokeWidth="1.5"
        strokeLinejoin="round"
        strokeLinecap="round"
        className="stroke-accent-text"
      />
    </svg>
  )
}
