import {
  type ReadRecord,
  readRecordTexts,
  type RecordSource,
  type RecordSources,
  type RecordText,
} from '#advisories/record-reading.ts'
import { type Asked, openThread, type ThreadLimits } from '#threads/thread.ts'
import { FeedError } from './feed.ts'

export type RecordQuestion<Source extends RecordSource = RecordSource> = {
  source: Source
  texts: readonly RecordText[]
}
export type RecordAnswer<Source extends RecordSource = RecordSource> = ReadRecord<RecordSources[Source]>[]

/** Reads the records of one feed. */
export type RecordReader<Read> = {
  /**
   * What the records say, in their order. Throws FeedError where several were made to take too long, and rejects when
   * the signal aborts.
   */
  read: (texts: readonly RecordText[], signal: AbortSignal) => Promise<ReadRecord<Read>[]>
  close: () => Promise<void>
}

const code = new URL('./record-worker.ts', import.meta.url)
/** The longest honest batch takes less than a second of an idle machine. */
const usualLimits: ThreadLimits = { timeoutMs: 30_000, maxHeapMb: 512 }
/** So few characters take some ten milliseconds, whatever they are: less than a thread takes to start. */
const shortLength = 65_536
/** A feed with more records that were made to be slow is left alone until its next reading. */
const mostGivenUp = 3

/**
 * Records are read in a thread of their own, which can be ended: in `perigee start` the API, the engine and all jobs
 * share the thread that this one would hold up. The thread starts with the first long batch and runs until `close`.
 */
export function openRecordReader<Source extends RecordSource>(
  source: Source,
  limits: ThreadLimits = usualLimits,
): RecordReader<RecordSources[Source]> {
  const { ask, close } = openThread<RecordQuestion<Source>, RecordAnswer<Source>>(code, limits)
  let givenUp = 0
  const readAlone = async (text: RecordText, signal: AbortSignal): Promise<RecordAnswer<Source>> => {
    const asked = await ask({ source, texts: [text] }, signal)
    if (asked.type === 'answered') return asked.answer
    signal.throwIfAborted()
    givenUp += 1
    if (givenUp > mostGivenUp)
      throw new FeedError(`The feed has more than ${mostGivenUp} records like this one: ${problemOf(asked)}`)
    return [{ type: 'unreadable', problem: problemOf(asked) }]
  }
  return {
    read: async (texts, signal) => {
      if (lengthOf(texts) <= shortLength) return readRecordTexts(source, texts)
      const asked = await ask({ source, texts }, signal)
      if (asked.type === 'answered') return asked.answer
      // One of them was made to be slow; the others are read without it.
      const read: RecordAnswer<Source> = []
      for (const text of texts) read.push(...(await readAlone(text, signal)))
      return read
    },
    close,
  }
}

export function lengthOf(texts: readonly RecordText[]): number {
  return texts.reduce((length, text) => length + text.length, 0)
}

function problemOf(asked: Exclude<Asked<unknown>, { type: 'answered' }>): string {
  return `A record takes too ${asked.why === 'memory' ? 'much memory' : 'long'} to read.`
}
