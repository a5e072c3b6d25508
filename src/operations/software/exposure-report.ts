import { z } from 'zod'
import { canonicalJson } from '#core/language/canonical-json.ts'
import { fail } from '#core/language/error.ts'
import {
  exposureReport,
  exposureReportMarkdown,
  exposureReportSchema,
  exposureReportType,
} from '#core/software/exposure-report.ts'
import { signingKeys } from '#store/installation/signing-keys.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { findOneExposure } from './exposures.ts'

const answer = z.strictObject({
  data: z.strictObject({
    report: exposureReportSchema,
    signed: z
      .string()
      .describe(
        'The report as a compact JSON Web Signature (RFC 7515), its payload in the canonical form of RFC 8785. The ' +
          'keys are at `/.well-known/perigee-signing-keys`.',
      ),
  }),
})

const report = defineOperation({
  name: 'get_exposure_report',
  method: 'GET',
  path: '/exposures/{id}/report',
  scope: 'read',
  surface: 'programs',
  tag: 'Software and vulnerabilities',
  summary: 'Get the signed report of an exposure that has ended',
  description: 'An exposure that goes on is `still_open`.',
  errors: [401, 404, 422],
  success: {
    status: 200,
    description: 'The report, and the same with a signature.',
    schema: answer,
    asMarkdown: (body) => exposureReportMarkdown(answer.parse(body).data.report),
  },
  find: findOneExposure,
  run: async ({ caller, services }, { target }) => {
    const { database, secrets, publicUrl } = services
    const content = exposureReport(target.exposure, { issuer: publicUrl, workspaceId: caller.workspaceId })
    if (content === null) throw fail('still_open', 'The exposure goes on. Its report is signed once it has ended.')
    const key = await signingKeys(database, secrets).current()
    return {
      status: 200,
      body: { data: { report: content, signed: key.signText(exposureReportType, canonicalJson(content)) } },
    }
  },
})

export const exposureReportOperations = [report]
