/** A row of a table as RFC 4180 writes it, without its end. */
export function csvRow(cells: readonly (string | number | null)[]): string {
  return cells.map(csvCell).join(',')
}

/** A table with its first row for the names of the columns. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${csvRow(row)}\r\n`).join('')
}

/**
 * Text of others may begin like a formula, which a spreadsheet would run: an apostrophe before it makes it text (OWASP,
 * "CSV Injection").
 */
function csvCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const safe = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
