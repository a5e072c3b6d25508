import { z } from 'zod'
import { idForm, idRule, maxEntries, sections } from './entries.ts'

const keyed = z.strictObject({
  section: z.enum(sections),
  key: z.string().regex(idForm, idRule),
  id: z.uuid().toLowerCase().nullable().describe('What the key stands for; null for nothing any more.'),
  pruned: z
    .boolean()
    .optional()
    .describe('Whether it stands in the files no more and is to be deleted later. The service keeps since when.'),
})

export const ownershipInputSchema = z.strictObject({
  project: z.string().regex(idForm, idRule),
  objects: z.array(keyed).min(1).max(maxEntries),
})
export type OwnershipInput = z.infer<typeof ownershipInputSchema>

/** To which project an object belongs. */
export const ownershipSchema = z
  .strictObject({
    id: z.string(),
    key: z.string(),
    pruned_at: z.iso.datetime().nullable().describe('Since when it is no longer in the files; null while it is.'),
  })
  .nullable()
  .describe('The project of files that it belongs to, and its key there.')
