import type { ProductKey } from '#core/software/software-name.ts'

/** A detected product, and where it was seen. `version` is null where only the product shows. */
export type Detection = { product: ProductKey; version: string | null; evidence: string }

const maxVersionLength = 60

/** One detection for each product: one with a version replaces one without, and a longer version a shorter one. */
export function mergeDetections(detections: readonly Detection[]): Detection[] {
  const best = new Map<ProductKey, Detection>()
  for (const detection of detections) {
    const known = best.get(detection.product)
    if (known === undefined || exactness(detection) > exactness(known)) best.set(detection.product, detection)
  }
  return Array.from(best.values())
}

/** A version as pages write it, without characters that cannot belong to it; null where nothing is left. */
export function cleanVersion(text: string | undefined): string | null {
  const version = /^v?(\d[\w.+~-]*)/i.exec(text?.trim() ?? '')?.[1]?.replace(/[.+~-]+$/, '')
  return version === undefined || version.length > maxVersionLength ? null : version
}

function exactness({ version }: Detection): number {
  return version === null ? 0 : version.length
}
