import { fail } from '#core/language/error.ts'
import type { Database } from '#store/database/database.ts'
import { type Horizon, olderOf } from '#store/overview/horizon.ts'
import { type Seen, type Watch, areWatchesAllowed, readChanges, readHorizon } from '#store/overview/live-changes.ts'
import { type Part, createTelling } from './live-messages.ts'

export type Watcher = Watch & {
  /** Where what it read last ended; null when it reads everything anew after its first message. */
  since: Horizon | null
  /** False when earlier messages still wait to be read: the watcher is dropped then. */
  send: (message: string) => boolean
  /** Is called once, unless it leaves by itself. `slow`: what was sent still waits. */
  end: (reason: 'over' | 'slow') => void
}

/** Tells people who look at a workspace what changes in it. */
export type LiveFeed = {
  /** Answers how to leave. Throws `rate_limited` where there are too many. */
  join: (watcher: Watcher) => () => void
  /** How many are told now. */
  readonly watching: number
  /** Ends them all, and takes no other. */
  close: () => void
}

export type LiveFeedOptions = {
  database: Pick<Database, 'pool'>
  now: () => Date
  /** Told what kept the feed from reading; it tries again. */
  onFailure: (error: unknown) => void
  /** Default 1 s. */
  everyMs?: number
  /** Default 500, and 4 of a session: over HTTP/1.1 a browser has six connections for everything. */
  limits?: { watchers: number; ofSession: number }
}

const defaultLimits = { watchers: 500, ofSession: 4 }
const defaultEveryMs = 1000
/** Reading takes a tenth of the time at most, unless it takes longer than the interval. */
const restFactor = 9
/** The longest rest, in intervals: after a failure, and where one reading was held up. */
const longestRest = 10
const retryAfterSeconds = 15

/**
 * Reads once a second what changed in all workspaces that have watchers, and nothing while there are none. All
 * processes write the same tables, so each one that serves the console finds out by itself. The first message comes
 * whether anything changed or not; the watcher then reads the overview, unless it said where its last reading ended,
 * from which the first message goes on. No message says what the overview does not.
 */
export function createLiveFeed(options: LiveFeedOptions): LiveFeed {
  const { limits = defaultLimits, everyMs = defaultEveryMs } = options
  const watchers = new Set<Watcher>()
  const reader = createReader({ ...options, watchers, drop })
  const turns = createTurns({
    everyMs,
    run: reader.read,
    onFailure: options.onFailure,
    isWanted: () => watchers.size > 0,
  })
  let isClosed = false

  function leave(watcher: Watcher): void {
    watchers.delete(watcher)
    if (watchers.size > 0) return
    turns.rest()
    reader.forget()
  }
  function drop(watcher: Watcher, reason: 'over' | 'slow'): void {
    leave(watcher)
    watcher.end(reason)
  }
  return {
    join: (watcher) => {
      assertRoom(watchers, watcher, isClosed ? noRoom : limits)
      watchers.add(watcher)
      turns.begin()
      return () => leave(watcher)
    },
    get watching() {
      return watchers.size
    },
    close: () => {
      isClosed = true
      for (const watcher of watchers) drop(watcher, 'over')
    },
  }
}

const noRoom = { watchers: 0, ofSession: 0 }

type ReaderParts = Pick<LiveFeedOptions, 'database' | 'now'> & {
  watchers: ReadonlySet<Watcher>
  drop: (watcher: Watcher, reason: 'over' | 'slow') => void
}

/** One reading: ends watchers that may look no longer, and tells the others what changed since the last one. */
function createReader({ database, now, watchers, drop }: ReaderParts): {
  read: () => Promise<void>
  forget: () => void
} {
  const telling = createTelling()
  const greeted = new WeakSet<Watcher>()
  let since: Horizon | null = null
  let timesForgotten = 0
  const endThoseWhoMayNot = async (): Promise<void> => {
    const asked = [...watchers]
    const allowed = await areWatchesAllowed(database, asked, now())
    for (const [index, watcher] of asked.entries())
      if (allowed[index] !== true && watchers.has(watcher)) drop(watcher, 'over')
  }
  return {
    read: async () => {
      await endThoseWhoMayNot()
      const present = [...watchers]
      if (present.length === 0) return
      const begun = timesForgotten
      const last = since ?? (await readHorizon(database))
      const workspaces = seenOf(present, { last, greeted })
      const reading = await readChanges(database, { workspaces, now: now() })
      // All who were present have left: a watcher that came meanwhile is told by a reading of its own.
      if (timesForgotten !== begun) return
      since = reading.horizon
      const tell = telling.messagesOf(reading)
      for (const watcher of present.filter((each) => watchers.has(each))) {
        const message = tell(watcher.workspaceId, partFor(watcher, greeted))
        greeted.add(watcher)
        if (message !== null && !watcher.send(message)) drop(watcher, 'slow')
      }
    },
    forget: () => {
      timesForgotten += 1
      since = null
      telling.forget()
    },
  }
}

/** A workspace is read once for all its watchers, from the oldest point that one of them has not seen beyond. */
function seenOf(watchers: readonly Watcher[], { last, greeted }: { last: Horizon; greeted: WeakSet<Watcher> }): Seen[] {
  const seen = new Map<string, Horizon>()
  for (const watcher of watchers) {
    const known = seen.get(watcher.workspaceId) ?? last
    seen.set(watcher.workspaceId, greeted.has(watcher) ? known : olderOf(known, watcher.since ?? known))
  }
  return Array.from(seen, ([id, since]) => ({ id, since }))
}

function partFor(watcher: Watcher, greeted: WeakSet<Watcher>): Part {
  if (greeted.has(watcher)) return 'news'
  return watcher.since === null ? 'greeting' : 'all'
}

type TurnParts = {
  everyMs: number
  run: () => Promise<void>
  onFailure: (error: unknown) => void
  isWanted: () => boolean
}

/** Runs again and again, one run at a time, while it is wanted; the first time at once. */
function createTurns({ everyMs, run, onFailure, isWanted }: TurnParts): { begin: () => void; rest: () => void } {
  let timer: NodeJS.Timeout | null = null
  let isRunning = false
  const plan = (delayMs: number): void => {
    if (isRunning || timer !== null || !isWanted()) return
    timer = setTimeout(() => {
      timer = null
      void turn()
    }, delayMs)
  }
  const turn = async (): Promise<void> => {
    isRunning = true
    const startedAt = performance.now()
    const isDone = await run().then(
      () => true,
      (error: unknown) => {
        onFailure(error)
        return false
      },
    )
    isRunning = false
    const tookMs = performance.now() - startedAt
    const restMs = isDone ? Math.max(everyMs, restFactor * tookMs) : Infinity
    plan(Math.min(restMs, longestRest * everyMs))
  }
  return {
    begin: () => plan(0),
    rest: () => {
      if (timer !== null) clearTimeout(timer)
      timer = null
    },
  }
}

function assertRoom(
  watchers: ReadonlySet<Watcher>,
  { sessionId }: Watcher,
  { watchers: most, ofSession }: { watchers: number; ofSession: number },
): void {
  const own = [...watchers].filter((other) => other.sessionId === sessionId).length
  if (watchers.size < most && own < ofSession) return
  throw fail('rate_limited', 'Too many pages are being updated live. This page tries again automatically.', {
    retryAfterSeconds,
  })
}
