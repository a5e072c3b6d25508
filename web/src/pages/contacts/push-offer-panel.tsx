import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isPushPossible } from '../../api/push.ts'
import { Button } from '../../parts/button.tsx'
import { usePushOffer } from '../../session/push-offer.ts'
import { useWorkspace } from '../../session/workspace.tsx'
import { useContactsApi } from './use-contacts.ts'
import { usePushHere } from './use-push-here.ts'

export function PushOfferPanel(): ReactNode {
  return isPushPossible() && Notification.permission !== 'denied' ? <Offer /> : null
}

function Offer(): ReactNode {
  const { workspace } = useWorkspace()
  const api = useContactsApi()
  const { dismiss } = usePushOffer()
  const { ownId, isBusy, add } = usePushHere()
  const { data: contacts } = useQuery({
    queryKey: ['workspace', workspace.id, 'contacts'],
    queryFn: () => api.list(),
  })
  if (contacts === undefined || contacts.some(({ id, enabled }) => id === ownId && enabled)) return null
  const { name } = workspace
  const end = (): void => {
    dismiss()
    // The button that had the focus is gone.
    document.getElementById('main')?.focus()
  }
  const accept = async (): Promise<void> => {
    if (await add()) end()
  }
  return (
    <section
      aria-label={t`Incidents on this device`}
      className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-lg bg-sunken px-3.5 py-2.5 text-sm"
    >
      <p className="max-w-2xl grow basis-64">
        <Trans>
          This browser can show the alerts of {name}, even while the console is closed. It then appears among the
          contacts.
        </Trans>
      </p>
      <span className="flex flex-wrap gap-2">
        <Button isBusy={isBusy} onClick={() => void accept()}>
          <Trans>Get incidents on this device</Trans>
        </Button>
        <Button look="quiet" onClick={end}>
          <Trans>Do not offer this again</Trans>
        </Button>
      </span>
    </section>
  )
}
