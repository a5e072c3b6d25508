import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { Phase } from '../monitor/details.ts'

/** One colour a phase, told by its words as well. */
const phaseClasses: Readonly<Record<string, string>> = {
  dns_ms: 'bg-chart-1',
  connect_ms: 'bg-chart-2',
  tls_ms: 'bg-chart-3',
  ttfb_ms: 'bg-chart-4',
  transfer_ms: 'bg-chart-5',
}

/** How the time of one check was spent. */
export function PhaseBar({ phases }: { phases: readonly Phase[] }): ReactNode {
  return (
    <div>
      <div aria-hidden="true" className="flex h-2.5 gap-px overflow-hidden rounded-full">
        {phases.map(({ name, ms }) => (
          <span key={name} style={{ flexGrow: Math.max(ms, 0.2), flexBasis: 2 }} className={phaseClasses[name]} />
        ))}
      </div>
      <ul aria-label={t`Phases`} className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
        {phases.map(({ name, label, ms }) => (
          <li key={name} className="flex items-center gap-1.5">
            <span aria-hidden="true" className={`size-2.5 rounded-sm ${phaseClasses[name] ?? ''}`} />
            {label} {ms} ms
          </li>
        ))}
      </ul>
    </div>
  )
}
