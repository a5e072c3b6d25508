import { z } from 'zod'
import { type ImportReport, importReportSchema, plainNotes } from '#core/imports/import-report.ts'
import { importSources } from '#core/imports/import-source.ts'
import { idForm, idRule } from '#core/projects/entries.ts'
import { presentFor } from '#core/projects/plan.ts'
import { trialBodyOf } from '#core/projects/trial-body.ts'
import { namesOf } from '#core/language/tables.ts'
import { text } from '#core/language/text.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import type { Context, SentFile } from '#operations/pipeline/operation.ts'
import { fail } from '#core/language/error.ts'
import { assertClaimed } from '#operations/workspaces/assert-claimed.ts'
import { readWorkspace } from '#operations/projects/export-workspace.ts'
import { planOf } from '#operations/workspaces/account.ts'
import { readWorkspace as findWorkspace } from '#store/workspaces/workspaces.ts'
import { privateNotes } from './import-project.ts'
import type { ReadImport, SourceReading } from './source-thread.ts'
import { maxUploadBytes, maxUploadedTextBytes } from './uploaded-source.ts'

export const fileQuery = z.strictObject({
  file_name: text({ min: 1, max: 255 }).describe('The name of the file, which tells lists from other texts.'),
  source: z.enum(namesOf(importSources)).optional().describe('Where the file is from. Default: the file tells.'),
  project: z
    .string()
    .regex(idForm, idRule)
    .optional()
    .describe('What arrives belongs to this project. Default: the name of the source.'),
  ping_key: text({ min: 1, max: 100 })
    .optional()
    .describe('The ping key of a project of Healthchecks whose jobs call by slugs.'),
})
type FileQuery = z.infer<typeof fileQuery>

export const importFile = {
  maxBytes: maxUploadBytes,
  description: `A database of at most ${maxUploadBytes / 1024 ** 2} MB, or a text of at most ${maxUploadedTextBytes / 1024 ** 2} MB.`,
}

const readImport = defineOperation({
  name: 'read_import',
  method: 'POST',
  path: '/imports/read',
  scope: 'write',
  surface: 'programs',
  subject: 'workspace',
  takesLong: true,
  changesNothing: true,
  tag: 'Account',
  summary: 'Preview an import from the file of another tool',
  description:
    'Uptime Kuma (its database or its backup), Gatus, Healthchecks, UptimeRobot, blackbox_exporter, ' +
    'recordings of browsers (HAR), Postman, OpenAPI, lists and sitemaps. The file is not kept, and nothing is created.',
  query: { schema: fileQuery },
  file: importFile,
  errors: [401, 403, 413, 415, 422, 503],
  success: {
    status: 200,
    description: 'What would be imported, what works differently in Perigee, and what cannot be imported.',
    schema: z.strictObject({ data: importReportSchema }),
  },
  find: assertMayBringFiles,
  run: async (context, { query, file }) => {
    const read = await readFileOf(context, { query, file, wants: 'report' })
    return { status: 200, body: { data: await reportOf(context, read) } }
  },
})

export const readImportOperations = [readImport]

/** Before the file is read: a stranger could have threads read files all day. */
export async function assertMayBringFiles({ caller, services }: Context): Promise<void> {
  await services.database.transaction((tx) => assertClaimed(tx, caller.workspaceId, 'Files of other tools'))
}

type Sent = { query: FileQuery; file: SentFile | null; wants: SourceReading['wants'] }

export async function readFileOf(
  { caller, services, now }: Context,
  { query, file, wants }: Sent,
): Promise<ReadImport> {
  if (file === null) throw fail('bad_request', 'The request has no file.')
  const { file_name: name, source = null, project = null, ping_key: pingKey = null } = query
  const workspace = await findWorkspace(services.database, caller.workspaceId)
  if (workspace === null) throw new Error(`The workspace ${caller.workspaceId} of a caller does not exist.`)
  const { minIntervalSeconds: shortestIntervalSeconds } = planOf(workspace, services.plans)
  const reading = { name, source, project, pingKey, wants, now, shortestIntervalSeconds }
  const read = await services.readUpload(file, reading)
  const notes = privateNotes(read.settled.dialled, services.isForbiddenAddress)
  const { arrivals } = read
  return { ...read, arrivals: { ...arrivals, changed: [...arrivals.changed, ...plainNotes(notes, 'changed')] } }
}

async function reportOf(
  context: Context,
  { source, settled: { project }, arrivals }: ReadImport,
): Promise<ImportReport> {
  const { present, missing } = presentFor(project, await readWorkspace(context))
  return {
    source,
    project: project.id,
    ...arrivals,
    present: [...present].map(([{ section, key }, { name }]) => ({ section, key, name })),
    checks: missing.flatMap((entry) => {
      const input = trialBodyOf(entry)
      return input === null ? [] : [{ key: entry.key, input }]
    }),
  }
}
