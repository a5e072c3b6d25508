import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { IncidentRecord, MonitorDetail } from '../../api/monitors.ts'
import { Badge, Empty, Row, Rows } from '../../parts/list.tsx'
import { Section, linkClass } from '../../parts/page.tsx'
import { useShown } from '../../parts/shown.tsx'
import { Ago, Time } from '../../parts/time.tsx'
import { spanText } from './details.ts'

/** When it was down, the newest first. */
export function Incidents({ detail }: { detail: MonitorDetail }): ReactNode {
  const { incidents, incident_totals: totals } = detail
  const { shown, more } = useShown(incidents)
  const { all, recent } = totals
  return (
    <Section
      title="Incidents"
      lead={`${all.count} in all, ${spanText(all.minutes * 60_000)} down; ${recent.count} in the last 90 days.`}
    >
      {incidents.length === 0 ? <Empty>None.</Empty> : <IncidentRows incidents={shown} />}
      {more}
    </Section>
  )
}

export function IncidentRows({ incidents }: { incidents: readonly IncidentRecord[] }): ReactNode {
  return (
    <Rows label="Incidents">
      {incidents.map((incident) => (
        <Row
          key={incident.id}
          title={
            <>
              <Link to="/incidents/$id" params={{ id: incident.id }} className={linkClass}>
                {incident.title}
              </Link>
              <Badge>{words[incident.status]}</Badge>
            </>
          }
          details={<Course incident={incident} />}
        />
      ))}
    </Rows>
  )
}

const words: Readonly<Record<IncidentRecord['status'], string>> = {
  open: 'Open',
  acknowledged: 'Acknowledged',
  resolved: 'Resolved',
}

function Course({ incident }: { incident: IncidentRecord }): ReactNode {
  const { started_at: started, resolved_at: resolved, cause } = incident
  return (
    <>
      <Time at={started} /> ·{' '}
      {resolved === null ? (
        <>
          began <Ago at={started} />
        </>
      ) : (
        `lasted ${spanText(Date.parse(resolved) - Date.parse(started))}`
      )}
      {cause !== null && ` · ${cause}`}
    </>
  )
}
