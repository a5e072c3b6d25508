// Words by which people put things in order, such as `production` or `Team Blue`.
import { z } from 'zod'
import { text } from '#core/language/text.ts'
import { tagKey } from './tag-key.ts'

export const maxTags = 20
const maxTagLength = 50

/** Written as it was given; two that differ only in case are the same tag. */
export const tagSchema: z.ZodString = text({ min: 1, max: maxTagLength }).regex(
  /^(?! )[^\p{Cc}\p{Zl}\p{Zp},]*(?<! )$/u,
  'Must have no comma, no line break, and no space at its ends.',
)

/** What a caller may give. */
export const tagsSchema: z.ZodArray<z.ZodString> = z
  .array(tagSchema)
  .max(maxTags)
  .refine((tags) => new Set(tags.map(tagKey)).size === tags.length, 'Must not name a tag twice.')
