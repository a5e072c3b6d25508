import { type ReactNode, Suspense, lazy } from 'react'
import { usePushOffer } from '../../session/push-offer.ts'
import { useMayWrite } from '../../session/use-monitors.ts'

const Panel = lazy(async () => ({ default: (await import('./push-offer-panel.tsx')).PushOfferPanel }))

/**
 * Where incidents are acknowledged: this browser may be told of them. The browser asks its own question only once the
 * button is pressed. The page around waits for nothing of it.
 */
export function PushOffer(): ReactNode {
  const { isOffered } = usePushOffer()
  const mayWrite = useMayWrite()
  if (!isOffered || !mayWrite) return null
  return (
    <Suspense>
      <Panel />
    </Suspense>
  )
}
