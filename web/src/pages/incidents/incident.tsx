import { passiveKinds } from '#core/monitors/kind-traits.ts'
import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, Suspense, lazy } from 'react'
import { ApiError } from '../../api/ask.ts'
import { type IncidentStory, overviewApi } from '../../api/overview.ts'
import { useLive } from '../../session/live.ts'
import { listed } from '../../parts/language.ts'
import { PageHead, Section, actionsClass, linkClass } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { Awaited, Waiting } from '../../parts/waiting.tsx'
import { useRead, useWorkspace } from '../../session/workspace.tsx'
import { Evidence } from './evidence.tsx'
import { Assignee } from './assignee.tsx'
import { Comments } from './comments.tsx'
import { Deliveries } from './incident-deliveries.tsx'
import { IncidentChart } from './incident-chart.tsx'
import { type IncidentEvent, Timeline } from './incident-timeline.tsx'
import { incidentWords } from './incident-filter.ts'
import { PostMortem } from './post-mortem.tsx'
import { Resolve } from './report-incident.tsx'
import { RunningFor } from './running-for.tsx'
import { IncidentStatus, Lasted, spanText } from './incident-parts.tsx'
import { PushOffer } from '../contacts/push-offer.tsx'
import { nameOf } from '../results/chart-data.ts'
import { useMayWrite, useMonitors } from '../../session/use-monitors.ts'
import { Acknowledge } from './running-incidents.tsx'
import { IncidentPosts } from '../status-pages/posts.tsx'

const ViewsLink = lazy(async () => ({ default: (await import('./views.tsx')).ViewsLink }))
const LocationViews = lazy(async () => ({ default: (await import('./views.tsx')).LocationViews }))

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
  return (
    <>
      <PageHead
        title={story.title}
        lead={<Lead story={story} />}
        action={workspace.role !== 'viewer' && <Actions story={story} onChange={readAgain} />}
      />
      <PushOffer />
      <Facts story={story} onChange={readAgain} />
      {isProbed(story) && <Chart story={story} />}
      {hasEvidence(story) && workspace.role !== 'viewer' && (
        <Awaited fallback={<Waiting />}>
          <Evidence incidentId={id} />
        </Awaited>
      )}
      {isCompared(story) && workspace.role !== 'viewer' && (
        <Suspense>
          <LocationViews monitorId={story.monitor_id} incidentId={id} />
        </Suspense>
      )}
      <Timeline story={story} />
      <Comments incidentId={id} />
      <IncidentPosts incidentId={id} />
      <Deliveries story={story} />
    </>
  )
}

function Actions({ story, onChange }: { story: IncidentStory; onChange: () => Promise<void> }): ReactNode {
  return (
    <span className={actionsClass}>
      {story.status === 'open' && <Acknowledge incident={story} onChange={onChange} />}
      {story.by_hand && story.status !== 'resolved' && <Resolve id={story.id} onChange={onChange} />}
      {story.status === 'resolved' && <PostMortem story={story} />}
    </span>
  )
}

/** What is kept of a monitor goes with it, and of calls and groups nothing is. */
function isProbed({ monitor }: IncidentStory): boolean {
  return monitor !== null && !passive.has(monitor.kind)
}

/** What locations see is compared, where there are several. */
function isCompared(story: IncidentStory): boolean {
  return isProbed(story) && hasEvidence(story)
}

/** Of a job it is the log. */
function hasEvidence({ monitor, by_hand: isByHand }: IncidentStory): boolean {
  return !isByHand && monitor !== null && monitor.kind !== 'group'
}

const passive: ReadonlySet<string> = new Set(passiveKinds)

/** One that there is not, or not in this workspace: links of mails lead to whichever was looked at last. */
function Missing(): ReactNode {
  const { workspace, all } = useWorkspace()
  const { name } = workspace
  return (
    <>
      <PageHead title={t`There is no such incident`} lead={t`It is not in ${name}, or it was deleted.`} />
      {all.length > 1 && (
        <p className="mb-4 text-muted">
          <Trans>It may be in another one of your workspaces: choose it above.</Trans>
        </p>
      )}
      <Link to="/incidents" className={linkClass}>
        <Trans>To the incidents</Trans>
      </Link>
    </>
  )
}

function nullForMissing(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) return null
  throw error
}

function Lead({ story }: { story: IncidentStory }): ReactNode {
  const { status, started_at: startedAt } = story
  return (
    <span className="flex flex-wrap items-center gap-3">
      <IncidentStatus of={status} />
      {status === 'resolved' ? (
        <span>
          <Lasted incident={story} />
        </span>
      ) : (
        <RunningFor since={startedAt} />
      )}
    </span>
  )
}

function Chart({ story }: { story: IncidentStory }): ReactNode {
  const monitors = useMonitors()
  const { data: locations } = useRead('locations', { read: () => monitors.listLocations() })
  return <IncidentChart story={story} locations={locations} />
}

function Facts({ story, onChange }: { story: IncidentStory; onChange: () => Promise<void> }): ReactNode {
  const { monitor, monitor_id: id, monitor_name: name, location_codes: codes, cause } = story
  const monitors = useMonitors()
  const { data: locations } = useRead('locations', { read: () => monitors.listLocations() })
  const mayWrite = useMayWrite()
  const acknowledged = story.events.find(({ type }) => type === 'acknowledged')
  return (
    <Section title={t`What happened`}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2 text-sm">
        <Fact name={t`Monitor`}>
          {monitor === null ? (
            t`${name}, which was deleted`
          ) : (
            <Link to="/monitors/$id" params={{ id }} className={linkClass}>
              {monitor.name}
            </Link>
          )}
          {monitor?.url !== null && monitor?.url !== undefined && <span className="text-muted"> · {monitor.url}</span>}
        </Fact>
        {cause !== null && <Fact name={t`Cause`}>{cause}</Fact>}
        <Fact name={t`Began`}>
          <Time at={story.started_at} />
        </Fact>
        {codes.length > 0 && (
          <Fact name={t`Seen from`}>
            {listed(codes.map((code) => nameOf(code, locations)))}
            {isCompared(story) && mayWrite && (
              <Suspense>
                <ViewsLink monitorId={id} incidentId={story.id} />
              </Suspense>
            )}
          </Fact>
        )}
        {acknowledged !== undefined && (
          <Fact name={i18n._(incidentWords.acknowledged)}>{acknowledgedText(acknowledged, story)}</Fact>
        )}
        <Fact name={t`Assigned to`}>
          <Assignee incident={story} onChange={onChange} />
        </Fact>
        <HeldBack story={story} />
        {story.resolved_at !== null && (
          <Fact name={i18n._(incidentWords.resolved)}>
            <Time at={story.resolved_at} />
          </Fact>
        )}
      </dl>
    </Section>
  )
}

/** By whose outage alerts of this one are held back now. */
function HeldBack({ story }: { story: IncidentStory }): ReactNode {
  const isHeldBack = story.deliveries.some(({ state, next_attempt_at: next }) => state === 'pending' && next === null)
  const details = story.events.findLast(({ type }) => type === 'alert_withheld')?.details
  const id = details?.['parent_incident_id']
  if (!isHeldBack || typeof id !== 'string') return null
  return (
    <Fact name={t`Alerts held back`}>
      <Link to="/incidents/$id" params={{ id }} className={linkClass}>
        <Trans>by the outage of what it depends on</Trans>
      </Link>
    </Fact>
  )
}

function acknowledgedText({ actor, at }: IncidentEvent, { started_at: startedAt }: IncidentStory): string {
  const span = spanText(Date.parse(at) - Date.parse(startedAt))
  return actor === null ? t`by the service, after ${span}` : t`${actor}, after ${span}`
}

function Fact({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </>
  )
}
