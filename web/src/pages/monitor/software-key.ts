/** What the software of a monitor is read under. */
export function findingsKey(id: string): string {
  return `findings ${id}`
}
