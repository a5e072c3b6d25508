import { z } from 'zod'
import { escapeMarkdown, markdownTable } from '#core/language/markdown.ts'
import { type Exposure, type ExposureOutcome, exposureSchema, verificationSchema } from './exposure.ts'

/** The `typ` of its signature. */
export const exposureReportType = 'perigee-exposure-report+jws'

const { vuln_id, aliases, summary, severity, url, exploited_on, fixed_in, fix_version } = exposureSchema.shape
const { product, software_name, version, source, evidence, seen_at, last_version } = exposureSchema.shape

/** What was known of an exposure at its end, and how it ended. The same at each reading until a proof follows. */
export const exposureReportSchema = z.strictObject({
  type: z.literal('exposure_report'),
  issuer: z.url().describe('The installation that says this; its public keys are below this address.'),
  workspace_id: z.uuid(),
  exposure_id: z.uuid(),
  monitor: z.strictObject({ id: z.uuid(), name: z.string(), target: z.string().nullable() }),
  vulnerability: z.strictObject({ vuln_id, aliases, summary, severity, url, exploited_on, fixed_in, fix_version }),
  before: z.strictObject({ product, software_name, version, source, evidence, seen_at }),
  after: z.strictObject({
    last_version,
    verification: verificationSchema.nullable().describe('The last scans from locations.'),
  }),
  opened_at: z.iso.datetime(),
  closed_at: z.iso.datetime(),
  open_seconds: z.int(),
  outcome: exposureSchema.shape.outcome.unwrap(),
  statement: z.string().describe('What the outcome means, and what it does not.'),
})
export type ExposureReport = z.infer<typeof exposureReportSchema>

/** Null while the exposure is open. */
export function exposureReport(
  exposure: Exposure,
  { issuer, workspaceId }: { issuer: string; workspaceId: string },
): ExposureReport | null {
  const { closed_at: closedAt, outcome, monitor_id: monitorId, monitor_name: name, target } = exposure
  if (closedAt === null || outcome === null) return null
  return {
    type: 'exposure_report',
    issuer,
    workspace_id: workspaceId,
    exposure_id: exposure.id,
    monitor: { id: monitorId, name, target },
    vulnerability: {
      vuln_id: exposure.vuln_id,
      aliases: exposure.aliases,
      summary: exposure.summary,
      severity: exposure.severity,
      url: exposure.url,
      exploited_on: exposure.exploited_on,
      fixed_in: exposure.fixed_in,
      fix_version: exposure.fix_version,
    },
    before: {
      product: exposure.product,
      software_name: exposure.software_name,
      version: exposure.version,
      source: exposure.source,
      evidence: exposure.evidence,
      seen_at: exposure.seen_at,
    },
    after: { last_version: exposure.last_version, verification: exposure.verification },
    opened_at: exposure.opened_at,
    closed_at: closedAt,
    open_seconds: exposure.open_seconds,
    outcome,
    statement: statementOf(exposure, outcome),
  }
}

function statementOf({ verification }: Exposure, outcome: ExposureOutcome): string {
  const locations = verification?.scans.length ?? 0
  const from = locations === 1 ? 'One location' : `Each of ${locations} locations`
  const statements: Readonly<Record<ExposureOutcome, string>> = {
    proved: `${from} saw a version that the known advisories do not name as affected.`,
    not_seen: `${from} saw nothing of the software, twice in a row. It may be gone or hidden; no fixed version was seen.`,
    updated: 'The list of software has a version that is not affected. No scans from locations have proved it.',
    not_listed: 'The list of software does not have the product any more. No fixed version was seen.',
    not_affected: 'The advisory does not name the version as affected any more. Nothing was updated.',
    withdrawn: 'The advisory was withdrawn, or the vulnerability is not listed as exploited any more.',
    ignored: 'A person had the software ignored. Nothing is known of a fix.',
    monitor_deleted: 'The monitor was deleted. Nothing is known of a fix.',
  }
  return statements[outcome]
}

/** For people. No text of it is read as formatting. */
export function exposureReportMarkdown(report: ExposureReport): string {
  const { vulnerability, before, after, monitor } = report
  const scans = after.verification?.scans ?? []
  const facts: [string, string | null][] = [
    ['Monitor', monitor.target === null ? monitor.name : `${monitor.name}, ${monitor.target}`],
    ['Vulnerability', vulnerability.vuln_id],
    ['Known to be exploited since', vulnerability.exploited_on],
    ['Advisory', vulnerability.url],
    ['Software', `${before.software_name} ${before.version}`],
    ['Seen', before.evidence === null ? before.seen_at : `${before.seen_at}, ${before.evidence}`],
    ['Fixed in', vulnerability.fix_version],
    ['Exposed from', report.opened_at],
    ['Exposed until', report.closed_at],
    ['Seconds', String(report.open_seconds)],
    ['Version at the end', after.last_version],
    ['Outcome', report.outcome],
    ['Reported by', report.issuer],
  ]
  const blocks = [
    `# Exposure of ${escapeMarkdown(monitor.name)} to ${escapeMarkdown(vulnerability.vuln_id)}`,
    escapeMarkdown(report.statement),
    markdownTable(
      ['', ''],
      facts.flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
    ),
    ...(scans.length === 0 ? [] : [scanTable(scans)]),
  ]
  return `${blocks.join('\n\n')}\n`
}

function scanTable(scans: NonNullable<Exposure['verification']>['scans']): string {
  return markdownTable(
    ['Location', 'Time', 'Version', 'Seen', 'Judgement'],
    scans.map(({ location_code: code, scanned_at: at, saw, version: seen, evidence: where, problem, judgement }) => [
      code,
      at,
      seen ?? saw,
      where ?? problem ?? '',
      judgement ?? '',
    ]),
  )
}
