import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type ReactNode } from 'react'
import type { MonitorRecord } from '../../api/monitors.ts'
import { useMoney } from '../../session/use-money.ts'
import { Button } from '../../parts/button.tsx'
import { FormDialog } from '../../parts/overlays/dialog.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Time } from '../../parts/time.tsx'
import { useChanged } from '../../session/workspace.tsx'
import { monitorKey, useMayWrite } from '../../session/use-monitors.ts'

/** Only where it is overdue: then it stops after a week, or has stopped. */
export function Billing({ monitor }: { monitor: MonitorRecord }): ReactNode {
  const [isAsking, setAsking] = useState(false)
  const mayWrite = useMayWrite()
  const { billing_state: state, paid_until: until, status } = monitor
  if (state !== 'overdue' || until === null) return null
  return (
    <div className="mb-6">
      <Notice tone="warn">
        <span className="flex flex-wrap items-center justify-between gap-3">
          <span>
            {status === 'paused' ? (
              <Trans>
                It is paid until <Time at={until} by="day" />. It is paused until it is renewed.
              </Trans>
            ) : (
              <Trans>
                It is paid until <Time at={until} by="day" />. Without renewal it is paused after a week.
              </Trans>
            )}
          </span>
          {mayWrite && (
            <Button onClick={() => setAsking(true)}>
              <Trans>Renew</Trans>
            </Button>
          )}
        </span>
      </Notice>
      {isAsking && <Renew monitor={monitor} onClose={() => setAsking(false)} />}
    </div>
  )
}

function Renew({ monitor: { id, name }, onClose }: { monitor: MonitorRecord; onClose: () => void }): ReactNode {
  const money = useMoney()
  const changed = useChanged()
  const submit = async (): Promise<void> => {
    await money.renew(id)
    await changed('monitors', 'account', monitorKey(id))
    onClose()
  }
  return (
    <FormDialog title={t`Renew ${name}?`} submit={t`Renew`} onSubmit={submit} onClose={onClose}>
      <p className="text-muted">
        <Trans>Another 30 days, paid from credit.</Trans>
      </p>
    </FormDialog>
  )
}
