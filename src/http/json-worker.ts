// The code of the thread of json-thread.ts: reads the JSON of a long body.
import { parseBoundedJson } from '#core/language/bounded-json.ts'
import { answerQuestions } from '#threads/answering.ts'
import type { LongBody, ReadBody } from './json-thread.ts'

answerQuestions(read)

/** A long body has few members and long texts in them; its value goes back to a thread that has other work. */
const maxCost = 3_000

function read(bytes: LongBody): ReadBody {
  try {
    return parseBoundedJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes), maxCost)
  } catch {
    // The bytes are not UTF-8.
    return { type: 'invalid' }
  }
}
