import { z } from 'zod'
import { fail, invalidFields } from '#core/language/error.ts'
import { distinctSoftware } from '#core/software/software-change.ts'
import { text } from '#core/language/text.ts'
import { softwareImportSchema, vulnerabilitiesSchema } from '#core/software/vulnerability.ts'
import { manifestFormat, manifestFormats } from '#manifests/file-names.ts'
import type { ManifestReading, ReadableFormat } from '#manifests/manifest.ts'
import type { ManifestRequest } from '#manifests/manifest-reader.ts'
import { removeImport, replaceSoftware } from '#store/software/software.ts'
import { type Context } from '#operations/pipeline/operation.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { changeList } from './change-list.ts'
import { findFollowed, reportOf } from './software-target.ts'

const tag = 'Software and vulnerabilities'
const maxContentLength = 5_000_000
/** The longest content with every character escaped, and the rest of the body. */
const maxBytes = 31_000_000
const plainLabel = 'software list'

const importSchema = z.strictObject({
  content: text({ max: maxContentLength }).describe('The whole file, or a plain list: one `name version` a line.'),
  filename: text({ min: 1, max: 255 })
    .optional()
    .describe(`Tells the format: ${manifestFormats.join(', ')}. Left out for a plain list.`),
  name: text({ min: 1, max: 160 })
    .optional()
    .describe('Importing again under the same name replaces what it added. Default: the filename, or "software list".'),
})

const importFile = defineOperation({
  name: 'import_software',
  method: 'POST',
  path: '/monitors/{id}/software/import',
  scope: 'write',
  subject: 'monitor',
  takesLong: true,
  tag,
  summary: 'Import the software that a file lists',
  description:
    'Lockfiles, manifests, and plain lists. Lines of a plain list that name nothing known come back in ' +
    '`import.unrecognized`.',
  body: { schema: importSchema, isRequired: true, schemaName: 'SoftwareImportInput', maxBytes },
  errors: [401, 402, 403, 404, 422, 503],
  success: {
    status: 200,
    description: 'Software and findings, and what was imported.',
    schema: vulnerabilitiesSchema.extend({ import: softwareImportSchema }),
  },
  find: findFollowed,
  run: async (context, { target, body: { content, filename, name } }) => {
    const format = formatOf(filename)
    const reading = await read(context, { format, content })
    assertNamesSomething({ format, content }, reading)
    const { packages, unrecognized } = reading
    const label = name ?? filename ?? plainLabel
    const evidence = filename ?? label
    const found = distinctSoftware(packages.map((one) => Object.assign(one, { evidence })))
    await changeList(context, target, {
      field: 'content',
      work: (tx) =>
        replaceSoftware(tx, { monitorKey: target.key, source: 'import', label }, { found, at: context.now }),
    })
    const summary = { file: label, format, imported: found.length, unrecognized }
    return { status: 200, body: { ...(await reportOf(context, target)), import: summary } }
  },
})

const removeFile = defineOperation({
  name: 'remove_software_import',
  method: 'DELETE',
  path: '/monitors/{id}/software/import',
  scope: 'write',
  subject: 'monitor',
  tag,
  summary: 'Remove everything that a file imported',
  query: {
    schema: z.strictObject({ file: text({ min: 1, max: 255 }).describe('The name that it was imported under.') }),
  },
  errors: [401, 402, 403, 404, 422],
  success: { status: 200, description: 'Software and findings.', schema: vulnerabilitiesSchema },
  find: findFollowed,
  run: async (context, { target, query: { file } }) => {
    await changeList(context, target, {
      field: 'file',
      work: async (tx) => {
        const removed = await removeImport(tx, { monitorKey: target.key, label: file })
        if (removed === 0) throw fail('not_found', 'No import with this name exists for this monitor.')
      },
    })
    return { status: 200, body: await reportOf(context, target) }
  },
})

export const softwareImportOperations = [importFile, removeFile]

function formatOf(filename: string | undefined): ReadableFormat {
  if (filename === undefined) return 'plain'
  const format = manifestFormat(filename)
  if (format !== null) return format
  const problem = `Is none of the files that are read: ${manifestFormats.join(', ')}. Leave it out for a plain list.`
  throw fail('unrecognized_format', problem, { fields: { filename: [problem] } })
}

/**
 * A download that failed leaves an empty file or the answer of a server, which would erase what the file before it
 * added. A manifest that is well formed may name nothing: then its project has no packages.
 */
function assertNamesSomething(
  { format, content }: ManifestRequest,
  { packages: { length: count }, doubt }: ManifestReading,
): void {
  if (content.trim() === '')
    throw invalidFields({ content: ['The file is empty. To remove what a file imported, remove the import.'] })
  if (format === 'plain' && count === 0)
    throw invalidFields({ content: ['No line names any known software, such as "nginx 1.27.4".'] })
  if (doubt !== null) throw invalidFields({ content: [doubt] })
}

async function read({ services }: Context, request: ManifestRequest): Promise<ManifestReading> {
  const outcome = await services.readManifest(request)
  if (outcome.type === 'busy')
    throw fail('unavailable', 'Too many files are being imported right now. Try again in a moment.', {
      retryAfterSeconds: 5,
    })
  if (outcome.type === 'failed') throw invalidFields({ content: [outcome.problem] })
  return outcome.reading
}
