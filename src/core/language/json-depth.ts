/** Limit of nested objects and lists in JSON that callers send: the functions that read it call themselves. */
export const maxJsonDepth = 64

/** Whether the objects and lists of a JSON value are nested deeper than `levels`. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1))
}
