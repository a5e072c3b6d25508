import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { type ReactNode, Suspense, lazy, useState } from 'react'
import type { MonitorRecord } from '../../api/monitors.ts'
import { Button } from '../../parts/button.tsx'
import { PageHead, actionsClass, linkClass } from '../../parts/page.tsx'
import { problemOf } from '../../parts/problem.ts'
import { Status } from '../../parts/status.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { useHasPayments } from '../../session/session.ts'
import { useChanged } from '../../session/workspace.tsx'
import { isProbed, kindTitle } from './kinds.ts'
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

/** What is asked about before it is done. */
export type Asked = 'check' | 'pause' | 'delete'

const load = () => import('./head-dialogs.tsx')
const AskedDialog = lazy(async () => ({ default: (await load()).AskedDialog }))

function Actions({ monitor }: { monitor: MonitorRecord }): ReactNode {
  const [asked, setAsked] = useState<Asked | null>(null)
  const { id, kind, status } = monitor
  return (
    <div onPointerEnter={() => void load()} onFocus={() => void load()} className={actionsClass}>
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
      {asked !== null && (
        <Suspense>
          <AskedDialog asked={asked} monitor={monitor} onClose={() => setAsked(null)} />
        </Suspense>
      )}
    </div>
  )
}

const buttonLink =
  'inline-flex min-h-9 items-center rounded-lg border border-edge/60 bg-surface px-3.5 py-1.5 text-sm font-medium hover:bg-sunken'

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
        : t`It stays paused: the plan has no free slot.`
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
