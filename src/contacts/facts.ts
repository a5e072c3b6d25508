export type Fact = { label: string; value: string }

/** Labels with their values; a label without a value is left out. */
export function factsOf(pairs: readonly (readonly [label: string, value: string | null])[]): Fact[] {
  return pairs.flatMap(([label, value]) => (value === null || value === '' ? [] : [{ label, value }]))
}

/** `2026-11-21 10:04:00 UTC` */
export function timeText(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** `2026-11-21` */
export function dayText(iso: string): string {
  return new Date(iso).toISOString().slice(0, 10)
}
