import { z } from 'zod'
import { kindNames } from '#core/monitors/kind-traits.ts'
import { severities } from '#core/monitors/monitor-fields.ts'

export const exposureStatuses = ['open', 'closed'] as const

/** How an exposure ended, the strongest proof first. */
export const exposureOutcomes = [
  'proved',
  'not_seen',
  'updated',
  'not_listed',
  'not_affected',
  'withdrawn',
  'ignored',
  'monitor_deleted',
] as const
export type ExposureOutcome = (typeof exposureOutcomes)[number]

export const verificationResults = ['proved', 'not_seen', 'affected', 'unproved'] as const
export type VerificationResult = (typeof verificationResults)[number]

/** What a scan from one location saw of a product. */
export const sights = ['version', 'no_version', 'nothing', 'failed'] as const
export type Sight = (typeof sights)[number]
export const judgements = ['affected', 'not_affected', 'unknown'] as const
export type Judgement = (typeof judgements)[number]

/** So many locations scan for one verification. */
export const verifyingLocations = 3

export const exposureScanSchema = z.strictObject({
  location_code: z.string(),
  scanned_at: z.iso.datetime(),
  saw: z.enum(sights),
  version: z.string().nullable(),
  evidence: z.string().nullable().describe('Where the version was seen.'),
  problem: z.string().nullable().describe('Why the scan failed.'),
  judgement: z
    .enum(judgements)
    .nullable()
    .describe('Of `version`: null while it waits to be compared; `unknown` where the advisory does not decide it.'),
})
export type ExposureScan = z.infer<typeof exposureScanSchema>

export const verificationSchema = z.strictObject({
  asked_at: z.iso.datetime(),
  decided_at: z.iso.datetime().nullable(),
  result: z
    .enum(verificationResults)
    .nullable()
    .describe('Null while versions wait to be compared. `not_seen` needs two verifications in a row.'),
  scans: z.array(exposureScanSchema).max(verifyingLocations),
})
export type Verification = z.infer<typeof verificationSchema>

/** A vulnerability that is known to be exploited, in the software of a monitor, as the API shows it. */
export const exposureSchema = z.strictObject({
  id: z.uuid(),
  status: z.enum(exposureStatuses),
  monitor_id: z.uuid(),
  monitor_name: z.string(),
  monitor_kind: z.enum(kindNames),
  target: z.string().nullable(),
  vuln_id: z.string(),
  aliases: z.array(z.string()),
  summary: z.string().nullable(),
  severity: z.enum(severities).nullable(),
  url: z.string().nullable().describe('Of the advisory.'),
  exploited_on: z.iso.date().describe('When it was added to the known-exploited catalogue.'),
  product: z.string(),
  software_name: z.string(),
  version: z.string().describe('The affected version that was seen.'),
  fixed_in: z.string().nullable(),
  fix_version: z.string().nullable().describe('The next version that is not affected, where one is known.'),
  source: z.enum(['detected', 'import', 'manual']).describe('How the version became known.'),
  evidence: z.string().nullable().describe("Where a scan saw it, or the imported file's name."),
  seen_at: z.iso.datetime().describe('When the finding was made.'),
  opened_at: z.iso.datetime().describe('`seen_at`, or midnight UTC of `exploited_on` where that is later.'),
  closed_at: z.iso.datetime().nullable(),
  open_seconds: z.int().describe('From `opened_at` until `closed_at`, or until now.'),
  outcome: z.enum(exposureOutcomes).nullable(),
  last_version: z.string().nullable().describe('What the list of software had at the end.'),
  verification: verificationSchema.nullable().describe('The last one.'),
  next_step: z.string().describe('What to do now, in a sentence.'),
})
export type Exposure = z.infer<typeof exposureSchema>

/** A scan as far as a decision needs it. */
export type JudgedScan = Pick<ExposureScan, 'saw' | 'judgement'>

/**
 * What scans from several locations prove together; null while one of them waits to be compared. Nothing is proved by
 * what one of them could not see. That a product is seen nowhere counts at the second time in a row, `before` being the
 * result of the scans before: a page may leave it out once.
 */
export function verificationResult(
  scans: readonly JudgedScan[],
  before: { sawNothing: boolean } | null,
): VerificationResult | null {
  if (scans.some(({ judgement }) => judgement === 'affected')) return 'affected'
  if (scans.some((scan) => waits(scan))) return null
  if (scans.length === 0) return 'unproved'
  if (scans.every(({ judgement }) => judgement === 'not_affected')) return 'proved'
  const isNowhere = scans.every(({ saw }) => saw === 'nothing')
  return isNowhere && before?.sawNothing === true ? 'not_seen' : 'unproved'
}

function waits({ saw, judgement }: JudgedScan): boolean {
  return saw === 'version' && judgement === null
}

type Standing = Pick<
  Exposure,
  'status' | 'outcome' | 'monitor_kind' | 'source' | 'software_name' | 'fix_version' | 'verification'
>

/** Whether locations can see the software: what came of a file or of a person, or is in a repository, they cannot. */
export function isVerifiable({ monitor_kind: kind, source }: Pick<Exposure, 'monitor_kind' | 'source'>): boolean {
  return source === 'detected' && kind !== 'repository'
}

/** One sentence for people and their programs. */
export function nextStep(exposure: Standing): string {
  const { status, outcome, verification } = exposure
  if (outcome === 'proved') return 'Nothing: the fix is proved. `get_exposure_report` gives the signed report.'
  const isOver = status === 'closed'
  if (isOver && (outcome === 'monitor_deleted' || outcome === 'withdrawn' || outcome === 'ignored'))
    return 'Nothing can be proved any more.'
  if (!isVerifiable(exposure)) return isOver ? 'Nothing: locations cannot see this software.' : updateByHand(exposure)
  if (verification !== null && verification.result === null)
    return 'Wait some seconds: the versions are being compared.'
  if (isOver) return 'Call `verify_exposure`: the list shows no affected version, but no scans have proved it yet.'
  if (verification?.result === 'proved') return 'Wait for the next scan of the list: it still shows the old version.'
  return `${update(exposure)}, then call \`verify_exposure\`.`
}

function update({ software_name: name, fix_version: version }: Standing): string {
  return version === null ? `No fixed version of ${name} is known: replace it` : `Update ${name} to ${version}`
}

function updateByHand(exposure: Standing): string {
  const then = {
    detected: 'call `scan_vulnerabilities`',
    import: 'import the new file',
    manual: 'set the version of the entry',
  }[exposure.source]
  return `${update(exposure)}, then ${then}: locations cannot see this software.`
}
