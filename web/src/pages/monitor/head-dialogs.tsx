// What the actions on a monitor ask, loaded when one is pointed at.
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { MonitorRecord, TrialRecord } from '../../api/monitors.ts'
import { CloseButton, DeleteDialog, Dialog, FormDialog } from '../../parts/overlays/dialog.tsx'
import { SelectField } from '../../parts/form/field.tsx'
import { Form } from '../../parts/form/form.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { monitorKey, useMonitors } from '../../session/use-monitors.ts'
import { useChanged, useRead } from '../../session/workspace.tsx'
import type { Asked } from './head.tsx'
import { TrialResult } from './trial.tsx'

export function AskedDialog({ asked, ...of }: AskedOf & { asked: Asked }): ReactNode {
  switch (asked) {
    case 'check':
      return <CheckNow {...of} />
    case 'pause':
      return <Pause {...of} />
    case 'delete':
      return <Delete {...of} />
  }
}

type AskedOf = { monitor: MonitorRecord; onClose: () => void }

function CheckNow({ monitor: { id, name, locations: codes }, onClose }: AskedOf): ReactNode {
  const monitors = useMonitors()
  const { data: locations } = useRead('locations', { read: () => monitors.listLocations() })
  const [trial, setTrial] = useState<TrialRecord | null>(null)
  const nameOf = (code: string): string => locations.find((each) => each.code === code)?.name ?? code
  const check = async (location: string): Promise<void> => {
    setTrial(null)
    setTrial(await monitors.checkNow(id, location))
  }
  return (
    <Dialog title={t`Check ${name}`} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <Form
          submit={t`Check`}
          onSubmit={(value) => check(value('location'))}
          beside={
            <CloseButton>
              <Trans>Close</Trans>
            </CloseButton>
          }
          unsaved={false}
        >
          <p className="text-sm text-muted">
            <Trans>One check. Its result is not kept.</Trans>
          </p>
          <SelectField
            name="location"
            label={t({ message: 'From', context: 'location of a check' })}
            options={codes.map((code) => ({ value: code, label: nameOf(code) }))}
          />
        </Form>
        {trial !== null && <TrialResult trial={trial} place={nameOf(trial.location_code)} />}
      </div>
    </Dialog>
  )
}

function Pause({ monitor: { id, name }, onClose }: AskedOf): ReactNode {
  const monitors = useMonitors()
  const changed = useChanged()
  const submit = async (): Promise<void> => {
    await monitors.pause(id)
    await changed('monitors', monitorKey(id))
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

function Delete({ monitor: { id, name }, onClose }: AskedOf): ReactNode {
  const monitors = useMonitors()
  const changed = useChanged()
  const router = useRouter()
  const toast = useToast()
  const submit = async (): Promise<void> => {
    await monitors.remove(id)
    toast(t`${name} is deleted.`)
    router.history.push('/monitors')
    await changed('monitors', 'account')
  }
  return (
    <DeleteDialog title={t`Delete ${name}?`} onSubmit={submit} onClose={onClose}>
      <p className="text-muted">
        <Trans>Its results are deleted permanently; its incidents stay.</Trans>
      </p>
    </DeleteDialog>
  )
}
