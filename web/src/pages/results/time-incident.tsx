import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { IncidentRecord, IncidentStory } from '../../api/overview.ts'
import { overviewApi } from '../../api/overview.ts'
import { listed } from '../../parts/language.ts'
import { linkClass } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { useRead, useWorkspace } from '../../session/workspace.tsx'
import { IncidentStatus, Lasted } from '../incidents/incident-parts.tsx'

type TimeIncidentProps = {
  incident: IncidentRecord
  /** Whether the reader may see what locations kept of it. */
  hasEvidence: boolean
}

/** An incident in short: how long it was, what was seen, and who was told. Its own page has the rest. */
export function TimeIncident({ incident, hasEvidence }: TimeIncidentProps): ReactNode {
  const { id, title, cause } = incident
  const { workspace } = useWorkspace()
  const { data: story } = useRead(`story of ${id}`, { read: () => overviewApi(workspace.id).readStory(id) })
  return (
    <article className="mb-4 border-l-2 border-line pl-4 text-sm last:mb-0">
      <h3 className="flex flex-wrap items-center gap-3 font-medium">
        <Link to="/incidents/$id" params={{ id }} className={linkClass}>
          {title}
        </Link>
        <IncidentStatus of={incident.status} />
      </h3>
      <p className="mt-1 text-muted">
        <Time at={incident.started_at} /> · <Lasted incident={incident} />
      </p>
      {cause !== null && <p className="mt-1 wrap-anywhere">{cause}</p>}
      {hasEvidence && <Seen incidentId={id} />}
      <p className="mt-1">
        <Told deliveries={story.deliveries} />
      </p>
    </article>
  )
}

function Seen({ incidentId }: { incidentId: string }): ReactNode {
  const { workspace } = useWorkspace()
  const { data } = useRead(`evidence of ${incidentId}`, {
    read: () => overviewApi(workspace.id).readEvidence(incidentId),
  })
  const places = [...new Set(data.evidence.map(({ location_name: name }) => name))]
  if (places.length === 0) return null
  const names = listed(places)
  return (
    <p className="mt-1">
      {data.cause !== null && <span className="wrap-anywhere">{data.cause} </span>}
      <Link to="/incidents/$id" params={{ id: incidentId }} className={linkClass}>
        <Trans>Evidence from {names}</Trans>
      </Link>
    </p>
  )
}

function Told({ deliveries }: Pick<IncidentStory, 'deliveries'>): ReactNode {
  const told = namesOf(deliveries, (state) => state === 'delivered')
  const missed = namesOf(deliveries, (state) => state === 'failed')
  if (told === '' && missed === '') return <Trans>No one was alerted.</Trans>
  return (
    <>
      {told !== '' && <Trans>Alerted: {told}.</Trans>}{' '}
      {missed !== '' && (
        <span className="text-bad">
          <Trans>Not reached: {missed}.</Trans>
        </span>
      )}
    </>
  )
}

type Delivery = IncidentStory['deliveries'][number]

function namesOf(deliveries: readonly Delivery[], isWanted: (state: Delivery['state']) => boolean): string {
  return listed([...new Set(deliveries.filter(({ state }) => isWanted(state)).map(({ contact_name: name }) => name))])
}
