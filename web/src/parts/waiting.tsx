import { t } from '@lingui/core/macro'
import { type ReactNode, useEffect, useState } from 'react'

const patienceMs = 250

/** Nothing for a moment, so that quick pages do not flash. */
export function Waiting(): ReactNode {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patienceMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <p role="status" className="p-6 text-muted">
      {isLate ? t`Loading …` : ''}
    </p>
  )
}
