import { statusPageInputSchema } from '#core/status-pages/status-page.ts'
import type { Where } from './findings.ts'
import { shown } from './monitor-parts.ts'

const maxSlugLength = 63

/** The last part of a page's address, made one that we take. */
export function slugOf(wanted: string, { place, findings }: Where): string {
  const slug = plainSlug(wanted)
  if (slug !== wanted)
    findings.changed(place, `The address of the page ends in "${slug}" instead of "${shown(wanted)}".`)
  return slug
}

export function plainSlug(text: string): string {
  const { slug: schema } = statusPageInputSchema.shape
  const plain = text
    .slice(0, 4 * maxSlugLength)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, maxSlugLength - suffix.length)
    .replaceAll(/^-|-$/g, '')
  if (schema.safeParse(plain).success) return plain
  return plain === '' ? `my${suffix}` : `${plain}${suffix}`
}

const suffix = '-status'
