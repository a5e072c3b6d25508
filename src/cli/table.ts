import { cut, padded, widthOf } from './terminal/width.ts'

export type TableOptions = {
  /** The columns of the terminal, into which the widest cells are cut. Null where lines may be as long as they are. */
  columns?: number | null
  /** Colours a cell, which has its spaces already. */
  paint?: (cell: string, place: { column: number; row: number }) => string
}

const gap = 2
/** A column is not cut below this. */
const leastWidth = 8

/** Columns padded to their widest cell, two spaces apart. Control characters in cells are shown, not obeyed. */
export function table(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  { columns = null, paint = (cell) => cell }: TableOptions = {},
): string {
  const lines = [header, ...rows].map((cells) => cells.map(printable))
  const widest = header.map((_, column) => Math.max(...lines.map((cells) => widthOf(cells[column] ?? ''))))
  const widths = columns === null ? widest : narrowed(widest, columns)
  return lines.map((cells, line) => `${lineOf(cells, { widths, row: line - 1, paint })}\n`).join('')
}

type Line = { widths: readonly number[]; row: number; paint: NonNullable<TableOptions['paint']> }

function lineOf(cells: readonly string[], { widths, row, paint }: Line): string {
  const last = cells.findLastIndex((cell) => cell !== '')
  return cells
    .slice(0, last + 1)
    .map((cell, column) => {
      const width = widths[column] ?? 0
      const shown = column === last ? cut(cell, width).trimEnd() : padded(cut(cell, width), width)
      return row < 0 ? shown : paint(shown, { column, row })
    })
    .join(' '.repeat(gap))
}

/** Takes what is too much from the widest columns. */
function narrowed(widths: readonly number[], columns: number): number[] {
  const room = columns - gap * (widths.length - 1)
  const narrow = [...widths]
  for (let over = sumOf(narrow) - room; over > 0; over = sumOf(narrow) - room) {
    const most = Math.max(...narrow)
    if (most <= leastWidth) break
    const [widest, next] = [narrow.indexOf(most), Math.max(leastWidth, ...narrow.filter((width) => width < most))]
    narrow[widest] = Math.max(most - over, next - 1, leastWidth)
  }
  return narrow
}

function sumOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0)
}

/** A name that people chose must not move the cursor or turn the direction of the line. */
export function printable(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
}
