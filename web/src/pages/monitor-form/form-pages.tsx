import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isKindName } from '#core/monitors/kind-traits.ts'
import type { MonitorForms } from '../../api/monitors.ts'
import { NotFound } from '../../shell/trouble.tsx'
import { Notice } from '../../parts/notice.tsx'
import { wasRefusedOwnNetwork } from '../../parts/internal-names.ts'
import { PageHead, linkClass } from '../../parts/page.tsx'
import { usePasted } from '../../parts/pasted.ts'
import { usePrivateTargetChoice } from '../../session/use-installation.ts'
import { useRead, useWorkspace } from '../../session/workspace.tsx'
import { KindChoice } from './kind-choice.tsx'
import { kindTitle } from '../monitor/kinds.ts'
import { MonitorForm } from './monitor-form.tsx'
import { formsQuery, monitorKey, useMayWrite, useMonitors } from '../../session/use-monitors.ts'

/** First the kind, then its form. */
export function NewMonitorPage(): ReactNode {
  const { kind = '', from } = useSearch({ strict: false })
  const target = usePasted()
  const { data: forms } = useSuspenseQuery(formsQuery)
  const mayAllowPrivate = usePrivateTargetChoice()
  if (!useMayWrite()) return <OnlyRead title={t`A new monitor`} />
  if (from !== undefined) return <Copy key={from} id={from} forms={forms} />
  if (!isKindName(kind)) return <KindChoice forms={forms} />
  const title = kindTitle(kind)
  const lead = (
    <>
      {forms.kinds[kind].options.description}{' '}
      <Link to="/monitors/new" className={linkClass}>
        <Trans>Choose another kind</Trans>
      </Link>
    </>
  )
  return (
    <>
      <PageHead title={t`New monitor: ${title}`} lead={lead} />
      <MonitorForm
        key={`${kind} ${target ?? ''}`}
        of={{
          kind,
          forms,
          record: null,
          ...(target === undefined ? {} : { target }),
          mayAllowPrivate,
          wasRefusedPrivate: false,
        }}
      />
    </>
  )
}

/** A new monitor whose form is filled from another one; the service never tells secrets, so they stay behind. */
function Copy({ id, forms }: { id: string; forms: MonitorForms }): ReactNode {
  const monitors = useMonitors()
  const { data: detail } = useRead(monitorKey(id), { read: () => monitors.read(id) })
  const mayAllowPrivate = usePrivateTargetChoice()
  if (detail === null) return <NotFound />
  const { data: copied } = detail
  const { kind, name } = copied
  return (
    <>
      <PageHead title={t`New monitor like ${name}`} lead={kindTitle(kind)} />
      <div className="mb-4">
        <Notice>
          <Trans>
            Filled from <PageLink id={id} name={name} />. Secrets are not copied: enter passwords, tokens and request
            headers again. Its history stays with the original.
          </Trans>
        </Notice>
      </div>
      <MonitorForm of={{ kind, forms, record: null, copied, mayAllowPrivate, wasRefusedPrivate: false }} />
    </>
  )
}

function PageLink({ id, name }: { id: string; name: string }): ReactNode {
  return (
    <Link to="/monitors/$id" params={{ id }} className={linkClass}>
      {name}
    </Link>
  )
}

export function EditMonitorPage(): ReactNode {
  const { id = '' } = useParams({ strict: false })
  const monitors = useMonitors()
  const { data: forms } = useSuspenseQuery(formsQuery)
  const { data: detail } = useRead(monitorKey(id), { read: () => monitors.read(id) })
  const mayWrite = useMayWrite()
  const mayAllowPrivate = usePrivateTargetChoice()
  if (detail === null) return <NotFound />
  const { data: record, results } = detail
  const { name } = record
  const title = t`Change ${name}`
  if (!mayWrite) return <OnlyRead title={title} />
  const kind = kindTitle(record.kind)
  const [newest] = results
  const wasRefusedPrivate = newest !== undefined && wasRefusedOwnNetwork(newest)
  const lead = (
    <>
      <Trans>{kind}. A new target starts the monitor over.</Trans>{' '}
      <Link to="/monitors/$id" params={{ id }} className={linkClass}>
        <Trans>Back</Trans>
      </Link>
    </>
  )
  return (
    <>
      <PageHead title={title} lead={lead} />
      <MonitorForm key={record.id} of={{ kind: record.kind, forms, record, mayAllowPrivate, wasRefusedPrivate }} />
    </>
  )
}

function OnlyRead({ title }: { title: string }): ReactNode {
  const { name } = useWorkspace().workspace
  return (
    <>
      <PageHead title={title} />
      <Notice>
        <Trans>Viewers of {name} cannot change anything in it.</Trans>
      </Notice>
    </>
  )
}
