// Imported before the program (`NODE_OPTIONS=--import`): in its threads, a JSON text that has these words is parsed for
// ever. It stands for whatever reader of answers has an input that it never ends with.
import { isMainThread } from 'node:worker_threads'

export const endlessWords = 'parse me for ever'

if (!isMainThread) {
  const { parse } = JSON
  JSON.parse = (text, reviver) => {
    if (typeof text === 'string' && text.includes(endlessWords)) for (;;);
    return parse(text, reviver)
  }
}
