// What locations saw of incidents, sealed (docs/evidence.md). It is written beside the incidents, after their
// transaction: it may be lost, and they may not.
import { createHash, randomUUID } from 'node:crypto'
import { type Evidence, maxOfIncident, maxOfWorkspaceBytes, readEvidence } from '#core/incidents/evidence.ts'
import { numberArray, textArray } from '#store/database/array-literal.ts'
import type { Database } from '#store/database/database.ts'
import type { Place, Secrets } from '#store/database/secrets.ts'

/** What one location saw of one failure of an incident. */
export type NewEvidence = {
  incidentId: string
  monitorId: string
  location: string
  /** Microseconds since 1970. */
  round: number
  /** As `failureKey` tells failures apart. */
  cause: string
  evidence: Evidence
}

type Sealing = Pick<Secrets, 'encrypt' | 'sign'>

/**
 * Keeps what is not kept yet, up to the limit of an incident; then the oldest of a workspace go that has too much.
 * Of an incident or monitor that is gone nothing is kept.
 */
export async function keepEvidence(
  { pool }: Pick<Database, 'pool'>,
  secrets: Sealing,
  list: readonly NewEvidence[],
): Promise<void> {
  if (list.length === 0) return
  const incidentIds = list.map(({ incidentId }) => incidentId)
  const rows = list.map(({ cause, evidence }) => {
    const id = randomUUID()
    return {
      id,
      cause: createHash('sha256').update(cause).digest('hex'),
      content: secrets.encrypt(JSON.stringify(evidence), placeOf(id)),
      keys: addressKeys(evidence.addresses.dialled, secrets),
    }
  })
  await pool.query(keepStatement, [
    textArray(rows.map(({ id }) => id)),
    textArray(incidentIds),
    textArray(list.map(({ monitorId }) => monitorId)),
    textArray(list.map(({ location }) => location)),
    numberArray(list.map(({ round }) => round)),
    textArray(rows.map(({ cause }) => cause)),
    textArray(rows.map(({ keys }) => keys.join(','))),
    rows.map(({ content }) => content),
    maxOfIncident,
  ])
  await pool.query(trimStatement, [textArray(incidentIds), maxOfWorkspaceBytes, trimmedAtOnce])
}

/** Signatures hold no comma, so that a list of lists can travel as a list of texts. */
const keepStatement = `
insert into incident_evidence (
  id, incident_id, monitor_id, workspace_id, location, round_at, cause, address_keys, content, bytes
)
select
  g.id, i.id, m.id, i.workspace_id, g.location, timestamptz 'epoch' + g.round * interval '1 microsecond',
  decode(g.cause, 'hex'), string_to_array(g.address_keys, ','), g.content, octet_length(g.content)
from (
  select *, row_number() over (partition by incident_id order by place) as number
  from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::bytea[])
    with ordinality as u (id, incident_id, monitor_id, location, round, cause, address_keys, content, place)
) as g
join incidents i on i.id = g.incident_id
join monitors m on m.id = g.monitor_id
where g.number + (select count(*) from incident_evidence e where e.incident_id = g.incident_id) <= $9
on conflict (incident_id, location, cause) do nothing`

const trimmedAtOnce = 1_000

/** Two engines may do it at once: what one of them holds, the other leaves. */
const trimStatement = `
delete from incident_evidence
where id in (
  select id
  from incident_evidence
  where id in (
    select id
    from (
      select id, sum(bytes) over (partition by workspace_id order by kept_at desc, id) as total
      from incident_evidence
      where workspace_id in (select workspace_id from incidents where id = any($1::uuid[]))
    ) as summed
    where total > $2
    limit $3
  )
  for update skip locked
)`

export type KeptEvidence = {
  location: string
  /** Null for a location that was removed. */
  locationName: string | null
  at: Date
  evidence: Evidence
}

/** Of one incident, oldest first. The caller has looked the incident up in its workspace. */
export async function readIncidentEvidence(
  { pool }: Pick<Database, 'pool'>,
  secrets: Pick<Secrets, 'decrypt'>,
  incidentId: string,
): Promise<KeptEvidence[]> {
  const found = await pool.query<{
    id: string
    location: string
    name: string | null
    round_at: Date
    content: Buffer
  }>(
    `select e.id, e.location, l.name, e.round_at, e.content
    from incident_evidence e
    left join locations l on l.code = e.location
    where e.incident_id = $1
    order by e.round_at, e.location, e.id
    limit $2`,
    [incidentId, maxOfIncident],
  )
  return found.rows.flatMap(({ id, location, name, round_at: at, content }) => {
    const opened: unknown = JSON.parse(secrets.decrypt(content, placeOf(id)))
    const evidence = readEvidence(opened)
    return evidence === null ? [] : [{ location, locationName: name, at, evidence }]
  })
}

export type NeighbourRequest = {
  workspaceId: string
  incidentId: string
  monitorId: string
  addresses: readonly string[]
  /** When the incident opened. */
  at: Date
}

const neighbourSeconds = 60

/** The address on which most other monitors failed within a minute of it, and how many; null where there are none. */
export async function findNeighbours(
  { pool }: Pick<Database, 'pool'>,
  secrets: Pick<Secrets, 'signatures'>,
  { workspaceId, incidentId, monitorId, addresses, at }: NeighbourRequest,
): Promise<{ address: string; monitors: number } | null> {
  if (addresses.length === 0) return null
  // Rows that were kept before a change of the secret key have the addresses by the key of that time.
  const keys = addresses.flatMap((address, place) =>
    secrets.signatures(addressPurpose, address).map((key) => ({ key, place })),
  )
  const found = await pool.query<{ place: number; monitors: number }>(neighbourStatement, [
    workspaceId,
    at,
    neighbourSeconds,
    textArray(keys.map(({ key }) => key)),
    monitorId,
    incidentId,
    numberArray(keys.map(({ place }) => place)),
  ])
  const [row] = found.rows
  const address = row === undefined ? undefined : addresses[row.place]
  return row === undefined || address === undefined ? null : { address, monitors: row.monitors }
}

const neighbourStatement = `
select asked.place, count(distinct e.monitor_id)::integer as monitors
from incidents i
join incident_evidence e on e.incident_id = i.id
cross join unnest(e.address_keys) as kept (key)
join unnest($4::text[], $7::integer[]) as asked (key, place) using (key)
where i.workspace_id = $1
  and i.started_at between $2::timestamptz - $3 * interval '1 second' and $2::timestamptz + $3 * interval '1 second'
  and e.monitor_id <> $5
  and i.id <> $6
group by asked.place
order by monitors desc, asked.place
limit 1`

/** The oldest first, `limit` at most; returns how many. */
export async function forgetEvidence({ pool }: Pick<Database, 'pool'>, before: Date, limit: number): Promise<number> {
  const removed = await pool.query(
    `delete from incident_evidence
    where id in (select id from incident_evidence where kept_at < $1 order by kept_at limit $2)`,
    [before, limit],
  )
  return removed.rowCount ?? 0
}

function placeOf(id: string): Place {
  return { column: 'incident_evidence.content', id }
}

const addressPurpose = 'address of evidence'

/** What is kept beside evidence, of its text. */
export function addressKeysOf(text: string, secrets: Pick<Secrets, 'sign'>): string[] {
  return addressKeys(readEvidence(JSON.parse(text))?.addresses.dialled ?? [], secrets)
}

/** By them rows that share an address are found, and no address is read from the table. */
function addressKeys(addresses: readonly string[], secrets: Pick<Secrets, 'sign'>): string[] {
  return addresses.map((address) => secrets.sign(addressPurpose, address))
}
