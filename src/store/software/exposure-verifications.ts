import { randomUUID } from 'node:crypto'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import { type JudgedScan, type Judgement, type Sight, verificationResult } from '#core/software/exposure.ts'
import type { ProductKey } from '#core/software/software-name.ts'
import { textArray } from '#store/database/array-literal.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import type { Secrets } from '#store/database/secrets.ts'
import { checkColumns, type MonitorRow, toCheckConfiguration } from '#store/monitors/monitor-rows.ts'
import { holdComponents } from './components.ts'

/** What the scan of a location saw of the product. `version` and `evidence` are null where none was seen. */
export type LocationScan = {
  location: string
  scannedAt: Date
  saw: Sight
  version: string | null
  evidence: string | null
  problem: string | null
}

/** What a location needs to scan, and the locations of the monitor. */
export type Scanned = { configuration: CheckConfiguration; locations: string[] }

/** Undefined where the monitor is gone. */
export async function readScanned(
  { query }: Pick<Database, 'query'>,
  secrets: Secrets,
  monitorKey: string,
): Promise<Scanned | undefined> {
  const row = await query
    .selectFrom('monitors')
    .select(['locations', ...checkColumns])
    .where('key', '=', monitorKey)
    .$castTo<MonitorRow>()
    .executeTakeFirst()
  if (row === undefined) return undefined
  return { configuration: toCheckConfiguration(row, secrets), locations: row.locations }
}

/** So many verifications of an exposure are kept, the newest ones. */
const kept = 10

/**
 * Keeps what locations saw, and has the versions compared that were never compared. A decision follows once all of them
 * are (`decideVerifications`).
 */
export async function addVerification(
  tx: Transaction,
  { exposureId, product, at, scans }: { exposureId: string; product: ProductKey; at: Date; scans: LocationScan[] },
): Promise<void> {
  const id = randomUUID()
  const seen = scans.filter(({ version }) => version !== null)
  const keys = await holdComponents(
    tx,
    seen.map(({ version }) => ({ product, version })),
  )
  await tx.client.query({
    name: 'add_verification',
    text: 'insert into exposure_verifications (id, exposure_id, asked_at) values ($1, $2, $3)',
    values: [id, exposureId, at],
  })
  await tx.client.query({
    name: 'add_exposure_scans',
    text: addStatement,
    values: [
      id,
      textArray(scans.map(({ location }) => location)),
      scans.map(({ scannedAt }) => scannedAt),
      textArray(scans.map(({ saw }) => saw)),
      textArray(scans.map(({ version }) => version)),
      textArray(scans.map(({ evidence }) => evidence)),
      textArray(scans.map(({ problem }) => problem)),
      textArray(scans.map((scan) => keys[seen.indexOf(scan)] ?? null)),
    ],
  })
  await tx.client.query({ name: 'forget_verifications', text: forgetStatement, values: [exposureId, kept] })
}

/** After so long a version that nothing was compared with is unknown. */
const longestMs = 600_000
const atOnce = 100

/** Decides verifications whose versions were compared. Returns how many. Any number of processes do it side by side. */
export async function decideVerifications({ transaction }: Pick<Database, 'transaction'>, at: Date): Promise<number> {
  return transaction(async (tx) => {
    const held = await tx.client.query<OpenRow>({ name: 'hold_verifications', text: holdStatement, values: [atOnce] })
    let decided = 0
    for (const row of held.rows) if (await decide(tx, row, at)) decided += 1
    return decided
  })
}

type OpenRow = { id: string; asked_at: Date; saw_nothing: boolean | null }

async function decide(
  { client }: Transaction,
  { id, asked_at: askedAt, saw_nothing }: OpenRow,
  at: Date,
): Promise<boolean> {
  const isLate = at.getTime() - askedAt.getTime() > longestMs
  const { rows } = await client.query<JudgedScan & { judgement: Judgement | null }>({
    name: 'judge_exposure_scans',
    text: judgeStatement,
    values: [id, isLate],
  })
  const result = verificationResult(rows, saw_nothing === null ? null : { sawNothing: saw_nothing })
  if (result === null) return false
  await client.query({
    name: 'decide_verification',
    text: 'update exposure_verifications set result = $2, decided_at = $3 where id = $1 and result is null',
    values: [id, result, at],
  })
  return true
}

const addStatement = `
insert into exposure_scans
  (verification_id, location, scanned_at, saw, version, evidence, problem, component_key)
select $1, scan.*
from unnest($2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[]) as scan`

const forgetStatement = `
delete from exposure_verifications
where id in (
  select id from exposure_verifications where exposure_id = $1 order by asked_at desc, id offset $2
)`

// Whether the scans before saw nothing of the product in any location; null where these are the first.
const holdStatement = `
select
  open.id,
  open.asked_at,
  (
    select bool_and(scan.saw = 'nothing')
    from exposure_scans as scan
    where scan.verification_id = (
      select id
      from exposure_verifications
      where exposure_id = open.exposure_id
        and asked_at < open.asked_at
      order by asked_at desc
      limit 1
    )
  ) as saw_nothing
from exposure_verifications as open
where open.decided_at is null
order by open.asked_at
limit $1
for update of open skip locked`

// A judgement is of the comparison at that time, so the component is not needed any more.
const judgeStatement = `
with compared as (
  select
    scan.location,
    case
      when matched.version_known then 'affected'
      when matched.component_key is not null then 'unknown'
      when not exists (select from vulnerabilities where id = exposure.vulnerability) then 'unknown'
      else 'not_affected'
    end as judgement
  from exposure_scans as scan
  join exposure_verifications as verification on verification.id = scan.verification_id
  join exposures as exposure on exposure.id = verification.exposure_id
  join components as component on component.key = scan.component_key
  left join component_findings as matched
    on matched.component_key = component.key
    and matched.vulnerability = exposure.vulnerability
  where scan.verification_id = $1
    and component.matched_at is not null
    and not exists (select from match_queue where product = component.product)
), judged as (
  update exposure_scans as scan
  set judgement = coalesce(
      compared.judgement,
      case when $2 and scan.saw = 'version' then 'unknown' end
    ),
    component_key = case when compared.judgement is null and not $2 then scan.component_key end
  from exposure_scans as same
  left join compared on compared.location = same.location
  where scan.verification_id = $1
    and same.verification_id = $1
    and same.location = scan.location
    and scan.judgement is null
  returning scan.location, scan.judgement
)
select scan.saw, coalesce(judged.judgement, scan.judgement) as judgement
from exposure_scans as scan
left join judged on judged.location = scan.location
where scan.verification_id = $1`
