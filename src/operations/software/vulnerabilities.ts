import { z } from 'zod'
import { fail } from '#core/language/error.ts'
import { text } from '#core/language/text.ts'
import { vulnerabilitiesSchema } from '#core/software/vulnerability.ts'
import { type FoundFinding, markFixed } from '#store/software/findings.ts'
import { requestScan } from '#store/software/software-scans.ts'
import type { SoftwareMonitor } from '#store/software/software-reports.ts'
import { removeSoftware, setVersion } from '#store/software/software.ts'
import { type Context } from '#operations/pipeline/operation.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { changeList } from './change-list.ts'
import { assertPlanHasAlerts, findFollowed, findOneFinding, findReported, reportOf } from './software-target.ts'

const tag = 'Software and vulnerabilities'

/** The version of an entry. The findings of an entry without one are marked as uncertain. */
export const versionText = text({ min: 1, max: 200 }).regex(/^\S(?:.*\S)?$/, 'Must be a version on one line.')

const get = defineOperation({
  name: 'get_vulnerabilities',
  method: 'GET',
  path: '/monitors/{id}/vulnerabilities',
  scope: 'read',
  tag,
  summary: 'Show the software of a monitor and its vulnerabilities',
  description:
    'On plans without vulnerability alerts, `available` is false and nothing is listed. At most 5,000 findings are ' +
    'listed, most severe first. An empty list means that nothing is known only if `comparison` is `complete`; ' +
    '`compared` shows what the software was compared with, and how old that is.',
  errors: [401, 404],
  success: { status: 200, description: 'Software and findings.', schema: vulnerabilitiesSchema },
  find: findReported,
  run: async (context, { target }) => ({ status: 200, body: await reportOf(context, target) }),
})

const scan = defineOperation({
  name: 'scan_vulnerabilities',
  method: 'POST',
  path: '/monitors/{id}/vulnerabilities/scan',
  scope: 'write',
  subject: 'monitor',
  tag,
  summary: 'Scan the software of a monitor now',
  description:
    'Without waiting for the weekly scan. `pending` is true until it ran. Plans without vulnerability alerts get ' +
    '`plan_required`, except for repository monitors.',
  errors: [401, 402, 403, 404, 422],
  success: { status: 202, description: 'What is known before the scan.', schema: vulnerabilitiesSchema },
  find: findFollowed,
  run: async (context, { target }) => {
    assertPlanHasAlerts(context, target)
    await context.services.database.transaction((tx) => requestScan(tx, target.key))
    return { status: 202, body: await reportOf(context, target) }
  },
})

const fix = defineOperation({
  name: 'mark_finding_fixed',
  method: 'POST',
  path: '/monitors/{id}/vulnerabilities/{finding_id}/fixed',
  scope: 'write',
  subject: 'monitor',
  tag,
  summary: 'Say which version fixed a finding',
  description:
    "The software then has this version and is checked again; the default is the finding's `fix_version`. The " +
    'finding goes away unless this version is affected too: then `marked_fixed_version` shows it.',
  body: {
    schema: z.strictObject({ version: versionText.optional() }).optional(),
    isRequired: false,
    schemaName: 'FixedInput',
  },
  errors: [401, 402, 403, 404, 422],
  success: { status: 200, description: 'Software and findings.', schema: vulnerabilitiesSchema },
  find: findOneFinding,
  run: async (context, { target, body }) => {
    await setFixed(context, target, body?.version ?? target.finding.fixVersion)
    return { status: 200, body: await reportOf(context, target) }
  },
})

export const vulnerabilityOperations = [get, scan, fix]

async function setFixed(
  context: Context,
  target: SoftwareMonitor & { finding: FoundFinding },
  version: string | null,
): Promise<void> {
  if (version === null) {
    const problem = 'No version is known that fixes this; say which one you have.'
    throw fail('no_fix_version', problem, { fields: { version: [problem] } })
  }
  const { key: monitorKey, finding } = target
  const { softwareId, product, vulnerability } = finding
  await changeList(context, target, {
    field: 'version',
    work: async (tx) => {
      const id = await setVersion(tx, { monitorKey, id: softwareId, product, version, at: context.now })
      if (id !== softwareId) await removeSoftware(tx, { monitorKey, id: softwareId })
      await markFixed(tx, { softwareId: id, vulnerability, version })
    },
  })
}
