import { t } from '@lingui/core/macro'
import { type ReactNode, useEffect, useState } from 'react'

const patienceMs = 250

/** Nothing for a moment, so that quick pages do not flash; then where something will be. */
export function Waiting(): ReactNode {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patienceMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div role="status">
      {isLate && (
        <>
          <p className="sr-only">{t`Loading …`}</p>
          <div aria-hidden="true" className="flex max-w-3xl animate-pulse flex-col gap-4">
            <div className="h-7 w-48 rounded-lg bg-sunken" />
            <div className="h-4 w-80 max-w-full rounded bg-sunken" />
            <div className="mt-2 h-40 rounded-xl border border-line bg-sunken/50" />
          </div>
        </>
      )}
    </div>
  )
}
