import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'

const step = 50

/** The first rows of a list that is here already, and a button for the next ones, null once all are shown. */
export function useShown<T>(all: readonly T[]): { shown: readonly T[]; more: ReactNode } {
  const [limit, setLimit] = useState(step)
  const more = all.length > limit && (
    <div className="mt-4">
      <Button onClick={() => setLimit(limit + step)}>
        <Trans>Show older ones</Trans>
      </Button>
    </div>
  )
  return { shown: all.slice(0, limit), more }
}
