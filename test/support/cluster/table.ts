/** Figures in columns: numbers with a decimal where they have one, null as a dash. */
export function table(heads: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  const texts = [heads, ...rows.map((row) => row.map(textOf))]
  const widths = heads.map((_, column) => Math.max(...texts.map((row) => (row[column] ?? '').length)))
  return texts.map((row) => row.map((text, column) => aligned(text, widths[column] ?? 0, column)).join('  ')).join('\n')
}

function textOf(value: string | number | null): string {
  if (value === null) return '-'
  if (typeof value === 'string') return value
  return Number.isInteger(value) ? String(value) : value.toFixed(1)
}

function aligned(text: string, width: number, column: number): string {
  return column === 0 ? text.padEnd(width) : text.padStart(width)
}
