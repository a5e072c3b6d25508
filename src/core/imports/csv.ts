import { ImportError } from './imported.ts'

const maxRows = 20_000
const maxCells = 200

/**
 * Rows of comma-separated values (RFC 4180), or of values separated by semicolons or tabs where the first line has more
 * of these. Rows without text are left out.
 */
export function readCsv(content: string): string[][] {
  const text = content.replace(/^\uFEFF/, '')
  const separator = separatorOf(text)
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at, separator)
    row.push(cell.value)
    if (row.length > maxCells) throw new ImportError(`Row ${rows.length + 1} has more than ${maxCells} cells.`)
    at = cell.end
    if (text[at] === separator) {
      at += 1
      if (at < text.length) continue
      row.push('')
    }
    if (row.some((each) => each.trim() !== '')) rows.push(row)
    if (rows.length > maxRows) throw new ImportError(`It has more than ${maxRows} rows.`)
    row = []
    if (text[at] === '\r') at += 1
    if (text[at] === '\n') at += 1
  }
  return rows
}

type Cell = { value: string; end: number }

function separatorOf(text: string): string {
  const line = text.slice(0, Math.max(0, text.search(/[\r\n]|$/)))
  const counted = [',', ';', '\t'].map((mark): [string, number] => [mark, line.split(mark).length])
  return counted.reduce((most, each) => (each[1] > most[1] ? each : most))[0]
}

function plainCell(text: string, from: number, separator: string): Cell {
  let end = from
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end += 1
  return { value: text.slice(from, end), end }
}

/** What follows the closing quote up to the next separator belongs to no cell, and is left out. */
function quotedCell(text: string, from: number): Cell {
  const parts: string[] = []
  let start = from + 1
  for (;;) {
    const quote = text.indexOf('"', start)
    if (quote === -1) throw new ImportError('A quoted cell has no end.')
    parts.push(text.slice(start, quote))
    if (text[quote + 1] !== '"') return { value: parts.join('"'), end: afterQuote(text, quote + 1) }
    start = quote + 2
  }
}

function afterQuote(text: string, from: number): number {
  let end = from
  while (end < text.length && !',;\t\r\n'.includes(text[end] ?? '')) end += 1
  return end
}
