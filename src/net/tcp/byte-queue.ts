/** Bytes in the order in which they came. */
export type ByteQueue = {
  add: (bytes: Uint8Array) => void
  /** All of them, until the next one is added. */
  bytes: () => Buffer
  /** Takes the first `count` out; what was taken stays as it is. */
  cut: (count: number) => Buffer
}

const leastBytes = 512

/**
 * Room is made for twice of what is there, so that a server that sends its bytes one at a time costs no more for each than
 * another one.
 */
export function createByteQueue(): ByteQueue {
  let room = Buffer.alloc(0)
  let start = 0
  let end = 0
  return {
    add: (bytes) => {
      if (end + bytes.length > room.length) {
        // Not in place: what was cut is a part of the old room.
        const next = Buffer.allocUnsafe(Math.max(2 * (end - start + bytes.length), leastBytes))
        end = room.copy(next, 0, start, end)
        start = 0
        room = next
      }
      room.set(bytes, end)
      end += bytes.length
    },
    bytes: () => room.subarray(start, end),
    cut: (count) => {
      const bytes = room.subarray(start, start + count)
      start += bytes.length
      return bytes
    },
  }
}
