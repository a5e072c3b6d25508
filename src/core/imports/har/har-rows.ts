// Recordings of browsers: HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/).
import { z } from 'zod'
import { ifGiven, numberOrNull } from '#core/imports/import-json.ts'
import { listOf } from '#core/language/foreign-lists.ts'

const maxEntries = 20_000

/** Bodies, and addresses that hold what they are of, are longer than texts of other files. */
const anyText = z
  .string()
  .nullish()
  .transform((text) => text ?? '')

const contentSchema = z.object({ mimeType: anyText, text: z.string().nullish(), encoding: anyText })

const entrySchema = z.object({
  startedDateTime: anyText,
  time: numberOrNull,
  /** Only in recordings of Chromium. */
  _resourceType: anyText,
  // Headers and bodies of what is not imported are not looked at.
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: z.unknown().optional(),
    bodySize: numberOrNull,
    postData: z.unknown().optional(),
  }),
  response: ifGiven(
    z.object({
      status: numberOrNull,
      redirectURL: anyText,
      headers: z.unknown().optional(),
      content: ifGiven(contentSchema),
    }),
  ),
})
export type HarEntry = z.infer<typeof entrySchema>

export const harSchema = z.object({
  log: z.object({
    pages: ifGiven(listOf(z.object({ title: anyText }), maxEntries)),
    entries: listOf(entrySchema, maxEntries),
  }),
})

export const headersSchema = ifGiven(listOf(z.object({ name: z.string(), value: anyText }), 1_000))

const fieldSchema = z.object({ name: z.string(), value: anyText, fileName: z.string().nullish() })
export const postDataSchema = ifGiven(
  z.object({ mimeType: anyText, text: z.string().nullish(), params: ifGiven(listOf(fieldSchema, 200)) }),
)
export type HarPostData = NonNullable<z.infer<typeof postDataSchema>>
