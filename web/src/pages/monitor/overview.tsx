import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, Suspense, lazy, useState } from 'react'
import type { LocationRecord, MonitorDetail, MonitorRecord, ResultRecord } from '../../api/monitors.ts'
import { type BarDay, DayBars, barOfDay } from '../../parts/bars.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { Empty, Row, Rows } from '../../parts/list.tsx'
import { Section } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { Ago, Time, useNow } from '../../parts/time.tsx'
import { Awaited } from '../../parts/waiting.tsx'
import { sinceWatched } from '../../parts/watched.ts'
import { useChanged, useRead } from '../../session/workspace.tsx'
import { RunningIncidents } from '../incidents/running-incidents.tsx'
import { timeOfBar } from '../results/chart-range.ts'
import { Choice } from './choice.tsx'
import { Guidance } from './guidance.tsx'
import { intervalText, milliseconds, percentText } from './details.ts'
import { HeatMap } from '../results/heat-map.tsx'
import { IncidentRows, NoIncidents } from './incidents.tsx'
import { isCalled, isProbed } from './kinds.ts'
import { Pulse, usePulse } from '../results/pulse.tsx'
import { ResponseChart } from '../results/response-chart.tsx'
import { Unknown } from './unknown.tsx'
import { uptimeFigures, watchedInsteadOf, watchedSinceOf } from '../results/uptime-figures.ts'
import { monitorKey, resultsKey, useMayWrite, useMonitors } from '../../session/use-monitors.ts'

const CallAddress = lazy(async () => ({ default: (await import('./call-address.tsx')).CallAddress }))

const CallRhythm = lazy(async () => ({ default: (await import('./call-address.tsx')).CallRhythm }))

const ViewsLink = lazy(async () => ({ default: (await import('../incidents/views.tsx')).ViewsLink }))
const LocationViews = lazy(async () => ({ default: (await import('../incidents/views.tsx')).LocationViews }))

const newestIncidents = 3

export function Overview({ detail, everyMs }: { detail: MonitorDetail; everyMs: number }): ReactNode {
  const { data: monitor, incidents } = detail
  const { id, kind } = monitor
  const monitors = useMonitors()
  const { data: locations } = useRead('locations', { read: () => monitors.listLocations() })
  const { isWaiting, pulseMs } = usePulse(detail, everyMs)
  const mayWrite = useMayWrite()
  const isCompared = useCompared(monitor)
  return (
    <>
      <Unknown monitor={monitor} locations={locations} />
      <Running detail={detail} mayWrite={mayWrite} />
      <Guidance monitor={monitor} />
      <Figures detail={detail} />
      {isWaiting && (
        <MoreResults of={id} everyMs={pulseMs}>
          {(results) => <Pulse monitor={monitor} results={results} locations={locations} />}
        </MoreResults>
      )}
      {isCalled(kind) && mayWrite && (
        <Suspense>
          <CallAddress monitor={monitor} isNew={detail.results.length === 0} />
        </Suspense>
      )}
      <History detail={detail} />
      {isMeasured(detail) && <ResponseChart detail={detail} locations={locations} everyMs={everyMs} />}
      {isMeasured(detail) && <HeatMap detail={detail} />}
      {!isWaiting && monitor.locations.length > 1 && <Places detail={detail} locations={locations} everyMs={everyMs} />}
      {isCompared && (
        <Suspense>
          <LocationViews monitorId={id} />
        </Suspense>
      )}
      <Expiries monitor={monitor} />
      <Section title={t`Latest incidents`}>
        {incidents.length === 0 ? <NoIncidents /> : <IncidentRows incidents={incidents.slice(0, newestIncidents)} />}
      </Section>
    </>
  )
}

/** Whether what its locations see is kept for the person to compare. */
function useCompared({ keep_evidence: isKept, locations }: MonitorRecord): boolean {
  return useMayWrite() && isKept && locations.length > 1
}

/** An incident that runs stands above everything else. */
function Running({ detail, mayWrite }: { detail: MonitorDetail; mayWrite: boolean }): ReactNode {
  const changed = useChanged()
  const running = detail.incidents.filter(({ status }) => status !== 'resolved')
  return (
    <RunningIncidents incidents={running} mayWrite={mayWrite} onChange={() => changed(monitorKey(detail.data.id))} />
  )
}

function Figures({ detail }: { detail: MonitorDetail }): ReactNode {
  const { data: monitor, uptime, results } = detail
  const now = useNow()
  const response = watchedInsteadOf(detail, { days: 1, now }) === null ? t`Response, 24 hours` : t`Response`
  const figures = [
    ...uptimeFigures(detail, now).map(({ term, percent }) => ({ term, text: percentText(percent) })),
    ...(isMeasured(detail) ? [{ term: response, text: meanText(uptime.average_latency_ms) }] : []),
  ]
  const [newest] = results
  const isCompared = useCompared(monitor)
  return (
    <section aria-label={t`Figures`} className="mb-6 rounded-xl border border-line bg-surface px-5 py-4">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3 lg:grid-cols-5">
        {figures.map(({ term, text }) => (
          <div key={term}>
            <dt className="text-sm text-muted">{term}</dt>
            <dd className="text-xl font-semibold tabular-nums">{text}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-sm text-muted">
        <LastChecked monitor={monitor} />
        {' · '}
        {'schedule' in monitor.check_options ? (
          <Suspense>
            <CallRhythm monitor={monitor} />
          </Suspense>
        ) : (
          intervalText(monitor.interval_seconds)
        )}
        {newest !== undefined && newest.status !== 'up' && newest.error !== null && ` · ${newest.error}`}
        {isCompared && (
          <Suspense>
            <ViewsLink monitorId={monitor.id} />
          </Suspense>
        )}
      </p>
    </section>
  )
}

/** Every check takes a time. Of calls it is known where a job says when it starts, of groups never. */
function isMeasured({ data: { kind }, days, uptime }: MonitorDetail): boolean {
  return isProbed(kind) || uptime.average_latency_ms !== null || days.some(({ p50_ms: median }) => median !== null)
}

function meanText(ms: number | null): string {
  return ms === null ? '–' : milliseconds(ms)
}

function LastChecked({ monitor: { kind, last_checked_at: at } }: { monitor: MonitorRecord }): ReactNode {
  if (at === null) return isCalled(kind) ? t`Not called yet` : t`Not checked yet`
  return isCalled(kind) ? (
    <Trans>
      Last call <Ago at={at} />
    </Trans>
  ) : (
    <Trans>
      Last checked <Ago at={at} />
    </Trans>
  )
}

const barWords: Readonly<Record<MonitorDetail['all_time']['unit'], MessageDescriptor>> = {
  day: msg`A bar a day, in UTC.`,
  week: msg`A bar a week, in UTC.`,
  month: msg`A bar a month, in UTC.`,
}

function History({ detail }: { detail: MonitorDetail }): ReactNode {
  const [span, setSpan] = useState<'days' | 'all'>('days')
  const spans = [
    { value: 'days', label: t`90 days` },
    { value: 'all', label: t`All time` },
  ] as const
  const { unit, since, periods } = detail.all_time
  const watched = watchedSinceOf(detail)
  const isAll = span === 'all'
  const begin = watchedInsteadOf(detail, { days: 90, now: useNow() }) ?? t`90 days ago`
  const bars = isAll
    ? periods.map(({ from, checks, up, down }) =>
        barOfDay({ date: from, checks, down, restricted: checks - up - down }),
      )
    : sinceWatched(detail.days.map(barOfDay), watched)
  const navigate = useNavigate()
  const open = ({ date }: BarDay): void => {
    const time = timeOfBar(date, isAll ? unit : 'day')
    void navigate({ to: '/monitors/$id/time', params: { id: detail.data.id }, search: time })
  }
  return (
    <Section
      title={t`History`}
      lead={i18n._(barWords[isAll ? unit : 'day'])}
      action={<Choice label={t`Span`} options={spans} value={span} onChange={setSpan} />}
    >
      {bars.length === 0 || since === null ? (
        <Empty>
          <Trans>Not checked yet.</Trans>
        </Empty>
      ) : (
        <>
          <DayBars
            days={bars}
            label={isAll ? t`All time` : t`The last 90 days`}
            isExplorable
            onOpen={open}
            className="h-10"
          />
          <p className="mt-2 flex justify-between text-xs text-muted">
            <span>{isAll ? <Time at={`${since}T12:00:00Z`} by="day" /> : begin}</span>
            <span>
              <Trans>Today</Trans>
            </span>
          </p>
          {detail.imported !== undefined && <Imported days={detail.imported} />}
        </>
      )}
    </Section>
  )
}

function Imported({ days: { source, to } }: { days: NonNullable<MonitorDetail['imported']> }): ReactNode {
  return (
    <p className="mt-2 text-xs text-muted">
      <Trans>
        Days up to <Time at={`${to}T12:00:00Z`} by="day" /> were counted by {source} and imported.
      </Trans>
    </p>
  )
}

type MoreProps = { of: string; everyMs: number; children: (results: readonly ResultRecord[]) => ReactNode }

/** What is shown of more results than come along with the monitor. The rest of the page does not wait for it. */
function MoreResults(props: MoreProps): ReactNode {
  return (
    <Awaited>
      <ReadResults {...props} />
    </Awaited>
  )
}

function ReadResults({ of: id, everyMs, children }: MoreProps): ReactNode {
  const monitors = useMonitors()
  const { data: results } = useRead(resultsKey(id), { read: () => monitors.listResults(id), everyMs })
  return children(results)
}

type PlacesProps = { detail: MonitorDetail; locations: readonly LocationRecord[]; everyMs: number }

/** The last result of each location. Of one that has been silent for long it is among the older ones. */
function Places({ detail: { data: monitor, results }, locations, everyMs }: PlacesProps): ReactNode {
  const isAmong = (code: string): boolean => results.some(({ location_code: at }) => at === code)
  const isWhole = monitor.locations.every(isAmong)
  const rows = (of: readonly ResultRecord[]): ReactNode => (
    <Rows label={t`Locations`}>
      {monitor.locations.map((code) => {
        const place = locations.find((location) => location.code === code)
        return <Place key={code} code={code} place={place} last={of.find(({ location_code: at }) => at === code)} />
      })}
    </Rows>
  )
  return (
    <Section title={t`Locations`}>
      {isWhole ? (
        rows(results)
      ) : (
        <MoreResults of={monitor.id} everyMs={everyMs}>
          {rows}
        </MoreResults>
      )}
    </Section>
  )
}

type PlaceProps = { code: string; place: LocationRecord | undefined; last: ResultRecord | undefined }

function Place({ code, place, last }: PlaceProps): ReactNode {
  const name = place?.name ?? code
  return (
    <Row
      title={place?.online === false ? t`${name} (offline)` : name}
      details={last === undefined ? t`Nothing yet` : <LastSeen result={last} />}
      action={<Status of={last?.status ?? 'pending'} />}
    />
  )
}

function LastSeen({ result }: { result: ResultRecord }): ReactNode {
  const { latency_ms: latency, error, checked_at: at, last_checked_at: last } = result
  return (
    <>
      <Ago at={last ?? at} />
      {latency !== null && ` · ${milliseconds(latency)}`}
      {error !== null && ` · ${error}`}
    </>
  )
}

/** The ends of the certificate and of the registration. */
function Expiries({ monitor }: { monitor: MonitorRecord }): ReactNode {
  const { cert_expires_at: cert, cert_issuer: issuer, domain_name: domain, domain_expires_at: until } = monitor
  if (cert === null && domain === null) return null
  return (
    <Section title={t`What expires`}>
      <Facts>
        {cert !== null && (
          <Fact term={t`Certificate`}>
            <Time at={cert} by="day" /> (<Ago at={cert} />){issuer !== null && ` · ${t`by ${issuer}`}`}
          </Fact>
        )}
        {domain !== null && (
          <Fact term={t`Domain`}>
            {domain} ·{' '}
            {until === null ? (
              t`its registry publishes no end date`
            ) : (
              <>
                <Time at={until} by="day" /> (<Ago at={until} />)
              </>
            )}
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
