/** The key under which the software of a monitor is cached. */
export function findingsKey(id: string): string {
  return `findings ${id}`
}

/** And that of what is exploited in it. */
export function exposuresKey(id: string): string {
  return `exposures ${id}`
}
