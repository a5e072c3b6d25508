import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type IncidentRecord, overviewApi } from '../../api/overview.ts'
import { Button } from '../../parts/button.tsx'
import { problemOf } from '../../parts/problem.ts'
import { linkClass } from '../../parts/page.tsx'
import { Ago } from '../../parts/time.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useWorkspace } from '../../session/workspace.tsx'
import { incidentWords } from './incident-filter.ts'

const shownIncidents = 5

type RunningProps = { incidents: readonly IncidentRecord[]; mayWrite: boolean; onChange: () => Promise<void> }

/** Open incidents, above everything else; incidents that no person has acknowledged come first. */
export function RunningIncidents({ incidents, mayWrite, onChange }: RunningProps): ReactNode {
  if (incidents.length === 0) return null
  const open = incidents.filter(({ status }) => status === 'open')
  const ordered = [...open, ...incidents.filter(({ status }) => status !== 'open')]
  const others = incidents.length - shownIncidents
  return (
    <section aria-label={t`Running incidents`} className="mb-6 rounded-xl border border-bad/40 bg-surface">
      <ul className="divide-y divide-line">
        {ordered.slice(0, shownIncidents).map((incident) => (
          <li key={incident.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
            <div className="min-w-0 grow basis-60">
              <Link
                to="/incidents/$id"
                params={{ id: incident.id }}
                className="font-medium wrap-anywhere hover:underline"
              >
                {incident.title}
              </Link>
              <p className="text-sm text-muted wrap-anywhere">
                <Ago at={incident.started_at} />
                {incident.cause !== null && ` · ${incident.cause}`}
              </p>
            </div>
            {incident.status === 'open' ? (
              mayWrite && <Acknowledge incident={incident} onChange={onChange} />
            ) : (
              <span className="text-sm text-muted">{i18n._(incidentWords.acknowledged)}</span>
            )}
          </li>
        ))}
      </ul>
      {others > 0 && (
        <p className="border-t border-line px-4 py-2.5 text-sm">
          <Link to="/incidents" className={linkClass}>
            <Trans>{others} more</Trans>
          </Link>
        </p>
      )}
    </section>
  )
}

type AcknowledgeProps = { incident: IncidentRecord; onChange: () => Promise<void> }

export function Acknowledge({ incident, onChange }: AcknowledgeProps): ReactNode {
  const { workspace } = useWorkspace()
  const { title } = incident
  const toast = useToast()
  const { mutate, isPending } = useMutation({
    mutationFn: () => overviewApi(workspace.id).acknowledge(incident.id),
    onSuccess: () => {
      toast(t`Acknowledged. The alert of recovery still comes.`)
      return onChange()
    },
    onError: (error) => toast(problemOf(error).message),
  })
  return (
    <Button isBusy={isPending} aria-label={t`Acknowledge: ${title}`} onClick={() => mutate()}>
      <Trans>Acknowledge</Trans>
    </Button>
  )
}
