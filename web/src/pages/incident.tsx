import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ApiError } from '../api/ask.ts'
import { type IncidentStory, overviewApi } from '../api/overview.ts'
import { useLive } from '../live.ts'
import { Empty, Row, Rows } from '../parts/list.tsx'
import { PageHead, Section, linkClass } from '../parts/page.tsx'
import { Time } from '../parts/time.tsx'
import { useWorkspace } from '../workspace.tsx'
import { IncidentStatus, Lasted, spanText } from './incident-parts.tsx'
import { Acknowledge } from './monitors-incidents.tsx'
import { IncidentPosts } from './status-page-posts.tsx'

/** Alerts are sent, and tried again, without anything else changing. */
const readAgainMs = 15_000

export function IncidentPage(): ReactNode {
  const { id } = useParams({ from: '/inside/shell/incidents/$id' })
  const { workspace } = useWorkspace()
  const client = useQueryClient()
  const queryKey = ['workspace', workspace.id, 'incident', id]
  const { data: story } = useSuspenseQuery({
    queryKey,
    queryFn: () => overviewApi(workspace.id).readStory(id).catch(nullForMissing),
    refetchInterval: readAgainMs,
  })
  const readAgain = (): Promise<void> => client.invalidateQueries({ queryKey })
  useLive({
    onBegin: () => void readAgain(),
    onMessage: ({ incidents }) => {
      if (incidents !== null) void readAgain()
    },
  })
  if (story === null) return <Missing />
  const mayAcknowledge = story.status === 'open' && workspace.role !== 'viewer'
  return (
    <>
      <PageHead
        title={story.title}
        lead={<Lead story={story} />}
        {...(mayAcknowledge ? { action: <Acknowledge incident={story} onChange={readAgain} /> } : {})}
      />
      <Facts story={story} />
      <Timeline story={story} />
      <IncidentPosts incidentId={id} />
      <Deliveries story={story} />
    </>
  )
}

/** One that there is not, or not in this workspace: links of mails lead to whichever was looked at last. */
function Missing(): ReactNode {
  const { workspace, all } = useWorkspace()
  return (
    <>
      <PageHead title="There is no such incident" lead={`It is not in ${workspace.name}, or it is gone.`} />
      {all.length > 1 && (
        <p className="mb-4 text-muted">It may be in another one of your workspaces: choose it above.</p>
      )}
      <Link to="/incidents" className={linkClass}>
        To the incidents
      </Link>
    </>
  )
}

function nullForMissing(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) return null
  throw error
}

function Lead({ story }: { story: IncidentStory }): ReactNode {
  return (
    <span className="flex flex-wrap items-center gap-3">
      <IncidentStatus of={story.status} />
      <span>
        <Lasted incident={story} />
      </span>
    </span>
  )
}

function Facts({ story }: { story: IncidentStory }): ReactNode {
  const { monitor, monitor_id: id, location_codes: locations, cause } = story
  const acknowledged = story.events.find(({ type }) => type === 'acknowledged')
  return (
    <Section title="What happened">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2 text-sm">
        <Fact name="Monitor">
          {monitor === null ? (
            `${story.monitor_name}, which was deleted`
          ) : (
            <Link to="/monitors/$id" params={{ id }} className={linkClass}>
              {monitor.name}
            </Link>
          )}
          {monitor?.url !== null && monitor?.url !== undefined && <span className="text-muted"> · {monitor.url}</span>}
        </Fact>
        {cause !== null && <Fact name="Cause">{cause}</Fact>}
        <Fact name="Began">
          <Time at={story.started_at} />
        </Fact>
        {locations.length > 0 && <Fact name="Seen from">{locations.join(', ')}</Fact>}
        {acknowledged !== undefined && (
          <Fact name="Acknowledged">
            {acknowledged.actor ?? 'by the service'}, after{' '}
            {spanText(Date.parse(acknowledged.at) - Date.parse(story.started_at))}
          </Fact>
        )}
        {story.resolved_at !== null && (
          <Fact name="Resolved">
            <Time at={story.resolved_at} />
          </Fact>
        )}
      </dl>
    </Section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </>
  )
}

type Event = IncidentStory['events'][number]

const eventNames: Readonly<Record<Event['type'], { name: string; dot: string }>> = {
  opened: { name: 'Opened', dot: 'bg-bad' },
  acknowledged: { name: 'Acknowledged', dot: 'rotate-45 bg-warn' },
  resolved: { name: 'Resolved', dot: 'rounded-full bg-good-bar' },
  alert_sent: { name: 'Alert sent', dot: 'rounded-full border-2 border-muted' },
  alert_failed: { name: 'Alert failed', dot: 'border-2 border-bad' },
}

function Timeline({ story }: { story: IncidentStory }): ReactNode {
  return (
    <Section title="Timeline">
      <ol aria-label="Timeline" className="ml-1 border-l border-line">
        {story.events.map((event) => {
          const { name, dot } = eventNames[event.type]
          return (
            <li key={event.id} className="relative pb-4 pl-5 last:pb-0">
              <span aria-hidden="true" className="absolute top-1.5 -left-1.5 bg-surface">
                <span className={`block size-3 ${dot}`} />
              </span>
              <p className="text-sm font-medium">{name}</p>
              <p className="text-sm wrap-anywhere">{event.message}</p>
              <p className="text-xs text-muted">
                <Time at={event.at} />
                {event.type !== 'opened' && ` · ${afterText(event, story)}`}
              </p>
            </li>
          )
        })}
      </ol>
    </Section>
  )
}

function afterText({ at }: Event, { started_at: startedAt }: IncidentStory): string {
  return `${spanText(Date.parse(at) - Date.parse(startedAt))} after it began`
}

const alertNames: Readonly<Record<string, string>> = { 'monitor.down': 'down', 'monitor.up': 'recovery' }

function Deliveries({ story }: { story: IncidentStory }): ReactNode {
  return (
    <Section title="Alerts" lead="One of each kind to every contact.">
      {story.deliveries.length === 0 && (
        <Empty>Nobody was alerted: the monitor was in maintenance, or had no contact that was switched on.</Empty>
      )}
      <Rows label="Alerts">
        {story.deliveries.map((delivery) => (
          <Row
            key={delivery.id}
            title={`${delivery.contact_name} (${delivery.contact_kind})`}
            details={
              <>
                Alert of {alertNames[delivery.type] ?? delivery.type} · <DeliveryState of={delivery} />
                {delivery.state !== 'delivered' && delivery.error !== null && ` · ${delivery.error}`}
              </>
            }
          />
        ))}
      </Rows>
    </Section>
  )
}

function DeliveryState({ of }: { of: IncidentStory['deliveries'][number] }): ReactNode {
  const attempts = `${of.attempts} attempt${of.attempts === 1 ? '' : 's'}`
  switch (of.state) {
    case 'delivered':
      return <>delivered {of.ended_at !== null && <Time at={of.ended_at} />}</>
    case 'failed':
      return <span className="text-bad">failed after {attempts}</span>
    case 'pending':
      return <>{of.attempts === 0 ? 'about to be sent' : `${attempts}, tried again soon`}</>
  }
}
