// The pipe between a process and the process of its probers: frames of a head, which is JSON, and a body of bytes. Each
// begins with the two lengths. What was written in one turn of the event loop leaves together.
import type { Duplex } from 'node:stream'

/** `head` is a text that should be JSON. */
export type Frame = { head: string; body: Uint8Array }

/** Bytes that are no frames. */
export class FrameError extends Error {}

export type FrameLimits = { maxHeadBytes: number; maxBodyBytes: number }

export type FramePipe = {
  send: (head: object, body?: Uint8Array) => void
  /** Resolves when all that was sent is with the system, or the pipe is closed. */
  flush: () => Promise<void>
  close: () => void
}

export type FrameHandlers = {
  onFrame: (frame: Frame) => void
  /** Told of what `onFrame` throws, of a `FrameError`, and of a reader that does not read. Then the pipe is closed. */
  onBroken: (error: Error) => void
  onClose: () => void
}

const lengthBytes = 4
const prefixBytes = 2 * lengthBytes
const none = new Uint8Array()
/** Answers with configurations are the largest messages; of these, some hundred may wait. */
const maxWaitingBytes = 128 * 1024 * 1024

export function openFrames(
  pipe: Duplex,
  limits: FrameLimits,
  { onFrame, onBroken, onClose }: FrameHandlers,
): FramePipe {
  const reader = new FrameReader(limits)
  let turn: NodeJS.Immediate | null = null
  const fail = (error: Error): void => {
    pipe.destroy()
    onBroken(error)
  }
  pipe.on('data', (chunk: Buffer) => {
    try {
      for (const frame of reader.take(chunk)) onFrame(frame)
    } catch (error) {
      fail(error instanceof Error ? error : new FrameError(String(error)))
    }
  })
  // The close that follows tells enough.
  pipe.on('error', () => {})
  pipe.on('close', onClose)
  function uncork(): void {
    turn = null
    pipe.uncork()
  }
  return {
    send: (head, body = none) => {
      if (!pipe.writable) return
      if (pipe.writableLength > maxWaitingBytes) return fail(new FrameError('It does not read what it is sent.'))
      if (turn === null) {
        pipe.cork()
        turn = setImmediate(uncork)
      }
      pipe.write(prefixed(head, body.byteLength))
      if (body.byteLength > 0) pipe.write(body)
    },
    flush: async () => {
      if (turn !== null) {
        clearImmediate(turn)
        uncork()
      }
      if (pipe.writable && pipe.writableLength > 0) await new Promise((resolve) => pipe.write('', resolve))
    },
    close: () => pipe.destroy(),
  }
}

function prefixed(head: object, bodyLength: number): Buffer {
  const text = JSON.stringify(head)
  const headLength = Buffer.byteLength(text)
  const bytes = Buffer.allocUnsafe(prefixBytes + headLength)
  bytes.writeUInt32BE(headLength, 0)
  bytes.writeUInt32BE(bodyLength, lengthBytes)
  bytes.write(text, prefixBytes)
  return bytes
}

/** Makes frames of whatever pieces come. */
export class FrameReader {
  readonly #limits: FrameLimits
  #pieces: Buffer[] = []
  #length = 0
  /** Until so many bytes have come, there is nothing to be read. */
  #needed = prefixBytes

  constructor(limits: FrameLimits) {
    this.#limits = limits
  }

  /** Throws FrameError. A body is a view of the bytes that came. */
  take(piece: Buffer): Frame[] {
    this.#pieces.push(piece)
    this.#length += piece.length
    if (this.#length < this.#needed) return []
    const [first = piece] = this.#pieces
    const bytes = this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces, this.#length)
    const frames: Frame[] = []
    let at = 0
    for (;;) {
      this.#needed = this.#frameLength(bytes, at)
      if (bytes.length - at < this.#needed) break
      frames.push(frameOf(bytes.subarray(at, at + this.#needed)))
      at += this.#needed
    }
    const rest = bytes.subarray(at)
    this.#pieces = rest.length === 0 ? [] : [rest]
    this.#length = rest.length
    return frames
  }

  /** Of the frame that begins there, as far as that is known. */
  #frameLength(bytes: Buffer, at: number): number {
    if (bytes.length - at < prefixBytes) return prefixBytes
    const [headLength, bodyLength] = [bytes.readUInt32BE(at), bytes.readUInt32BE(at + lengthBytes)]
    if (headLength > this.#limits.maxHeadBytes || bodyLength > this.#limits.maxBodyBytes)
      throw new FrameError('A frame is larger than any that is sent.')
    return prefixBytes + headLength + bodyLength
  }
}

function frameOf(bytes: Buffer): Frame {
  const bodyAt = prefixBytes + bytes.readUInt32BE(0)
  return { head: bytes.toString('utf8', prefixBytes, bodyAt), body: bytes.subarray(bodyAt) }
}
