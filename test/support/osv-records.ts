import { load } from 'js-yaml'
import { z } from 'zod'
import { sharedFiles, sharedText } from './shared-data.ts'

const eventSchema = z.object({
  introduced: z.string().optional(),
  fixed: z.string().optional(),
  last_affected: z.string().optional(),
  limit: z.string().optional(),
})
const affectedSchema = z.object({
  package: z.object({ ecosystem: z.string(), name: z.string() }).optional(),
  ranges: z.array(z.object({ type: z.string(), events: z.array(eventSchema) })).default([]),
  versions: z.array(z.string()).default([]),
})
const recordSchema = z.object({ id: z.string(), affected: z.array(affectedSchema).default([]) })

/** The part of an OSV record that says which versions are affected. */
export type OsvRecord = z.infer<typeof recordSchema>

/** All OSV records of the shared data, but the made-up ones that test a conversion. None without the data. */
export function osvRecords(): OsvRecord[] {
  return rawOsvRecords().map(({ record }) => record)
}

/** The same records, each with the whole of its file, for tests that read it in another way. */
export function rawOsvRecords(): { record: OsvRecord; raw: unknown }[] {
  const files = sharedFiles('osv').filter((file) => /\.(?:json|ya?ml)$/.test(file))
  return files
    .map((file): unknown => (file.endsWith('.json') ? JSON.parse(sharedText(file)) : load(sharedText(file))))
    .flatMap((raw) => {
      const { data: record } = recordSchema.safeParse(raw)
      return record === undefined ? [] : [{ record, raw }]
    })
}
