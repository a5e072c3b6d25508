// What a service uses, without what its next collection would find.
import { once } from 'node:events'
import { pause } from '../../support/pause.ts'
import type { Service } from '../program.ts'
import type { Reading } from '../soak/readings.ts'

/** Lets a collection be asked for, at a port of the system's choice. */
export const inspected = '--inspect=127.0.0.1:0'

const lookEveryMs = 2_000
const looks = 3
const answerMs = 30_000

/** The least that the heap of the main thread and the buffers beside it had after collections, in mebibytes. */
export async function usedAtRest(service: Service, read: () => Promise<Reading>): Promise<number> {
  const used: number[] = []
  for (let look = 0; look < looks; look += 1) {
    await collect(service)
    const { memory } = await read()
    used.push(memory.heap + memory.external)
    await pause(lookEveryMs)
  }
  return Math.min(...used)
}

/** Looks at what a process holds, until it is told to stop; gives the most, in mebibytes. */
export function watchResident(memoryMb: () => number | null): { stop: () => number } {
  let most = memoryMb() ?? 0
  const timer = setInterval(() => (most = Math.max(most, memoryMb() ?? 0)), lookEveryMs)
  return {
    stop: () => {
      clearInterval(timer)
      return most
    },
  }
}

/** By the protocol of V8's inspector (chromedevtools.github.io/devtools-protocol/v8/HeapProfiler). */
async function collect({ log }: Service): Promise<void> {
  const [, url] = /^Debugger listening on (ws:\S+)$/m.exec(log()) ?? []
  if (url === undefined) throw new Error('The service listens to no inspector.')
  const socket = new WebSocket(url)
  const signal = AbortSignal.timeout(answerMs)
  await once(socket, 'open', { signal })
  socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }))
  await once(socket, 'message', { signal })
  socket.close()
}
