import type { ResultRecord, ResultsPage } from '../../api/monitors.ts'
import { csvRow } from '../../parts/csv.ts'

export type ExportForm = 'csv' | 'json'

/** How a file begins, how each result is written, what stands between two, and how it ends. */
type Form = {
  type: string
  head: string
  write: (result: ResultRecord) => string
  between: string
  foot: string
}

const columns = [
  'checked_at',
  'last_checked_at',
  'location_code',
  'status',
  'status_code',
  'latency_ms',
  'latency_max_ms',
  'repeats',
  'error',
  'id',
] as const satisfies readonly (keyof ResultRecord)[]

export const exportForms: Readonly<Record<ExportForm, Form>> = {
  // RFC 4180: lines end with CR LF.
  csv: {
    type: 'text/csv;charset=utf-8',
    head: `${columns.join(',')},details\r\n`,
    write: (result) => csvRow([...columns.map((name) => result[name]), JSON.stringify(result.details)]),
    between: '\r\n',
    foot: '\r\n',
  },
  json: {
    type: 'application/json',
    head: '[\n',
    write: (result) => JSON.stringify(result),
    between: ',\n',
    foot: '\n]\n',
  },
}

/** A page has room in a minute's reads beside everything else, and a spreadsheet opens the file. */
export const mostExported = 20_000
const pageSize = 500

type Reading = { form: ExportForm; onCount: (count: number) => void }
type Exported = { parts: string[]; count: number; isCut: boolean }

/** Reads page after page, and keeps of each only its text. */
export async function readForExport(
  read: (limit: number, cursor: string) => Promise<ResultsPage>,
  { form, onCount }: Reading,
): Promise<Exported> {
  const { head, write, between, foot } = exportForms[form]
  const parts = [head]
  let [count, cursor] = [0, '']
  while (count < mostExported) {
    const { data, next_cursor: next } = await read(pageSize, cursor)
    if (data.length > 0) parts.push(`${count === 0 ? '' : between}${data.map(write).join(between)}`)
    count += data.length
    onCount(count)
    if (next === null) return { parts: [...parts, count === 0 ? foot.trimStart() : foot], count, isCut: false }
    cursor = next
  }
  return { parts: [...parts, foot], count, isCut: true }
}
