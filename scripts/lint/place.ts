/** Where a file of src/ stands. */
export interface Place {
  layer: string
  /** Below src/. */
  file: string
}

/** Null for files outside of src/. Tests lie in no layer: they may reach everything. */
export function placeOf(path: string): Place | null {
  const file = /(?:^|\/)src\/(?!.*\/src\/)([\w./-]+)$/.exec(path.replaceAll('\\', '/'))?.[1]
  if (file === undefined || file.endsWith('.test.ts') || /(?:^|\/)web\/src\//.test(path)) return null
  return { file, layer: file.split('/')[0] ?? '' }
}
