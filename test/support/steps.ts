import type { AnyKind } from '#kinds/kind.ts'

/** Whether a transaction takes no step, one, `max` and one more. */
export function stepLimits(kind: AnyKind, max: number): boolean[] {
  return [0, 1, max, max + 1].map(
    (length) => kind.options.safeParse({ steps: Array.from({ length }, () => ({})) }).success,
  )
}
