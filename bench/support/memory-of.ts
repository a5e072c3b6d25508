import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { pause } from './service.ts'

export type MemoryOf = {
  /** Kilobytes of objects and buffers that one piece of work makes, most of them for a moment. */
  madeKb: number
  /** Kilobytes that all pieces together left behind, once what nothing refers to is collected. */
  keptKb: number
}

const warmUp = 100
const pieces = 400
const closingMs = 300

/** Measures work of this thread, one piece after the other. */
export async function memoryOf(work: (index: number) => Promise<void>): Promise<MemoryOf> {
  const collect = collector()
  for (let index = 0; index < warmUp; index += 1) await work(index)
  collect()
  const before = usedBytes()
  let made = 0
  let last = before
  for (let index = 0; index < pieces; index += 1) {
    await work(warmUp + index)
    const now = usedBytes()
    // Less than before: there was a collection, and what this piece made is not known.
    if (now > last) made += now - last
    last = now
  }
  // Connections that were just closed are held a moment longer.
  await pause(closingMs)
  collect()
  return { madeKb: made / 1024 / pieces, keptKb: (usedBytes() - before) / 1024 }
}

function usedBytes(): number {
  const { used_heap_size: heap, external_memory: outside } = getHeapStatistics()
  return heap + outside
}

function collector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect !== 'function') throw new Error('This Node does not let go of memory when it is asked to.')
  // Twice, because buffers go with the objects that named them.
  return () => {
    collect()
    collect()
  }
}
