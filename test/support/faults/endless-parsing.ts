// Imported before the program (`NODE_OPTIONS=--import`): in its threads, a JSON text that has these words is parsed for
// ever, or into more than the thread's memory. It stands for whatever reader of answers has an input that it cannot bear.
import { isMainThread } from 'node:worker_threads'

export const endlessWords = 'parse me for ever'
export const greedyWords = 'parse me into all there is'

const pieceLength = 1024 * 1024

function isGreedy(text: unknown): boolean {
  return typeof text === 'string' && text.includes(greedyWords)
}

if (!isMainThread) {
  const { parse } = JSON
  JSON.parse = (text, reviver) => {
    if (typeof text === 'string' && text.includes(endlessWords)) for (;;);
    const hoard: number[][] = []
    const piece = isGreedy(text) ? Array.from({ length: pieceLength }, () => 0.5) : []
    // Copies take little of the processor, so that its thread dies before it counts as one that never ends.
    while (piece.length > 0) hoard.push(piece.slice())
    return parse(text, reviver)
  }
}
