import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode } from 'react'
import type { MonitorDetail } from '../../api/monitors.ts'
import { Empty } from '../../parts/list.tsx'
import { PageHead, Section, actionsClass, linkClass } from '../../parts/page.tsx'
import { TimeRange, timeText, useNow } from '../../parts/time.tsx'
import { Awaited, Waiting } from '../../parts/waiting.tsx'
import { monitorKey, resultPageKey, useMayWrite, useMonitors } from '../../session/use-monitors.ts'
import { useRead } from '../../session/workspace.tsx'
import { NotFound } from '../../shell/trouble.tsx'
import { type Chosen, moved, readChosen, wider } from './chart-range.ts'
import { isProbed } from '../monitor/kinds.ts'
import { Lanes } from './lanes.tsx'
import { ResultRows } from './result-rows.tsx'
import { TimeIncident } from './time-incident.tsx'

/** What there is to know of a monitor's past time: every bar and every point of its page leads here. */
export function TimePage(): ReactNode {
  const { id = '' } = useParams({ strict: false })
  const chosen = readChosen(useSearch({ strict: false }))
  const monitors = useMonitors()
  const { data: detail } = useRead(monitorKey(id), { read: () => monitors.read(id) })
  if (detail === null || chosen === null) return <NotFound />
  const { name } = detail.data
  const from = timeText(chosen.since)
  return (
    <>
      <PageHead
        title={t`${name}, ${from}`}
        lead={<TimeRange from={chosen.since} to={chosen.until} />}
        action={<Ways id={id} chosen={chosen} />}
      />
      <Awaited key={`${chosen.since} ${chosen.until}`} fallback={<Waiting />}>
        <Found detail={detail} chosen={chosen} />
      </Awaited>
    </>
  )
}

/** The same time before and after, and the chart around it. */
function Ways({ id, chosen }: { id: string; chosen: Chosen }): ReactNode {
  const [earlier, later] = [moved(chosen, -1), moved(chosen, 1)]
  const hasLater = Date.parse(later.since) < useNow()
  const to = { to: '/monitors/$id/time', params: { id }, className: wayClass } as const
  return (
    <nav aria-label={t`Other times`} className={actionsClass}>
      <Link {...to} search={earlier}>
        <Trans>Earlier</Trans>
      </Link>
      {hasLater && (
        <Link {...to} search={later}>
          <Trans>Later</Trans>
        </Link>
      )}
      <Link to="/monitors/$id" params={{ id }} search={wider(chosen, Date.parse(later.until))} className={wayClass}>
        <Trans>In the chart</Trans>
      </Link>
    </nav>
  )
}

const wayClass =
  'inline-flex min-h-9 items-center rounded-lg border border-edge/60 bg-surface px-3.5 py-1.5 text-sm font-medium hover:bg-sunken'

const mostResults = 100
/** An outage that goes up and down all day has more of them; the list of the monitor has them all. */
const mostIncidents = 3

function Found({ detail, chosen }: { detail: MonitorDetail; chosen: Chosen }): ReactNode {
  const { id, kind } = detail.data
  const monitors = useMonitors()
  const mayWrite = useMayWrite()
  const { data: locations } = useRead('locations', { read: () => monitors.listLocations() })
  const asked = { ...chosen, limit: mostResults }
  const { data: page } = useRead(resultPageKey(id, asked), { read: () => monitors.pageResults(id, asked) })
  const incidents = detail.incidents.filter((incident) => isWithin(incident, chosen))
  return (
    <>
      {isProbed(kind) && <Lanes detail={detail} chosen={chosen} locations={locations} />}
      <Section title={t`Who was alerted`} lead={incidentsText(incidents.length)}>
        {incidents.slice(0, mostIncidents).map((incident) => (
          <TimeIncident key={incident.id} incident={incident} hasEvidence={mayWrite && isProbed(kind)} />
        ))}
        {incidents.length > mostIncidents && (
          <Link to="/monitors/$id" params={{ id }} search={{ tab: 'incidents' }} className={linkClass}>
            <Trans>All incidents</Trans>
          </Link>
        )}
      </Section>
      <Section
        title={t`Results`}
        {...(page.next_cursor === null ? {} : { lead: t`The newest ${mostResults} of this time.` })}
        action={
          <Link to="/monitors/$id" params={{ id }} search={{ tab: 'results', ...chosen }} className={linkClass}>
            <Trans>Filter and export</Trans>
          </Link>
        }
      >
        {page.data.length === 0 ? (
          <Empty>
            <Trans>No results of this time are kept.</Trans>
          </Empty>
        ) : (
          <ResultRows results={page.data} locations={locations} />
        )}
      </Section>
    </>
  )
}

function isWithin({ started_at: from, resolved_at: to }: MonitorDetail['incidents'][number], chosen: Chosen): boolean {
  return Date.parse(from) < Date.parse(chosen.until) && (to === null || Date.parse(to) >= Date.parse(chosen.since))
}

function incidentsText(count: number): string {
  if (count === 0) return t`There was no incident in this time, so no one was alerted.`
  return plural(count, { one: '# incident in this time.', other: '# incidents in this time.' })
}
