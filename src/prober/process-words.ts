import { z } from 'zod'
import { kindNames } from '#core/monitors/kind-traits.ts'
import { spanNames } from '#otlp/span.ts'
import { maxSpansAtOnce } from './process-orders.ts'

const name = z.string().max(2_000)
const call = z.int().min(0)
const kinds = new Set<string>(kindNames)
const count = z.int().min(0).max(1_000_000_000)

const asideSchema = z.object({ key: z.string().max(200), forMs: z.number().min(0), reason: z.string().max(1_000) })
const countsSchema = z.object({
  running: count,
  waiting: count,
  outbox: count,
  refused: count,
  dropped: count,
  stalls: count,
  checks: z
    .array(
      z.object({
        kind: z.string().refine((kind) => kinds.has(kind)),
        status: z.enum(['up', 'down', 'degraded', 'none']),
        // The histogram counts them one by one.
        checks: z.int().min(0).max(1_000_000),
        seconds: z.number().min(0),
      }),
    )
    .max(10_000),
})
const placeSchema = z.object({ traceId: z.string().regex(/^[\da-f]{32}$/), spanId: z.string().regex(/^[\da-f]{16}$/) })
const attribute = z.union([z.string().max(10_000), z.number(), z.boolean()])
const spanSchema = placeSchema.extend({
  parentId: z
    .string()
    .regex(/^[\da-f]{16}$/)
    .nullable(),
  name: z.enum(spanNames),
  kind: z.enum(['internal', 'client', 'producer', 'consumer']),
  startMs: z.number(),
  endMs: z.number(),
  isFailure: z.boolean(),
  attributes: z.record(z.string().max(200), attribute),
  links: z.array(placeSchema).max(100).readonly().exactOptional(),
})

/** From the process of the probers, which read what targets sent: the shape of each word is looked at. */
export const processWordSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('alive') }),
  z.object({ type: z.literal('threads'), missing: count, haveBegun: z.boolean() }),
  z.object({ type: z.literal('died') }),
  z.object({ type: z.literal('counts'), thread: name, counts: countsSchema.nullable() }),
  z.object({ type: z.literal('aside'), aside: asideSchema }),
  z.object({ type: z.literal('set aside'), monitorId: z.string().max(64), forMs: z.number().min(0) }),
  z.object({ type: z.literal('warning'), message: z.string().max(2_000), details: z.record(z.string(), z.unknown()) }),
  z.object({ type: z.literal('spans'), spans: z.array(spanSchema).max(maxSpansAtOnce) }),
  z.object({ type: z.literal('announce') }),
  z.object({ type: z.enum(['listen', 'leave']), address: name }),
  z.object({ type: z.literal('publish'), call }),
  z.object({ type: z.literal('request'), call, location: name }),
  z.object({ type: z.literal('route'), location: name }),
  z.object({ type: z.literal('answer'), trialId: z.string().max(64) }),
])

export type ProcessWord = z.infer<typeof processWordSchema>
