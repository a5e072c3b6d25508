import { type ReactNode, useState } from 'react'
import type { LocationRecord, MonitorDetail, MonitorRecord, ResultRecord } from '../../api/monitors.ts'
import { DayBars, barOfDay } from '../../parts/bars.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { Empty, Row, Rows } from '../../parts/list.tsx'
import { Section } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { Ago, Time } from '../../parts/time.tsx'
import { useRead } from '../../workspace.tsx'
import { CallAddress } from './call-address.tsx'
import { Choice } from './choice.tsx'
import { durationText, milliseconds, percentText } from './details.ts'
import { IncidentRows } from './incidents.tsx'
import { isCalled } from './kinds.ts'
import { ResponseChart } from './response-chart.tsx'
import { resultsKey, useMayWrite, useMonitors } from './use-monitors.ts'

const newestIncidents = 3

export function Overview({ detail, everyMs }: { detail: MonitorDetail; everyMs: number }): ReactNode {
  const { data: monitor, incidents } = detail
  const { id, kind } = monitor
  const monitors = useMonitors()
  const { data: locations } = useRead('locations', { read: () => monitors.listLocations() })
  const { data: results, dataUpdatedAt: now } = useRead(resultsKey(id), {
    read: () => monitors.listResults(id),
    everyMs,
  })
  const mayWrite = useMayWrite()
  return (
    <>
      <Figures detail={detail} />
      {isCalled(kind) && mayWrite && <CallAddress monitor={monitor} isNew={results.length === 0} />}
      <History detail={detail} />
      <ResponseChart detail={detail} results={results} locations={locations} now={now} />
      {monitor.locations.length > 1 && <Places monitor={monitor} results={results} locations={locations} />}
      <Expiries monitor={monitor} />
      <Section title="Latest incidents">
        {incidents.length === 0 ? (
          <Empty>None.</Empty>
        ) : (
          <IncidentRows incidents={incidents.slice(0, newestIncidents)} />
        )}
      </Section>
    </>
  )
}

function Figures({ detail }: { detail: MonitorDetail }): ReactNode {
  const { data: monitor, uptime, days, results } = detail
  const figures = [
    { term: 'Uptime, 24 hours', text: percentText(uptime.day) },
    { term: '7 days', text: percentText(uptime.week) },
    { term: '30 days', text: percentText(uptime.month) },
    { term: '90 days', text: percentText(uptimeOf(days)) },
    {
      term: 'Response, 24 hours',
      text: uptime.average_latency_ms === null ? '–' : milliseconds(uptime.average_latency_ms),
    },
  ]
  const [newest] = results
  return (
    <section aria-label="Figures" className="mb-6 rounded-xl border border-line bg-surface px-5 py-4">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3 lg:grid-cols-5">
        {figures.map(({ term, text }) => (
          <div key={term}>
            <dt className="text-sm text-muted">{term}</dt>
            <dd className="text-xl font-semibold tabular-nums">{text}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-sm text-muted">
        {monitor.last_checked_at === null ? (
          'Not checked yet'
        ) : (
          <>
            Last {isCalled(monitor.kind) ? 'heard' : 'checked'} <Ago at={monitor.last_checked_at} />
          </>
        )}
        {` · every ${durationText(monitor.interval_seconds)}`}
        {newest !== undefined && newest.status !== 'up' && newest.error !== null && ` · ${newest.error}`}
      </p>
    </section>
  )
}

/** 100 × (checks − down) / checks, as the service counts it. */
function uptimeOf(days: MonitorDetail['days']): number | null {
  const checks = days.reduce((sum, day) => sum + day.checks, 0)
  const down = days.reduce((sum, day) => sum + day.down, 0)
  return checks === 0 ? null : (100 * (checks - down)) / checks
}

const spans = [
  { value: 'days', label: '90 days' },
  { value: 'all', label: 'All time' },
] as const

function History({ detail }: { detail: MonitorDetail }): ReactNode {
  const [span, setSpan] = useState<(typeof spans)[number]['value']>('days')
  const { unit, since, periods } = detail.all_time
  const isAll = span === 'all'
  const bars = isAll
    ? periods.map(({ from, checks, up, down }) =>
        barOfDay({ date: from, checks, down, restricted: checks - up - down }),
      )
    : detail.days.map(barOfDay)
  return (
    <Section
      title="History"
      lead={isAll ? `A bar a ${unit}, in UTC.` : 'A bar a day, in UTC.'}
      action={<Choice label="Span" options={spans} value={span} onChange={setSpan} />}
    >
      {bars.length === 0 || since === null ? (
        <Empty>Not checked yet.</Empty>
      ) : (
        <>
          <DayBars days={bars} label={isAll ? 'All time' : 'The last 90 days'} isExplorable className="h-10" />
          <p className="mt-2 flex justify-between text-xs text-muted">
            <span>{isAll ? <Time at={`${since}T12:00:00Z`} by="day" /> : '90 days ago'}</span>
            <span>Today</span>
          </p>
        </>
      )}
    </Section>
  )
}

type PlacesProps = { monitor: MonitorRecord; results: readonly ResultRecord[]; locations: readonly LocationRecord[] }

/** What each location saw last. */
function Places({ monitor, results, locations }: PlacesProps): ReactNode {
  return (
    <Section title="Locations">
      <Rows label="Locations">
        {monitor.locations.map((code) => {
          const last = results.find(({ location_code: at }) => at === code)
          const place = locations.find((location) => location.code === code)
          return (
            <Row
              key={code}
              title={place?.online === false ? `${place.name} (offline)` : (place?.name ?? code)}
              details={last === undefined ? 'Nothing yet' : <LastSeen result={last} />}
              action={<Status of={last?.status ?? 'pending'} />}
            />
          )
        })}
      </Rows>
    </Section>
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

/** What ends by itself: the certificate and the registration. */
function Expiries({ monitor }: { monitor: MonitorRecord }): ReactNode {
  const { cert_expires_at: cert, cert_issuer: issuer, domain_name: domain, domain_expires_at: until } = monitor
  if (cert === null && domain === null) return null
  return (
    <Section title="What expires">
      <Facts>
        {cert !== null && (
          <Fact term="Certificate">
            <Time at={cert} by="day" /> (<Ago at={cert} />){issuer !== null && ` · by ${issuer}`}
          </Fact>
        )}
        {domain !== null && (
          <Fact term="Domain">
            {domain} ·{' '}
            {until === null ? (
              'its registry publishes no end'
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
