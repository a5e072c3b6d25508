import type { Advisory } from '#core/software/advisory.ts'
import type { ReadRecord, RecordText } from '#advisories/record-reading.ts'
import type { FeedStep } from './feed.ts'
import type { RecordReader } from './record-reader.ts'

/** A record as it came; `text` is null where it could not be unpacked. */
export type NamedText = { name: string; text: RecordText | null }

/** The bounds hold for the records that are read and stored together. */
const recordsAtOnce = 250
const lengthAtOnce = 2 * 1024 * 1024

/** Gathers single records into steps. One that cannot be read is reported in `skipped`, and the others are still read. */
export async function* inSteps(
  records: AsyncIterable<NamedText> | Iterable<NamedText>,
  reader: Pick<RecordReader<Advisory>, 'read'>,
  signal: AbortSignal,
): AsyncGenerator<FeedStep> {
  let waiting: NamedText[] = []
  let length = 0
  for await (const one of records) {
    waiting.push(one)
    length += one.text?.length ?? 0
    if (waiting.length < recordsAtOnce && length < lengthAtOnce) continue
    yield readStep(waiting, reader, signal)
    waiting = []
    length = 0
  }
  if (waiting.length > 0) yield readStep(waiting, reader, signal)
}

async function readStep(
  records: readonly NamedText[],
  reader: Pick<RecordReader<Advisory>, 'read'>,
  signal: AbortSignal,
): Promise<FeedStep> {
  const texts = records.flatMap(({ text }) => text ?? [])
  const read = (await reader.read(texts, signal)).values()
  const step: FeedStep = { advisories: [], skipped: [], cursor: null }
  for (const { name, text } of records) {
    const one: ReadRecord<Advisory> = (text === null ? null : read.next().value) ?? { type: 'no_json' }
    if (one.type === 'read') step.advisories.push(one.record)
    else step.skipped.push(one.type === 'unreadable' ? one.problem : `${name} cannot be unpacked, or is no JSON.`)
  }
  return step
}
