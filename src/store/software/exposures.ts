import { type Exposure, type Verification, nextStep } from '#core/software/exposure.ts'
import { alwaysScannedKinds } from '#core/monitors/kind-traits.ts'
import type { Database } from '#store/database/database.ts'
import { type Page, type PageRequest, type Put, pageOf, placeholders } from '#store/database/page.ts'

/** Which exposures are meant. A member that is left out asks for nothing. */
export type ExposureFilter = {
  status?: Exposure['status'] | undefined
  monitor_id?: string | undefined
  vuln_id?: string | undefined
}

/** `monitorKey` is null where the monitor is gone. */
export type FoundExposure = { monitorKey: string | null; exposure: Exposure }

/** `plans` are those that include vulnerability alerts; others show only monitors that are scanned on every plan. */
type Shown = { plans: readonly string[]; at: Date }

/** The newest first. */
export async function pageExposures(
  { pool }: Pick<Database, 'pool'>,
  { filter, ...request }: PageRequest & Shown & { filter: ExposureFilter },
): Promise<Page<Exposure>> {
  const { put, values } = placeholders()
  const { rows } = await pool.query<ExposureRow>(
    `select ${columns}
from exposures as exposure
where ${conditionsOf({ ...request, filter }, put).join('\n  and ')}
order by exposure.opened_at desc, exposure.id
limit ${put(request.limit + 1)}`,
    values,
  )
  const places = rows.map(({ place, id }) => ({ at: place, id }))
  return pageOf(
    places,
    rows.map((row) => toExposure(row, request.at)),
    request.limit,
  )
}

export async function findExposure(
  { pool }: Pick<Database, 'pool'>,
  { workspaceId, id, plans, at }: Shown & { workspaceId: string; id: string },
): Promise<FoundExposure | undefined> {
  const { rows } = await pool.query<ExposureRow>({
    name: 'find_exposure',
    text: `select ${columns}
from exposures as exposure
where exposure.workspace_id = $1
  and exposure.id = $2
  and ${isShown('$3', '$4')}`,
    values: [workspaceId, id, alwaysScannedKinds, plans],
  })
  const [row] = rows
  return row === undefined ? undefined : { monitorKey: row.monitor_key, exposure: toExposure(row, at) }
}

function conditionsOf(
  { workspaceId, after, plans, filter }: Omit<PageRequest, 'limit'> & Shown & { filter: ExposureFilter },
  put: Put,
): string[] {
  const { status, monitor_id: monitorId, vuln_id: vulnerability } = filter
  const conditions = [`exposure.workspace_id = ${put(workspaceId)}`, isShown(put(alwaysScannedKinds), put(plans))]
  if (status !== undefined) conditions.push(`exposure.closed_at is ${status === 'open' ? '' : 'not '}null`)
  if (monitorId !== undefined) conditions.push(`exposure.monitor_id = ${put(monitorId)}`)
  if (vulnerability !== undefined)
    conditions.push(`${put(vulnerability)} = any(array_append(exposure.aliases, exposure.vulnerability))`)
  if (after === null) return conditions
  const [time, last] = [`${put(after.at)}::timestamptz`, `${put(after.id)}::uuid`]
  return [...conditions, `exposure.opened_at <= ${time}`, `(exposure.opened_at < ${time} or exposure.id > ${last})`]
}

function isShown(kinds: string, plans: string): string {
  return `(
    exposure.monitor_kind = any(${kinds}::text[])
    or (select plan from workspaces where id = exposure.workspace_id) = any(${plans}::text[])
  )`
}

type Dated = 'seen_at' | 'opened_at' | 'closed_at'
type ExposureRow = Omit<Exposure, Dated | 'status' | 'vuln_id' | 'open_seconds' | 'verification' | 'next_step'> & {
  monitor_key: string | null
  vulnerability: string
  seen_at: Date
  opened_at: Date
  closed_at: Date | null
  place: string
  verification: VerificationRow | null
}
/** As JSON has it: times as PostgreSQL writes them. */
type VerificationRow = Verification

function toExposure(row: ExposureRow, at: Date): Exposure {
  const { monitor_key: _key, place: _place, vulnerability, verification, ...same } = row
  const { seen_at: seenAt, opened_at: openedAt, closed_at: closedAt, ...rest } = same
  const until = closedAt ?? at
  const exposure = {
    ...rest,
    status: closedAt === null ? ('open' as const) : ('closed' as const),
    vuln_id: vulnerability,
    seen_at: seenAt.toISOString(),
    opened_at: openedAt.toISOString(),
    closed_at: closedAt?.toISOString() ?? null,
    open_seconds: Math.max(0, Math.floor((until.getTime() - openedAt.getTime()) / 1000)),
    verification: verification === null ? null : toVerification(verification),
  }
  return { ...exposure, next_step: nextStep(exposure) }
}

function toVerification({ asked_at: askedAt, decided_at: decidedAt, result, scans }: VerificationRow): Verification {
  return {
    asked_at: isoOf(askedAt),
    decided_at: decidedAt === null ? null : isoOf(decidedAt),
    result,
    scans: scans.map((scan) => ({ ...scan, scanned_at: isoOf(scan.scanned_at) })),
  }
}

function isoOf(text: string): string {
  return new Date(text).toISOString()
}

const columns = `
  exposure.id,
  exposure.monitor_key,
  exposure.monitor_id,
  exposure.monitor_name,
  exposure.monitor_kind,
  exposure.target,
  exposure.vulnerability,
  exposure.aliases,
  exposure.summary,
  exposure.severity,
  exposure.url,
  exposure.exploited_on::text,
  exposure.product,
  exposure.software_name,
  exposure.version,
  exposure.fixed_in,
  exposure.fix_version,
  exposure.source,
  exposure.evidence,
  exposure.seen_at,
  exposure.opened_at,
  exposure.closed_at,
  exposure.outcome,
  exposure.last_version,
  exposure.opened_at::text as place,
  (
    select jsonb_build_object(
      'asked_at', verification.asked_at,
      'decided_at', verification.decided_at,
      'result', verification.result,
      'scans', coalesce((
        select jsonb_agg(jsonb_build_object(
          'location_code', scan.location,
          'scanned_at', scan.scanned_at,
          'saw', scan.saw,
          'version', scan.version,
          'evidence', scan.evidence,
          'problem', scan.problem,
          'judgement', scan.judgement
        ) order by scan.location)
        from exposure_scans as scan
        where scan.verification_id = verification.id
      ), '[]')
    )
    from exposure_verifications as verification
    where verification.exposure_id = exposure.id
    order by verification.asked_at desc
    limit 1
  ) as verification`
