import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useRouter } from '@tanstack/react-router'
import { type ReactNode, Suspense, useState } from 'react'
import type { MonitorRecord, TrialRecord } from '../../api/monitors.ts'
import { Button } from '../../parts/button.tsx'
import { CloseButton, DeleteDialog, Dialog, FormDialog } from '../../parts/dialog.tsx'
import { PageHead, linkClass } from '../../parts/page.tsx'
import { problemOf } from '../../parts/problem.ts'
import { SelectField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { Status } from '../../parts/status.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useHasPayments } from '../../session/session.ts'
import { useChanged, useRead } from '../../session/workspace.tsx'
import { isProbed, kindTitle } from './kinds.ts'
import { TrialResult } from './trial.tsx'
import { monitorKey, useMayWrite, useMonitors } from '../../session/use-monitors.ts'

/** The monitor, its state, and the actions on it. */
export function Head({ monitor }: { monitor: MonitorRecord }): ReactNode {
  const { name, url, kind, status, current_status: state } = monitor
  const lead = (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Status of={status === 'paused' ? 'paused' : state} />
      <span>{kindTitle(kind)}</span>
      {url !== null && <Target url={url} />}
    </span>
  )
  return <PageHead title={name} lead={lead} action={useMayWrite() && <Actions monitor={monitor} />} />
}

function Target({ url }: { url: string }): ReactNode {
  if (!/^https?:\/\//.test(url)) return <span className="wrap-anywhere">{url}</span>
  return (
    <a href={url} target="_blank" rel="noreferrer" className={`${linkClass} wrap-anywhere`}>
      {url}
    </a>
  )
}

type Asked = 'check' | 'pause' | 'delete'

function Actions({ monitor }: { monitor: MonitorRecord }): ReactNode {
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = (): void => setAsked(null)
  const { id, kind, status } = monitor
  return (
    <div className="flex flex-wrap gap-2">
      {isProbed(kind) && (
        <Button onClick={() => setAsked('check')}>
          <Trans>Check now</Trans>
        </Button>
      )}
      <Link to="/monitors/$id/edit" params={{ id }} className={buttonLink}>
        <Trans>Change</Trans>
      </Link>
      <Link to="/monitors/new" search={{ from: id }} className={buttonLink}>
        <Trans>Clone</Trans>
      </Link>
      {status === 'paused' ? (
        <Resume id={id} />
      ) : (
        <Button onClick={() => setAsked('pause')}>
          <Trans>Pause</Trans>
        </Button>
      )}
      <Button look="danger" onClick={() => setAsked('delete')}>
        <Trans>Delete</Trans>
      </Button>
      {asked === 'check' && (
        <Suspense>
          <CheckNow monitor={monitor} onClose={close} />
        </Suspense>
      )}
      {asked === 'pause' && <Pause monitor={monitor} onClose={close} />}
      {asked === 'delete' && <Delete monitor={monitor} onClose={close} />}
    </div>
  )
}

const buttonLink =
  'inline-flex min-h-9 items-center rounded-lg border border-edge/60 bg-surface px-3.5 py-1.5 text-sm font-medium hover:bg-sunken'

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
            <Trans>One check, of which nothing is kept.</Trans>
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
        <Trans>It is not checked until it is resumed, and alerts nobody. An incident that runs is resolved.</Trans>
      </p>
    </FormDialog>
  )
}

function Resume({ id }: { id: string }): ReactNode {
  const monitors = useMonitors()
  const changed = useChanged()
  const toast = useToast()
  const hasPayments = useHasPayments()
  const [isBusy, setBusy] = useState(false)
  const resume = async (): Promise<void> => {
    setBusy(true)
    try {
      const { status } = await monitors.resume(id)
      const stays = hasPayments
        ? t`It stays paused: pay for it, or free a slot of the plan.`
        : t`It stays paused: no slot of the plan is left.`
      toast(status === 'paused' ? stays : t`It is checked again.`)
      await changed('monitors', monitorKey(id))
    } catch (error) {
      toast(problemOf(error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button isBusy={isBusy} onClick={() => void resume()}>
      <Trans>Resume</Trans>
    </Button>
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
        <Trans>Its results are gone for good; its incidents stay.</Trans>
      </p>
    </DeleteDialog>
  )
}
