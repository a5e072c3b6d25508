/** The key under which the software of a monitor is cached. */
export function findingsKey(id: string): string {
  return `findings ${id}`
}
