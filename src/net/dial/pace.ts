import type { Socket } from 'node:net'

/** Bounds how often one peer makes this thread look at what it sent. */
export type Pace = {
  /** To be called for each read. */
  read: (bytes: number) => void
  /** Lets the socket go on, for the code that takes it over. */
  end: () => void
}

/** What is smaller may wait for more; what is larger meets limits of bytes soon. */
const smallBytes = 1_024
/** So many small pieces within a second come too quickly. */
const maxPieces = 32
const withinMs = 1_000
/** An answer that is whole by then comes so much later, and a pause after each piece leaves forty of them a second. */
const pauseMs = 25
/** Of pieces that are smaller than this on average, which no server sends for long: four a second. */
const tinyBytes = 64
const tinyPauseMs = 250
/** Of a socket that is paused, Node reads so many bytes nevertheless, and each TLS record by itself. */
export const heldBytes = 4_096

/**
 * A peer that sends single bytes makes a read of each, at a cost to this thread that no limit of bytes bounds: fourteen
 * such peers made it stand still for most of the time. In a pause their bytes gather, and are then read at once. The
 * clock is asked once for 32 small pieces, so that ordinary answers cost a comparison.
 */
export function createPace(socket: PacedSocket): Pace {
  return new SocketPace(socket)
}

type PacedSocket = Pick<Socket, 'pause' | 'resume' | 'read' | 'readableLength'>

class SocketPace implements Pace {
  readonly #socket: PacedSocket
  #pieces = 0
  #sum = 0
  #sinceMs = performance.now()
  #fastMs: number | null = null
  #pausing: NodeJS.Timeout | undefined

  constructor(socket: PacedSocket) {
    this.#socket = socket
  }

  read(bytes: number): void {
    if (bytes >= smallBytes) return
    this.#pieces += 1
    this.#sum += bytes
    if (this.#pieces === maxPieces) this.#look()
    if (this.#fastMs === null || this.#pausing !== undefined) return
    this.#socket.pause()
    this.#pausing = setTimeout(() => this.#goOn(), this.#fastMs)
  }

  end(): void {
    if (this.#pausing === undefined) return
    clearTimeout(this.#pausing)
    this.#pausing = undefined
    this.#socket.resume()
  }

  #look(): void {
    const nowMs = performance.now()
    const isFast = nowMs - this.#sinceMs < withinMs
    this.#fastMs = isFast ? (this.#sum < this.#pieces * tinyBytes ? tinyPauseMs : pauseMs) : null
    this.#sinceMs = nowMs
    this.#pieces = 0
    this.#sum = 0
  }

  /** What has gathered comes as one piece, after which there may be a pause again. */
  #goOn(): void {
    this.#pausing = undefined
    if (this.#socket.readableLength > 0) this.#socket.read()
    if (this.#pausing === undefined) this.#socket.resume()
  }
}
