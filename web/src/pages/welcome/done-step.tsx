import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CopyText } from '../../parts/copy.tsx'
import { linkClass } from '../../parts/page.tsx'
import { settingsQuery } from '../../session/session.ts'
import { useWorkspace } from '../../session/workspace.tsx'
import type { MonitorList } from '../monitors/monitors-rows.ts'
import { type Progress, isStepDone, stepTitles, stepsFor } from './steps.ts'
import { Watched } from './watched.tsx'

type DoneProps = { list: MonitorList; progress: Progress }

/** How things are, what was left out, and what else there is. */
export function DoneStep({ list, progress }: DoneProps): ReactNode {
  return (
    <div className="flex flex-col gap-6">
      {list.rows.length > 0 && <Watched list={list} title={t`Watched now`} />}
      <Open progress={progress} />
      <Next />
    </div>
  )
}

function Open({ progress }: { progress: Progress }): ReactNode {
  const { workspace } = useWorkspace()
  const open = stepsFor(workspace.role).filter((step) => step !== 'done' && !isStepDone(step, progress))
  if (open.length === 0) return null
  return (
    <section aria-labelledby="open" className="flex flex-col gap-2">
      <h3 id="open" className="font-semibold">
        <Trans>Skipped so far</Trans>
      </h3>
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {open.map((step) => (
          <li key={step}>
            <Link to="/welcome" search={{ step }} className={linkClass}>
              {i18n._(stepTitles[step])}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Next(): ReactNode {
  const { isOwner } = useWorkspace()
  return (
    <section aria-labelledby="next" className="flex flex-col gap-3">
      <h3 id="next" className="font-semibold">
        <Trans>What else you can do</Trans>
      </h3>
      <ul className="grid gap-3 sm:grid-cols-2">
        {isOwner && (
          <Card to="/settings/members" title={t`Invite others`}>
            <Trans>Members can change things, viewers can only look at them.</Trans>
          </Card>
        )}
        {isOwner && (
          <Card to="/settings/tokens" title={t`API tokens`}>
            <Trans>For programs that create monitors and read results.</Trans>
          </Card>
        )}
        <Card to="/monitors/new" title={t`More kinds of monitors`}>
          <Trans>Heartbeats of jobs, certificates, mail servers, DNS, software and more.</Trans>
        </Card>
        <Card to="/maintenance" title={t`Maintenance`}>
          <Trans>Planned work, during which alerts rest.</Trans>
        </Card>
      </ul>
      <Models />
      <p className="text-sm text-muted">
        <Trans>
          Every operation of the API is described in its{' '}
          <a href="/reference" className={linkClass}>
            reference
          </a>
          .
        </Trans>
      </p>
    </section>
  )
}

function Card({
  to,
  title,
  children,
}: {
  to: NonNullable<LinkProps['to']>
  title: string
  children: ReactNode
}): ReactNode {
  return (
    <li>
      <Link to={to} className="block h-full rounded-lg border border-line px-4 py-3 hover:border-edge hover:bg-sunken">
        <span className="font-medium">{title}</span>
        <span className="block text-sm text-muted">{children}</span>
      </Link>
    </li>
  )
}

/** docs/mcp.md. */
function Models(): ReactNode {
  const { data: settings } = useSuspenseQuery(settingsQuery)
  const address = `${settings.public_url}/mcp`
  const line = `claude mcp add --transport http perigee ${address} --header "X-API-Key: $PERIGEE_TOKEN"`
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm text-muted">
        <Trans>
          Assistants such as Claude Code reach all of this by MCP at {address}, with an API token in{' '}
          <code>PERIGEE_TOKEN</code>:
        </Trans>
      </p>
      <CopyText label={t`Line for Claude Code`} text={line} />
    </div>
  )
}
