import { brokenFailure, lateFailure } from '#net/dial/connect-failure.ts'
import { attend, type Connection, release } from '#net/dial/connection.ts'
import { createLineReader } from './line-reader.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import { closedFailure, problemFailure, tooMuchFailure } from './reply-failure.ts'

/** The state of a reply as far as its lines have come; `problem` is a sentence that ends the dialogue. */
export type Reading = 'unfinished' | 'finished' | { problem: string }

export type Awaited = {
  /** The name of the reply in texts: `the greeting`, `the answer to EHLO`. */
  awaited: string
  /** Called with the reply's lines after each of them. Must not throw. */
  read: (lines: readonly string[]) => Reading
}

export type Reply = { ok: true; lines: string[] } | { ok: false; failure: NetFailure }

/** Lines in and out over a connection. What the peer says is kept until `reply` asks for it. */
export type LineConnection = {
  say: (line: string) => void
  reply: (step: Awaited, signal: AbortSignal) => Promise<Reply>
  /** Releases the connection for other code; false when the peer has said something for which no step asked. */
  letGo: () => boolean
}

export type LineLimits = {
  /** `host:port` for texts. */
  label: string
  /** Limit of all bytes from the peer. */
  maxBytes: number
  timeoutMs: number | undefined
}

export function openLines(connection: Connection, limits: LineLimits): LineConnection {
  const { label, maxBytes, timeoutMs } = limits
  const reader = createLineReader()
  const lines: string[] = []
  let byteCount = 0
  let onChange = ignore
  let ending: ((awaited: string, hasBegun: boolean) => NetFailure) | null = null

  function end(reason: (awaited: string, hasBegun: boolean) => NetFailure): void {
    ending ??= reason
    onChange()
  }
  attend(connection, {
    onData: (bytes) => {
      if (ending !== null) return
      byteCount += bytes.length
      for (const line of reader.feed(bytes)) lines.push(line)
      if (byteCount > maxBytes) end((awaited) => tooMuchFailure(label, awaited, maxBytes))
      else onChange()
    },
    onEnd: () => end((awaited, hasBegun) => closedFailure(label, awaited, hasBegun)),
    onError: (error) => end(() => brokenFailure(error, 'request', label)),
  })

  /** Resolves when there are new lines, the connection has ended, or the deadline has passed. */
  function change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        onChange = ignore
        signal.removeEventListener('abort', wake)
        resolve()
      }
      onChange = wake
      signal.addEventListener('abort', wake)
    })
  }

  return {
    say: (line) => void connection.socket.write(`${line}\r\n`),
    reply: async ({ awaited, read }, signal) => {
      const said: string[] = []
      for (;;) {
        for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
          said.push(line)
          const reading = read(said)
          if (reading === 'finished') return { ok: true, lines: said }
          if (reading !== 'unfinished') return { ok: false, failure: problemFailure(reading.problem) }
        }
        if (ending !== null) return { ok: false, failure: ending(awaited, said.length > 0 || reader.hasRest()) }
        if (signal.aborted) return { ok: false, failure: lateFailure('request', timeoutMs, `waiting for ${awaited}`) }
        await change(signal)
      }
    },
    letGo: () => {
      release(connection)
      return lines.length === 0 && !reader.hasRest()
    },
  }
}

function ignore(): void {}
