/** Of objects and lists in what others send: it is read by functions that call themselves. */
export const maxJsonDepth = 64

/** Whether a JSON value is nested deeper than so many levels. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1))
}
