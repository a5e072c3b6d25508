import { z } from 'zod'
import { type JsonReading, parseBoundedJson } from '#core/language/bounded-json.ts'
import type { Advisory, ExploitedVulnerability, ProductCycles } from '#core/software/advisory.ts'
import { AdvisoryError } from './advisory-error.ts'
import { readCve } from './cve.ts'
import { type CveChange, readCveChange } from './cve-changes.ts'
import { readProductCycles } from './endoflife.ts'
import { readExploited } from './exploited.ts'
import { readNvd } from './nvd.ts'
import { readOsv } from './osv.ts'

/** What is read from the records of each feed. */
export type RecordSources = {
  osv: Advisory
  nvd: Advisory
  cve: Advisory
  cve_changes: CveChange
  exploited: ExploitedVulnerability
  endoflife: ProductCycles
}
export type RecordSource = keyof RecordSources

/** The JSON of a record. Bytes are UTF-8. */
export type RecordText = string | Uint8Array

/** `problem` is a sentence for the operator's log. */
export type ReadRecord<Read> =
  | { type: 'read'; record: Read }
  | { type: 'unreadable'; problem: string }
  | { type: 'no_json' }

/** Reads each record for itself: one that cannot be read says why. Takes as long as they were made to take. */
export function readRecordTexts<Source extends RecordSource>(
  source: Source,
  texts: readonly RecordText[],
): ReadRecord<RecordSources[Source]>[] {
  const read = recordReaders[source]
  return texts.map((text) => readRecord(read, text))
}

/** The readers of all feeds. Each throws AdvisoryError for a record that it cannot read. */
export const recordReaders: Readonly<{ [Source in RecordSource]: (record: unknown) => RecordSources[Source] }> = {
  osv: readOsv,
  nvd: (item) => readNvd(nvdItem.parse(item).cve),
  cve: readCve,
  cve_changes: readCveChange,
  exploited: readExploited,
  endoflife: readProductCycles,
}

/** The NVD's API wraps each record. */
const nvdItem = z.object({ cve: z.unknown() }).catch({ cve: null })

/**
 * A hundred times what the longest records cost. More would need so much memory that V8 would end not the thread alone
 * but the whole process: its parser does not stop at the limit of a thread.
 */
const maxJsonCost = 150_000

function readRecord<Read>(read: (record: unknown) => Read, text: RecordText): ReadRecord<Read> {
  const parsed = parse(text)
  if (parsed.type === 'invalid') return { type: 'no_json' }
  if (parsed.type === 'too intricate')
    return { type: 'unreadable', problem: 'A record has more lists, objects or different names than are read.' }
  try {
    return { type: 'read', record: read(parsed.value) }
  } catch (error) {
    if (!(error instanceof AdvisoryError)) throw error
    return { type: 'unreadable', problem: error.message }
  }
}

function parse(text: RecordText): JsonReading {
  return parseBoundedJson(typeof text === 'string' ? text : new TextDecoder().decode(text), maxJsonCost)
}
