import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { type IncidentRecord, overviewApi } from '../../api/overview.ts'
import { Button } from '../../parts/button.tsx'
import { problemOf } from '../../parts/problem.ts'
import { Ago } from '../../parts/time.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { usePushOffer } from '../../session/push-offer.ts'
import { useWorkspace } from '../../session/workspace.tsx'
import { PushOffer } from '../contacts/push-offer.tsx'
import { incidentWords } from './incident-filter.ts'

/** Where there are more, the others are folded: the list of monitors stays in sight. */
const shownIncidents = 3

type RunningProps = { incidents: readonly IncidentRecord[]; mayWrite: boolean; onChange: () => Promise<void> }

/** Open incidents, above everything else; incidents that no person has acknowledged come first. */
export function RunningIncidents({ incidents, mayWrite, onChange }: RunningProps): ReactNode {
  const [isWhole, setWhole] = useState(false)
  if (incidents.length === 0) return <PushOffer />
  const open = incidents.filter(({ status }) => status === 'open')
  const ordered = [...open, ...incidents.filter(({ status }) => status !== 'open')]
  const others = incidents.length - shownIncidents
  return (
    <>
      <section aria-label={t`Ongoing incidents`} className="mb-6 rounded-xl border border-bad/40 bg-surface">
        {incidents.length > 1 && (
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-4 py-2">
            <h2 className="text-sm font-medium">
              <Plural value={incidents.length} one="# ongoing incident" other="# ongoing incidents" />
            </h2>
            {mayWrite && open.length > 1 && <AcknowledgeAll incidents={open} onChange={onChange} />}
          </div>
        )}
        <ul className="divide-y divide-line">
          {(isWhole ? ordered : ordered.slice(0, shownIncidents)).map((incident) => (
            <Line key={incident.id} incident={incident} mayWrite={mayWrite} onChange={onChange} />
          ))}
        </ul>
        {others > 0 && (
          <p className="border-t border-line px-4 py-1.5">
            <Button look="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
              {isWhole ? t`Show fewer` : t`Show ${others} more`}
            </Button>
          </p>
        )}
      </section>
      <PushOffer />
    </>
  )
}

type LineProps = { incident: IncidentRecord; mayWrite: boolean; onChange: () => Promise<void> }

/** One line where there is room for one; the cause gives way first. */
function Line({ incident, mayWrite, onChange }: LineProps): ReactNode {
  const { id, title, cause, status } = incident
  return (
    <li className="flex items-center justify-between gap-x-4 px-4 py-1.5">
      <div className="flex min-w-0 grow flex-col gap-x-3 md:flex-row md:items-baseline">
        <Link
          to="/incidents/$id"
          params={{ id }}
          className="min-w-0 font-medium hover:underline max-md:wrap-anywhere md:max-w-[60%] md:shrink-0 md:truncate"
        >
          {title}
        </Link>
        <span className="shrink-0 text-sm text-muted">
          <Ago at={incident.started_at} />
          {incident.assignee !== null && <Has name={incident.assignee.name} />}
        </span>
        {cause !== null && (
          <span className="min-w-0 text-sm text-muted max-md:line-clamp-2 md:truncate" title={cause}>
            {cause}
          </span>
        )}
      </div>
      {status === 'open' ? (
        mayWrite && <Acknowledge incident={incident} onChange={onChange} />
      ) : (
        <span className="text-sm text-muted">{i18n._(incidentWords.acknowledged)}</span>
      )}
    </li>
  )
}

function Has({ name }: { name: string }): ReactNode {
  return (
    <>
      {' · '}
      <Trans>assigned to {name}</Trans>
    </>
  )
}

type AcknowledgeProps = { incident: IncidentRecord; onChange: () => Promise<void> }

export function Acknowledge({ incident, onChange }: AcknowledgeProps): ReactNode {
  const { workspace } = useWorkspace()
  const { title } = incident
  const toast = useToast()
  const { offer } = usePushOffer()
  const { mutate, isPending } = useMutation({
    mutationFn: () => overviewApi(workspace.id).acknowledge(incident.id),
    onSuccess: () => {
      toast(t`Acknowledged. The recovery alert is still sent.`)
      offer()
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

type AllProps = { incidents: readonly IncidentRecord[]; onChange: () => Promise<void> }

/** One after the other; the first refusal ends it, such as of a limit, and what was done stays done. */
function AcknowledgeAll({ incidents, onChange }: AllProps): ReactNode {
  const { workspace } = useWorkspace()
  const toast = useToast()
  const { offer } = usePushOffer()
  const { mutate, isPending } = useMutation({
    // The page learns of the first ones while others are under way, and then shows fewer.
    mutationFn: async (all: AllProps['incidents']) => {
      for (const { id } of all) await overviewApi(workspace.id).acknowledge(id)
    },
    onSuccess: (_, all) => {
      toast(
        plural(all.length, {
          one: '# incident acknowledged. The recovery alert is still sent.',
          other: '# incidents acknowledged. The recovery alerts are still sent.',
        }),
      )
      offer()
    },
    onError: (error) => toast(problemOf(error).message),
    onSettled: onChange,
  })
  return (
    <Button isBusy={isPending} onClick={() => mutate(incidents)}>
      <Trans>Acknowledge all</Trans>
    </Button>
  )
}
