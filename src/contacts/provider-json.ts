import type { z } from 'zod'

/** What a provider answered in JSON; null where it is no JSON, or has another shape. */
export function readProviderJson<Shape>(schema: z.ZodType<Shape>, body: string): Shape | null {
  try {
    return schema.parse(JSON.parse(body))
  } catch {
    return null
  }
}
