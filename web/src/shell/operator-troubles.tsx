import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Notice } from '../parts/notice.tsx'
import { useInstallation } from '../session/use-installation.ts'

const lookMs = 30_000

/** What the operator has to look at, on every page; nobody else is told. */
export function OperatorTroubles(): ReactNode {
  const troubles = useInstallation({ everyMs: lookMs })?.troubles ?? []
  if (troubles.length === 0) return null
  return (
    <div className="mb-6 print:hidden">
      <Notice tone="warn">
        <p className="font-semibold">
          <Trans>This installation needs to be looked at</Trans>
        </p>
        <ul className="mt-1 list-disc pl-5 wrap-anywhere">
          {troubles.map((trouble) => (
            <li key={trouble}>{trouble}</li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}
