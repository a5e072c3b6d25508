import { z } from 'zod'
import type { Verdict } from '#core/results/result.ts'

// What a location says that a scan of a website saw of one product, in the details of a verdict: the way of trials has
// no other place for it, and a location of an earlier release, which makes an ordinary check instead, says nothing here.

const seenSchema = z.discriminatedUnion('saw', [
  z.object({ saw: z.literal('version'), version: z.string().min(1).max(200), evidence: z.string().max(500) }),
  z.object({ saw: z.literal('no_version'), evidence: z.string().max(500) }),
  z.object({ saw: z.literal('nothing') }),
  z.object({ saw: z.literal('failed'), problem: z.string().max(500) }),
])
export type Seen = z.infer<typeof seenSchema>

/** A scan has a minute for all of its requests on the service itself; people wait for those of locations. */
export const locationScanMs = 30_000

export function seenDetails(seen: Seen): Verdict['details'] {
  return { software: seen }
}

/** Null where the verdict tells nothing of software. */
export function readSeen({ details }: Pick<Verdict, 'details'>): Seen | null {
  const parsed = seenSchema.safeParse(details['software'])
  return parsed.success ? parsed.data : null
}
