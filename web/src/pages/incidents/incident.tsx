import { passiveKinds } from '#core/monitors/kind-traits.ts'
import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode } from 'react'
import { ApiError } from '../../api/ask.ts'
import { type IncidentStory, overviewApi } from '../../api/overview.ts'
import { useLive } from '../../session/live.ts'
import { listed } from '../../parts/language.ts'
import { Empty, Row, Rows } from '../../parts/list.tsx'
import { PageHead, Section, actionsClass, linkClass } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { Awaited, Waiting } from '../../parts/waiting.tsx'
import { useRead, useWorkspace } from '../../session/workspace.tsx'
import { Evidence } from './evidence.tsx'
import { Assignee } from './assignee.tsx'
import { Comments } from './comments.tsx'
import { IncidentChart } from './incident-chart.tsx'
import { incidentWords } from './incident-filter.ts'
import { PostMortem } from './post-mortem.tsx'
import { Resolve } from './report-incident.tsx'
import { RunningFor } from './running-for.tsx'
import { IncidentStatus, Lasted, spanText } from './incident-parts.tsx'
import { PushOffer } from '../contacts/push-offer.tsx'
import { isHeld, isKept } from '../contacts/contact-words.ts'
import { nameOf } from '../results/chart-data.ts'
import { useMonitors } from '../../session/use-monitors.ts'
import { Acknowledge } from './running-incidents.tsx'
import { IncidentPosts } from '../status-pages/posts.tsx'

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
      {isProbed(story) && !story.by_hand && workspace.role !== 'viewer' && (
        <Awaited fallback={<Waiting />}>
          <Evidence incidentId={id} />
        </Awaited>
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
        {codes.length > 0 && <Fact name={t`Seen from`}>{listed(codes.map((code) => nameOf(code, locations)))}</Fact>}
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

function acknowledgedText({ actor, at }: Event, { started_at: startedAt }: IncidentStory): string {
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

type Event = IncidentStory['events'][number]

const eventNames: Readonly<Record<Event['type'], { name: MessageDescriptor; dot: string }>> = {
  opened: { name: msg({ message: 'Opened', context: 'incident' }), dot: 'bg-bad' },
  acknowledged: { name: incidentWords.acknowledged, dot: 'rotate-45 bg-warn' },
  resolved: { name: incidentWords.resolved, dot: 'rounded-full bg-good-bar' },
  alert_sent: { name: msg`Alert sent`, dot: 'rounded-full border-2 border-muted' },
  alert_failed: { name: msg`Alert failed`, dot: 'border-2 border-bad' },
  escalated: { name: msg`Escalated`, dot: 'rotate-45 border-2 border-warn' },
  assigned: { name: msg`Assigned`, dot: 'rounded-full bg-accent' },
  policy_changed: { name: msg`Escalation policy changed`, dot: 'rotate-45 border-2 border-line' },
  alert_withheld: { name: msg`Alert held back`, dot: 'rounded-full border-2 border-warn' },
  alert_dropped: { name: msg`No alert needed`, dot: 'rounded-full border-2 border-line' },
}

function Timeline({ story }: { story: IncidentStory }): ReactNode {
  return (
    <Section title={t`Timeline`}>
      <ol aria-label={t`Timeline`} className="ml-1 border-l border-line">
        {story.events.map((event) => {
          const { name, dot } = eventNames[event.type]
          return (
            <li key={event.id} className="relative pb-4 pl-5 last:pb-0">
              <span aria-hidden="true" className="absolute top-1.5 -left-1.5 bg-surface">
                <span className={`block size-3 ${dot}`} />
              </span>
              <p className="text-sm font-medium">{i18n._(name)}</p>
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
  const span = spanText(Date.parse(at) - Date.parse(startedAt))
  return t`${span} after it began`
}

const alertWords: Readonly<Record<string, MessageDescriptor>> = {
  'monitor.down': msg`Down alert`,
  'monitor.reminder': msg`Reminder`,
  'monitor.up': msg`Recovery alert`,
}

function alertText(type: string): string {
  const words = alertWords[type]
  return words === undefined ? t`Alert of ${type}` : i18n._(words)
}

function Deliveries({ story }: { story: IncidentStory }): ReactNode {
  return (
    <Section title={t`Alerts`} lead={t`One of each kind to every contact.`}>
      {story.deliveries.length === 0 && story.untold.length === 0 && (
        <Empty>
          <Trans>No one was alerted: the monitor was in maintenance, or had no contact that was switched on.</Trans>
        </Empty>
      )}
      <Rows label={t`Alerts`}>
        {story.deliveries.map((delivery) => (
          <Row
            key={delivery.id}
            title={`${delivery.contact_name} (${delivery.contact_kind})`}
            details={
              <>
                {alertText(delivery.type)} · <DeliveryState of={delivery} />
                {delivery.state !== 'delivered' && delivery.error !== null && ` · ${delivery.error}`}
              </>
            }
          />
        ))}
        {story.untold.map((contact) => (
          <Row
            key={contact.id}
            title={
              <Link to="/contacts/$id" params={{ id: contact.id }} className="hover:underline">
                {`${contact.name} (${contact.kind})`}
              </Link>
            }
            details={<span className="text-warn">{untoldText(contact.reason)}</span>}
          />
        ))}
      </Rows>
    </Section>
  )
}

function untoldText(reason: IncidentStory['untold'][number]['reason']): string {
  return reason === 'unconfirmed'
    ? t`Not alerted: the address is not confirmed yet.`
    : t`Not alerted: the contact is switched off.`
}

function DeliveryState({ of }: { of: IncidentStory['deliveries'][number] }): ReactNode {
  const { state, attempts, ended_at: ended, next_attempt_at: next } = of
  switch (state) {
    case 'delivered':
      if (isKept(of.contact_kind, of)) return t`kept in the outbox: no mail leaves this installation`
      if (ended === null) return t`delivered`
      return (
        <Trans>
          delivered <Time at={ended} />
        </Trans>
      )
    case 'failed':
      return (
        <span className="text-bad">
          {plural(attempts, { one: 'failed after # attempt', other: 'failed after # attempts' })}
        </span>
      )
    case 'dropped':
      return t`not sent: the incident was resolved or acknowledged before it was due`
    case 'pending':
      if (next === null) return t`held back while what its monitor depends on is down`
      if (isHeld(of))
        return (
          <Trans>
            held back until <Time at={next} />
          </Trans>
        )
      if (attempts === 0) return t`about to be sent`
      return plural(attempts, { one: '# attempt, trying again soon', other: '# attempts, trying again soon' })
  }
}
