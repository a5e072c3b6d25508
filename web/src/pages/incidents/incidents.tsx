import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient, useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode } from 'react'
import { type IncidentFilter, type IncidentRecord, overviewApi } from '../../api/overview.ts'
import { useLive } from '../../session/live.ts'
import { Button } from '../../parts/button.tsx'
import { Empty, Row, Rows } from '../../parts/list.tsx'
import { ShowOlder } from '../../parts/older.tsx'
import { PageHead, Section } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { Awaited, Waiting } from '../../parts/waiting.tsx'
import { useMayWrite } from '../../session/use-monitors.ts'
import { useWorkspace } from '../../session/workspace.tsx'
import { PushOffer } from '../contacts/push-offer.tsx'
import { incidentFilters, incidentWords } from './incident-filter.ts'
import { IncidentStatus, Lasted } from './incident-parts.tsx'
import { ReportIncident } from './report-incident.tsx'
import { Acknowledge } from './running-incidents.tsx'

export function IncidentsPage(): ReactNode {
  const { status = 'all' } = useSearch({ from: '/inside/shell/incidents' })
  const navigate = useNavigate()
  const choose = (next: IncidentFilter): void =>
    void navigate({ to: '/incidents', search: next === 'all' ? {} : { status: next }, replace: true })
  return (
    <>
      <PageHead
        title={t`Incidents`}
        lead={t`When monitors were down, the newest first.`}
        action={useMayWrite() && <ReportIncident />}
      />
      <PushOffer />
      <div role="group" aria-label={t`Status`} className="mb-4 flex flex-wrap gap-2">
        {incidentFilters.map((value) => (
          <Button key={value} aria-pressed={value === status} onClick={() => choose(value)}>
            {i18n._(incidentWords[value])}
          </Button>
        ))}
      </div>
      <Awaited fallback={<Waiting />}>
        <Incidents status={status} />
      </Awaited>
    </>
  )
}

/** For reading again where no stream tells changes. */
const readAgainMs = 15_000

const nothing: Readonly<Record<IncidentFilter, MessageDescriptor>> = {
  all: msg`No monitor has been down yet.`,
  open: msg`None is open.`,
  acknowledged: msg`None is acknowledged and still ongoing.`,
  resolved: msg`None has been resolved yet.`,
}

function Incidents({ status }: { status: IncidentFilter }): ReactNode {
  const { workspace } = useWorkspace()
  const client = useQueryClient()
  const name = ['workspace', workspace.id, 'incident-pages']
  const readAgain = (): Promise<void> => client.invalidateQueries({ queryKey: name })
  const live = useLive({
    onBegin: () => void readAgain(),
    onMessage: ({ incidents }) => {
      if (incidents !== null) void readAgain()
    },
  })
  const pages = useSuspenseInfiniteQuery({
    queryKey: [...name, status],
    queryFn: ({ pageParam }) => overviewApi(workspace.id).pageIncidents(status, pageParam),
    initialPageParam: '',
    getNextPageParam: (page): string | null => page.next_cursor,
    refetchInterval: live === 'live' ? false : readAgainMs,
  })
  const incidents = pages.data.pages.flatMap(({ data }) => data)
  return (
    <Section title={i18n._(incidentWords[status])}>
      {incidents.length === 0 && <Empty>{i18n._(nothing[status])}</Empty>}
      <Rows label={t`Incidents`}>
        {incidents.map((incident) => (
          <Incident key={incident.id} incident={incident} onChange={readAgain} />
        ))}
      </Rows>
      <ShowOlder pages={pages} />
    </Section>
  )
}

function Incident({ incident, onChange }: { incident: IncidentRecord; onChange: () => Promise<void> }): ReactNode {
  const { workspace } = useWorkspace()
  const { id, title, cause, started_at: startedAt, status } = incident
  const who = incident.assignee?.name ?? ''
  const mayAcknowledge = status === 'open' && workspace.role !== 'viewer'
  return (
    <Row
      title={
        <span className="flex items-start justify-between gap-3">
          <Link to="/incidents/$id" params={{ id }} className="hover:underline">
            {title}
          </Link>
          <IncidentStatus of={status} />
        </span>
      }
      details={
        <>
          <Time at={startedAt} /> · <Lasted incident={incident} />
          {incident.assignee !== null && (
            <>
              {' · '}
              <Trans>assigned to {who}</Trans>
            </>
          )}
          {cause !== null && ` · ${cause}`}
        </>
      }
      action={mayAcknowledge ? <Acknowledge incident={incident} onChange={onChange} /> : undefined}
    />
  )
}
