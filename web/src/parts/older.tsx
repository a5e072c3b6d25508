import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'

/** A list that is read page by page (TanStack Query). */
type Pages = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }

/** Below such a list, as long as there is more of it. */
export function ShowOlder({ pages: { hasNextPage, isFetchingNextPage, fetchNextPage } }: { pages: Pages }): ReactNode {
  if (!hasNextPage) return null
  return (
    <div className="mt-6">
      <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        <Trans>Show older ones</Trans>
      </Button>
    </div>
  )
}
