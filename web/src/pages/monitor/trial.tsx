import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { TrialRecord } from '../../api/monitors.ts'
import { Arrival } from '../../parts/arrival.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { Status } from '../../parts/status.tsx'
import { detailFacts, milliseconds, phasesOf } from './details.ts'
import { PhaseBar } from '../results/phases.tsx'

/** The result of one check that is not stored. */
export function TrialResult({ trial, place }: { trial: TrialRecord; place: string }): ReactNode {
  const { status, status_code: code, latency_ms: latency, error, details } = trial
  const phases = phasesOf(details)
  const facts = detailFacts(details)
  return (
    <Arrival>
      <div
        aria-label={t`Result of the check`}
        role="group"
        className="flex flex-col gap-3 rounded-xl border border-line p-4"
      >
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <Status of={status} />
          {latency !== null && <span className="font-medium tabular-nums">{milliseconds(latency)}</span>}
          {code !== null && <span className="text-muted">{t`Status ${code}`}</span>}
          <span className="text-muted">{t`from ${place}`}</span>
        </div>
        {error !== null && <p className="text-sm wrap-anywhere">{error}</p>}
        {phases.length > 0 && <PhaseBar phases={phases} />}
        {facts.length > 0 && (
          <Facts>
            {facts.map(({ term, text }) => (
              <Fact key={term} term={term}>
                {text}
              </Fact>
            ))}
          </Facts>
        )}
      </div>
    </Arrival>
  )
}
