import type { Socket } from 'node:net'

/** Bounds how often one peer makes this thread look at what it sent. */
export type Pace = {
  /** To be called for each read. */
  read: (bytes: number) => void
  /** Lets the socket go on, for whoever takes it over. */
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
export function createPace(socket: Pick<Socket, 'pause' | 'resume' | 'read' | 'readableLength'>): Pace {
  let pieces = 0
  let sum = 0
  let sinceMs = performance.now()
  let fastMs: number | null = null
  let pausing: NodeJS.Timeout | undefined

  function look(): void {
    const nowMs = performance.now()
    const isFast = nowMs - sinceMs < withinMs
    fastMs = isFast ? (sum < pieces * tinyBytes ? tinyPauseMs : pauseMs) : null
    sinceMs = nowMs
    pieces = 0
    sum = 0
  }
  /** What has gathered comes as one piece, after which there may be a pause again. */
  function goOn(): void {
    pausing = undefined
    if (socket.readableLength > 0) socket.read()
    if (pausing === undefined) socket.resume()
  }
  return {
    read: (bytes) => {
      if (bytes >= smallBytes) return
      pieces += 1
      sum += bytes
      if (pieces === maxPieces) look()
      if (fastMs === null || pausing !== undefined) return
      socket.pause()
      pausing = setTimeout(goOn, fastMs)
    },
    end: () => {
      if (pausing === undefined) return
      clearTimeout(pausing)
      pausing = undefined
      socket.resume()
    },
  }
}
