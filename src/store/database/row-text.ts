// Rows of many columns by the thousand: sent as one text each and taken apart here they cost half as much, on both
// sides, as the driver's column by column (measured on lists of monitors).
import { type Column, refuse } from './columns.ts'

/** Gives the values of a row in their order, each as its column is read. */
export type NextValue = <Value>(column: Column<Value>) => Value

/** The values of `row(…)::text`. */
export function valuesIn(row: string): NextValue {
  const texts = readRowText(row)
  let position = 0
  return (column) => {
    const text = texts[position]
    if (text === undefined) throw new RangeError(`The row has ${texts.length} columns.`)
    position += 1
    return column(text)
  }
}

type Computed<Row, Context, Value> = {
  /** `record` has the members before this one already, and `context` is told for all rows. */
  compute: (text: string | null, record: Row, context: Context) => Value
}

/** How each member of a record is read: from its column alone, or computed from more. */
export type RecordColumns<Row, Context> = {
  readonly [Name in keyof Row]: Column<Row[Name]> | Computed<Row, Context, Row[Name]>
}

/**
 * Reads rows whose columns are the members of a record, in their order. Rows of a list are much alike: a column that
 * holds the same as in the row before is not read again, so that records may have arrays and objects in common.
 */
export function recordsReader<Row extends object, Context>(
  columns: RecordColumns<Row, Context>,
): (rows: readonly string[], context: Context) => Row[]
export function recordsReader(
  columns: Readonly<Record<string, Column<unknown> | Computed<object, unknown, unknown>>>,
): (rows: readonly string[], context: unknown) => object[] {
  const members = Object.entries(columns).map(([name, column]) =>
    typeof column === 'function'
      ? { name, read: column, compute: null }
      : { name, read: null, compute: column.compute },
  )
  // A copy has its members from the beginning; an object that grows by names one after the other takes half as long again.
  const empty: Readonly<Record<string, unknown>> = Object.fromEntries(members.map(({ name }) => [name, null]))
  return (rows, context) => {
    let record = empty
    /** The columns of the row before, as they were written. */
    const before: string[] = []
    return rows.map((row) => {
      checkBrackets(row)
      const next = { ...record }
      let from = 1
      let place = 0
      for (const { name, read, compute } of members) {
        if (from >= row.length) throw new RangeError(`The row has ${place} columns, not ${members.length}.`)
        const known = before[place]
        const isSame = known !== undefined && stands(known, row, from)
        const written = isSame ? known : row.slice(from, endOf(row, from))
        if (read === null) next[name] = compute(columnOf(written), next, context)
        else if (!isSame) next[name] = read(columnOf(written))
        before[place] = written
        from += written.length + 1
        place += 1
      }
      record = next
      return next
    })
  }
}

/** Whether the column that begins there is this one: what is written in quotation marks has none that stands alone. */
function stands(written: string, row: string, from: number): boolean {
  const end = from + written.length
  return row.startsWith(written, from) && (row.charAt(end) === ',' || end === row.length - 1)
}

/**
 * The columns of a row as PostgreSQL writes it (8.16.6): those with special characters, and empty ones, in quotation
 * marks, where quotation marks and backslashes stand twice; null as nothing at all.
 */
export function readRowText(row: string): (string | null)[] {
  checkBrackets(row)
  const columns: (string | null)[] = []
  for (let from = 1; from < row.length;) {
    const end = endOf(row, from)
    columns.push(columnOf(row.slice(from, end)))
    from = end + 1
  }
  return columns
}

function checkBrackets(row: string): void {
  if (row.charAt(0) !== '(' || row.charAt(row.length - 1) !== ')') refuse(row)
}

function endOf(row: string, from: number): number {
  return row.charAt(from) === '"' ? endOfQuoted(row, from) : endOfPlain(row, from)
}

function endOfPlain(row: string, from: number): number {
  const comma = row.indexOf(',', from)
  return comma === -1 ? row.length - 1 : comma
}

function endOfQuoted(row: string, from: number): number {
  for (let quote = row.indexOf('"', from + 1); quote !== -1; quote = row.indexOf('"', quote + 2))
    if (row.charAt(quote + 1) !== '"') return quote + 1
  return refuse(row)
}

function columnOf(written: string): string | null {
  if (written === '') return null
  if (!written.startsWith('"')) return written
  const inner = written.slice(1, -1)
  return inner.includes('"') || inner.includes('\\') ? inner.replaceAll(/""|\\\\/g, (pair) => pair.charAt(0)) : inner
}
