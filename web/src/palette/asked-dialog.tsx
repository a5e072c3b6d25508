import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { TrialResult } from '../pages/monitor/trial.tsx'
import { Button } from '../parts/button.tsx'
import { CloseButton, Dialog, FormDialog } from '../parts/overlays/dialog.tsx'
import { Notice } from '../parts/notice.tsx'
import { problemOf } from '../parts/problem.ts'
import { monitorKey, useMonitors } from '../session/use-monitors.ts'
import { useChanged, useWorkspace } from '../session/workspace.tsx'
import type { Asked } from './verbs.ts'

type AskedProps = { asked: Asked; onClose: () => void }

/** What a verb of the palette asks before it is done, or shows after it. */
export function AskedDialog({ asked, onClose }: AskedProps): ReactNode {
  return asked.verb === 'check' ? (
    <CheckNow asked={asked} onClose={onClose} />
  ) : (
    <Pause asked={asked} onClose={onClose} />
  )
}

/** One check at once, from the first location of the monitor. */
function CheckNow({ asked, onClose }: AskedProps): ReactNode {
  const { id, name } = asked.monitor
  const { workspace } = useWorkspace()
  const monitors = useMonitors()
  const [asking] = useState(() => crypto.randomUUID())
  const check = async () => {
    const [detail, locations] = await Promise.all([monitors.read(id), monitors.listLocations()])
    const code = detail?.data.locations[0]
    if (code === undefined) throw new Error(t`This monitor no longer exists.`)
    const trial = await monitors.checkNow(id, code)
    return { trial, place: locations.find((each) => each.code === trial.location_code)?.name ?? code }
  }
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['workspace', workspace.id, 'palette check', asking],
    queryFn: check,
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  })
  return (
    <Dialog title={t`Check ${name}`} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="text-sm text-muted">
          <Trans>One check. Its result is not kept.</Trans>
        </p>
        <div role="status">{isFetching && <p className="text-muted">{t`Checking …`}</p>}</div>
        {!isFetching && error !== null && <Notice tone="bad">{problemOf(error).message}</Notice>}
        {!isFetching && data !== undefined && <TrialResult trial={data.trial} place={data.place} />}
        <div className="flex flex-wrap gap-2">
          <Button look="primary" isBusy={isFetching} onClick={() => void refetch()}>
            <Trans>Check again</Trans>
          </Button>
          <CloseButton>
            <Trans>Close</Trans>
          </CloseButton>
        </div>
      </div>
    </Dialog>
  )
}

function Pause({ asked, onClose }: AskedProps): ReactNode {
  const { id, name } = asked.monitor
  const monitors = useMonitors()
  const changed = useChanged()
  const submit = async (): Promise<void> => {
    await monitors.pause(id)
    await changed('monitors', 'overview', monitorKey(id))
    onClose()
  }
  return (
    <FormDialog title={t`Pause ${name}?`} submit={t`Pause`} onSubmit={submit} onClose={onClose}>
      <p className="text-muted">
        <Trans>It is not checked and alerts no one until it is resumed. An ongoing incident is resolved.</Trans>
      </p>
    </FormDialog>
  )
}
