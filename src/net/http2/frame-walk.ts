/** Types of frames (RFC 9113 6). */
const types = { data: 0, headers: 1, reset: 3, settings: 4, continuation: 9 }

const endStream = 1

const headBytes = 9

/** What the frames of a server come to, so far. */
export type FrameCounts = {
  frames: number
  /** Frames that carry headers, and the bytes in them. */
  headFrames: number
  headBytes: number
  /** Frames that carry neither headers nor a body. */
  otherFrames: number
  /** Whether the server ended its answer (END_STREAM), or reset the request. */
  hasEnded: boolean
  hasReset: boolean
}

/** Follows frames by their lengths, without a look at what is in them. */
export class FrameWalk {
  readonly counts: FrameCounts = {
    frames: 0,
    headFrames: 0,
    headBytes: 0,
    otherFrames: 0,
    hasEnded: false,
    hasReset: false,
  }
  /** How a server begins that does not begin with its settings, as it has to (RFC 9113 3.4); null for one that does. */
  foreign: Buffer | null = null
  readonly #head = Buffer.alloc(headBytes)
  #headLength = 0
  /** Bytes of the frame that have not come yet. */
  #missing = 0

  take(bytes: Buffer): void {
    let at = 0
    while (at < bytes.length && this.foreign === null) {
      const step = Math.min(bytes.length - at, this.#missing > 0 ? this.#missing : headBytes - this.#headLength)
      if (this.#missing > 0) this.#missing -= step
      else this.#takeHead(bytes.subarray(at, at + step))
      at += step
    }
  }

  #takeHead(part: Buffer): void {
    this.#head.set(part, this.#headLength)
    this.#headLength += part.length
    if (this.#headLength < headBytes) return
    this.#headLength = 0
    this.#missing = this.#head.readUIntBE(0, 3)
    this.#count(this.#missing)
  }

  #count(length: number): void {
    const { counts } = this
    const [, , , type = 0, flags = 0] = this.#head
    if (counts.frames === 0 && type !== types.settings) this.foreign = this.#head
    counts.frames += 1
    if (type === types.headers || type === types.continuation) {
      counts.headFrames += 1
      counts.headBytes += length
    } else if (type !== types.data) counts.otherFrames += 1
    if ((type === types.data || type === types.headers) && (flags & endStream) !== 0) counts.hasEnded = true
    if (type === types.reset) counts.hasReset = true
  }
}
