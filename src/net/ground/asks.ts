import type { Reach } from './destinations.ts'

/** For whom references speak: targets at one distance, or names, for which the name servers speak. */
export type Subject = Exclude<Reach, 'machine'> | 'names'

/** One question to references: whom, and who answered when. */
export type Ask = { atMs: number; subject: Subject; asked: Set<string>; answers: Map<string, number> }

/** What the references said of late. */
export type Asks = {
  begin: (subject: Subject, asked: readonly string[]) => Ask
  /**
   * What references that are not the check's own target said since a moment: the longest time without an answer between
   * an ask and the next answer, or until now, the longest that ended, and whether an ask begun then or later was
   * answered. `isAsked` is false while none was asked.
   */
  since: (sinceMs: number, subject: Subject, isOwn: IsOwn) => Said
}

/** Whether a reference leads to the target of the check that is judged. */
export type IsOwn = (reference: string) => boolean

export type Said = {
  isAsked: boolean
  silentMs: number
  brokenSilenceMs: number
  isAnswered: boolean
  /** The longest that an ask begun then or later waited for its own answer, or has waited until now. */
  slowestMs: number
  /** Whether one of them still waits. */
  isPending: boolean
}

/** One each second for each of three subjects, for longer than any check lasts but those of repositories. */
const maxRemembered = 360

export function createAsks(now: () => number = () => performance.now()): Asks {
  const remembered: Ask[] = []
  return {
    begin: (subject, asked) => {
      const ask: Ask = { atMs: now(), subject, asked: new Set(asked), answers: new Map() }
      remembered.push(ask)
      if (remembered.length > maxRemembered) remembered.shift()
      return ask
    },
    since: (sinceMs, subject, isOwn) => {
      const foreign = remembered.filter((ask) => ask.subject === subject && [...ask.asked].some((each) => !isOwn(each)))
      const nowMs = now()
      const asked = foreign.filter(({ atMs }) => atMs >= sinceMs)
      return {
        isAsked: asked.length > 0,
        isAnswered: asked.some((ask) => answeredAt(ask, isOwn) !== null),
        isPending: asked.some((ask) => answeredAt(ask, isOwn) === null),
        slowestMs: Math.max(0, ...asked.map((ask) => (answeredAt(ask, isOwn) ?? nowMs) - ask.atMs)),
        ...longestSilences(foreign, { sinceMs, isOwn, nowMs }),
      }
    },
  }
}

function answeredAt({ answers }: Ask, isOwn: IsOwn): number | null {
  const times = [...answers].filter(([reference]) => !isOwn(reference)).map(([, atMs]) => atMs)
  return times.length === 0 ? null : Math.min(...times)
}

/** A silence that began before `sinceMs` and had not ended by then counts whole: it is one trouble. */
function longestSilences(
  asks: readonly Ask[],
  { sinceMs, isOwn, nowMs }: { sinceMs: number; isOwn: IsOwn; nowMs: number },
): Pick<Said, 'silentMs' | 'brokenSilenceMs'> {
  const answers = asks.flatMap((ask) => answeredAt(ask, isOwn) ?? []).toSorted((one, other) => one - other)
  let silentMs = 0
  let brokenSilenceMs = 0
  for (const { atMs } of asks) {
    const answeredMs = answers.find((answer) => answer >= atMs)
    const endMs = answeredMs ?? nowMs
    if (endMs <= sinceMs) continue
    silentMs = Math.max(silentMs, endMs - atMs)
    if (answeredMs !== undefined) brokenSilenceMs = Math.max(brokenSilenceMs, endMs - atMs)
  }
  return { silentMs, brokenSilenceMs }
}
