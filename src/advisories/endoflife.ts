import { z } from 'zod'
import type { ProductCycles, ReleaseCycle } from '#core/software/advisory.ts'
import { parseRecord, versionText } from './record-text.ts'

/** Reads one product of endoflife.date (API v1, /products/full). Throws AdvisoryError. */
export function readProductCycles(product: unknown): ProductCycles {
  const { name, releases } = parseRecord(productSchema, product, 'A product of endoflife.date')
  const cycles = releases.flatMap((release): ReleaseCycle[] => {
    const cycle = versionText(release.name)
    if (cycle === null) return []
    const endsOn = release.eolFrom ?? null
    const latest = versionText(release.latest?.name ?? undefined)
    return [{ cycle, endsOn, isEnded: release.isEol, latest, releasedOn: release.releaseDate ?? null }]
  })
  return {
    product: name,
    cycles: [...new Map(cycles.map((one) => [one.cycle, one])).values()],
  }
}

const date = z.iso.date().nullish().catch(null)
const productSchema = z.object({
  name: z.string().regex(/^[\w.-]{1,100}$/),
  releases: z
    .array(
      z.object({
        name: z.string(),
        isEol: z.boolean(),
        eolFrom: date,
        releaseDate: date,
        latest: z.object({ name: z.string().nullish() }).nullish().catch(null),
      }),
    )
    .max(10_000),
})
