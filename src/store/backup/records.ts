// The inside of a backup: records, of a kind (1 byte), the length of their content (4) and the content. First comes what
// the backup is, then each table with its rows and what they add up to, then the end.
import { z } from 'zod'
import { damaged } from './frames.ts'
import type { ByteReader } from './byte-reader.ts'

const tableSchema = z.object({
  /** Null for the schema that the database's connections use. */
  schema: z.string().nullable(),
  name: z.string(),
  columns: z.array(z.string()).min(1),
})
/** A table, by its columns in the order in which its rows are written. */
export type BackupTable = z.infer<typeof tableSchema>

/** What is compared after a restore: the number of rows, and a sum of the rows that does not depend on their order. */
const totalsSchema = z.object({ rows: z.string(), sum: z.string() })
export type TableTotals = z.infer<typeof totalsSchema>

const manifestSchema = z.object({
  created_at: z.iso.datetime(),
  release: z.string(),
  postgres: z.string(),
  migrations: z.array(z.object({ number: z.int(), name: z.string(), checksum: z.string().nullable() })),
  /** The UTC days whose results have a table. */
  result_days: z.array(z.iso.date()),
  /** Names the key with which secrets are encrypted; null before the first start. */
  key_identity: z.string().nullable(),
  /** The key itself, only in a backup that is encrypted. */
  secret_key: z.base64().nullable(),
  /** Other keys that open what is in it. A release before they could change writes none. */
  former_secret_keys: z.array(z.base64()).default([]),
})
export type Manifest = z.infer<typeof manifestSchema>

const endSchema = z.object({
  tables: z.int(),
  sequences: z.array(z.object({ schema: z.string().nullable(), name: z.string(), last_value: z.string() })),
})
export type BackupEnd = z.infer<typeof endSchema>

export type BackupRecord =
  | { kind: 'manifest'; content: Manifest }
  | { kind: 'table'; content: BackupTable }
  | { kind: 'rows'; content: Buffer }
  | { kind: 'totals'; content: TableTotals }
  | { kind: 'end'; content: BackupEnd }

const letters = { manifest: 'M', table: 'T', rows: 'R', totals: 'S', end: 'E' } as const
const headBytes = 5
/** Rows are written in pieces of 64 kB, or of one row, which PostgreSQL allows to have a gigabyte. */
const maxRecordBytes = 2 ** 30

export function recordBytes({ kind, content }: BackupRecord): Buffer {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content))
  const head = Buffer.alloc(headBytes)
  head.write(letters[kind], 'latin1')
  head.writeUInt32BE(bytes.length, 1)
  return Buffer.concat([head, bytes])
}

/** Null at the end of what there is. Throws StartError for what is no record. */
export async function readRecord(reader: ByteReader): Promise<BackupRecord | null> {
  const head = await reader.take(headBytes)
  if (head.length === 0) return null
  if (head.length < headBytes) throw damaged()
  const length = head.readUInt32BE(1)
  if (length > maxRecordBytes) throw damaged()
  const content = await reader.take(length)
  if (content.length < length) throw damaged()
  return parsedRecord(head.toString('latin1', 0, 1), content)
}

function parsedRecord(letter: string, content: Buffer): BackupRecord {
  switch (letter) {
    case letters.manifest:
      return { kind: 'manifest', content: parsed(manifestSchema, content) }
    case letters.table:
      return { kind: 'table', content: parsed(tableSchema, content) }
    case letters.rows:
      return { kind: 'rows', content }
    case letters.totals:
      return { kind: 'totals', content: parsed(totalsSchema, content) }
    case letters.end:
      return { kind: 'end', content: parsed(endSchema, content) }
    default:
      throw damaged()
  }
}

function parsed<T>(schema: z.ZodType<T>, content: Buffer): T {
  try {
    return schema.parse(JSON.parse(content.toString('utf8')))
  } catch {
    throw damaged()
  }
}
