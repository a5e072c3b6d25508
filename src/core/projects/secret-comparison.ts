import { z } from 'zod'
import { sections } from './entries.ts'

/** An address of an option within steps is as long as that. */
const path = z.array(z.string().min(1).max(256)).min(1).max(6)
const secret = z.strictObject({
  path: path.describe('Such as `["request_headers", "authorization"]`.'),
  value: z.union([z.string().max(65_536), z.number(), z.boolean()]),
})
const object = z.strictObject({ section: z.enum(sections), id: z.uuid().toLowerCase() })

export const maxComparedObjects = 500
/** Of all objects together, so that they are compared within some milliseconds. */
export const maxComparedSecrets = 2_000

/** Each object once, and of it each secret once: a request is one guess at each. */
export const secretComparisonSchema = z.strictObject({
  objects: z
    .array(z.strictObject({ ...object.shape, secrets: z.array(secret).min(1).max(maxComparedSecrets) }))
    .min(1)
    .max(maxComparedObjects)
    .refine((objects) => objects.flatMap(({ secrets }) => secrets).length <= maxComparedSecrets, {
      message: `Must name at most ${maxComparedSecrets} secrets in all.`,
    })
    .refine((objects) => isUnique(objects.map(({ id }) => id)), 'Must name each object once.')
    .refine(
      (objects) => objects.every(({ secrets }) => isUnique(secrets.map((each) => JSON.stringify(each.path)))),
      'Must name each secret of an object once.',
    ),
})
export type SecretComparison = z.infer<typeof secretComparisonSchema>

export const comparedSecretsSchema = z.array(z.strictObject({ ...object.shape, differ: z.array(path) }))
export type ComparedSecrets = z.infer<typeof comparedSecretsSchema>

function isUnique(words: readonly string[]): boolean {
  return new Set(words).size === words.length
}
