/** Reads bytes by number from pieces of any size. */
export type ByteReader = {
  /** Fewer than asked for where the source ends; none at its end. */
  take: (bytes: number) => Promise<Buffer>
}

export function createByteReader(source: AsyncIterable<Buffer>): ByteReader {
  const pieces = source[Symbol.asyncIterator]()
  let waiting: Buffer[] = []
  let waitingBytes = 0
  return {
    take: async (bytes) => {
      while (waitingBytes < bytes) {
        const next = await pieces.next()
        if (next.done === true) break
        waiting.push(next.value)
        waitingBytes += next.value.length
      }
      const [only, ...more] = waiting
      const whole = only !== undefined && more.length === 0 ? only : Buffer.concat(waiting)
      waiting = whole.length > bytes ? [whole.subarray(bytes)] : []
      waitingBytes = Math.max(0, whole.length - bytes)
      return whole.subarray(0, bytes)
    },
  }
}
