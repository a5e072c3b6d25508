import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { IncidentRecord, MonitorDetail } from '../../api/monitors.ts'
import { Empty, Row, Rows } from '../../parts/list.tsx'
import { Section } from '../../parts/page.tsx'
import { useShown } from '../../parts/shown.tsx'
import { Ago, Time } from '../../parts/time.tsx'
import { IncidentStatus, lastedText } from '../incidents/incident-parts.tsx'
import { spanText } from './details.ts'

/** When it was down, the newest first. */
export function Incidents({ detail }: { detail: MonitorDetail }): ReactNode {
  const { incidents, incident_totals: totals } = detail
  const { shown, more } = useShown(incidents)
  const { count, minutes } = totals.all
  const { count: lately } = totals.recent
  const down = spanText(minutes * 60_000)
  return (
    <Section title={t`Incidents`} lead={t`${count} in total, ${down} down; ${lately} in the last 90 days.`}>
      {incidents.length === 0 ? <NoIncidents /> : <IncidentRows incidents={shown} />}
      {more}
    </Section>
  )
}

export function NoIncidents(): ReactNode {
  return (
    <Empty>
      <Trans context="incidents">None.</Trans>
    </Empty>
  )
}

export function IncidentRows({ incidents }: { incidents: readonly IncidentRecord[] }): ReactNode {
  return (
    <Rows label={t`Incidents`}>
      {incidents.map((incident) => (
        <Row
          key={incident.id}
          title={
            <span className="flex items-start justify-between gap-3">
              <Link to="/incidents/$id" params={{ id: incident.id }} className="hover:underline">
                {incident.title}
              </Link>
              <IncidentStatus of={incident.status} />
            </span>
          }
          details={<Course incident={incident} />}
        />
      ))}
    </Rows>
  )
}

function Course({ incident }: { incident: IncidentRecord }): ReactNode {
  const { started_at: started, resolved_at: resolved, cause } = incident
  return (
    <>
      <Time at={started} /> ·{' '}
      {resolved === null ? (
        <Trans>
          began <Ago at={started} />
        </Trans>
      ) : (
        lastedText(spanText(Date.parse(resolved) - Date.parse(started)))
      )}
      {cause !== null && ` · ${cause}`}
    </>
  )
}
