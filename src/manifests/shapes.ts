/**
 * Reads values of parsed files, in which a value of an unexpected shape counts as empty: PHP writes an empty object as
 * a list, and old files have undocumented forms.
 */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function member(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** Whether an object has one of these members, whatever its value. */
export function hasAnyOf(value: unknown, names: readonly string[]): boolean {
  return isRecord(value) && names.some((name) => Object.hasOwn(value, name))
}

export function entriesOf(value: unknown): [name: string, value: unknown][] {
  return isRecord(value) ? Object.entries(value) : []
}

export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Null for anything but a text that is not empty. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
