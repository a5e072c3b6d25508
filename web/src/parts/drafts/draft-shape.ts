// Whether a value that was kept outside of the program still has the shape that the program gives it.

export type Is<T> = (value: unknown) => value is T

export function isText(value: unknown): value is string {
  return typeof value === 'string'
}

export function isFlag(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

export function isTexts(value: unknown): value is string[] {
  return listOf(isText)(value)
}

export function isFields(value: unknown): value is Readonly<Record<string, string>> {
  return isMembers(value) && Object.values(value).every(isText)
}

export function nullOr<T>(is: Is<T>): Is<T | null> {
  return (value): value is T | null => value === null || is(value)
}

export function oneOf<const T extends string>(words: readonly T[]): Is<T> {
  return (value): value is T => words.some((word) => word === value)
}

export function listOf<T>(is: Is<T>): Is<T[]> {
  return (value): value is T[] => Array.isArray(value) && value.every(is)
}

/** An object that has these members; others do no harm. */
export function recordOf<T extends object>(members: { readonly [Name in keyof T]: Is<T[Name]> }): Is<T> {
  return (value): value is T =>
    isMembers(value) && Object.entries<Is<unknown>>(members).every(([name, is]) => is(value[name]))
}

/** An object of whatever members. */
export function isMembers(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
