import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Choice } from '../monitor/choice.tsx'

type PhasePlaceProps = {
  /** Of the locations that have measured phases. */
  codes: readonly string[]
  /** The one that is shown; null for all together. */
  shown: string | null
  onChoose: (code: string) => void
  nameOf: (code: string) => string
}

/** Which location's phases are drawn: a sum of several would be that of none. */
export function PhasePlace({ codes, shown, onChoose, nameOf }: PhasePlaceProps): ReactNode {
  if (codes.length < 2) return null
  const place = shown === null ? null : nameOf(shown)
  return (
    <div className="mb-3 flex flex-wrap items-center gap-3 text-sm text-muted">
      <span>{place === null ? <Trans>Of all locations together.</Trans> : <Trans>Measured from {place}.</Trans>}</span>
      <Choice
        label={t`Location`}
        options={codes.map((value) => ({ value, label: nameOf(value) }))}
        value={shown ?? ''}
        onChange={onChoose}
      />
    </div>
  )
}
