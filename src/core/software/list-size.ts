import type { NamedSoftware } from './software-change.ts'

/** Entries of one monitor, from every source. */
export const maxEntries = 50_000
/** What the texts of all entries of one monitor may have together (docs/decisions/api-surface.md, "How large an answer may be"). */
export const maxListBytes = 8 * 1024 * 1024

/** `bytes` are those of product, name, version and evidence as JSON, as every answer about the list has them. */
export type ListSize = { entries: number; bytes: number }

/** Null where there is room, or the list does not grow: what was stored before there was a limit of bytes stays. */
export function sizeProblem(before: ListSize, after: ListSize): string | null {
  if (after.entries > maxEntries) return 'A monitor can have 50,000 entries of software.'
  if (after.bytes <= maxListBytes || after.bytes <= before.bytes) return null
  return (
    `The names, versions and places of a monitor's software may have ${maxListBytes} bytes of JSON together; with this ` +
    `they would have ${after.bytes}. Shorten or remove some.`
  )
}

/** The first of `found` for which there is room beside other entries; as much as the whole list had `before` stays. */
export function fitting(
  found: readonly NamedSoftware[],
  { before, others }: { before: ListSize; others: ListSize },
): NamedSoftware[] {
  const room = Math.max(maxListBytes, before.bytes)
  let { entries, bytes } = others
  const beyond = found.findIndex((entry) => {
    entries += 1
    bytes += bytesOf(entry)
    return entries > maxEntries || bytes > room
  })
  return beyond === -1 ? [...found] : found.slice(0, beyond)
}

function bytesOf({ product, name, version, evidence }: NamedSoftware): number {
  return [product, name, version, evidence].reduce((sum, text) => sum + Buffer.byteLength(JSON.stringify(text)), 0)
}
