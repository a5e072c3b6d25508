import type { Reach } from './destinations.ts'

/** For whom references speak: targets at one distance, or names, for which the name servers speak. */
export type Subject = Exclude<Reach, 'machine'> | 'names'

/** One question to references: whom, and who answered when. */
export type Ask = { atMs: number; subject: Subject; asked: Set<string>; answers: Map<string, number> }

/** What the references said of late. */
export type Asks = {
  begin: (subject: Subject, asked: readonly string[]) => Ask
  /**
   * What references other than `own` said since a moment: the longest time without an answer between an ask and the
   * next answer, or until now, the longest that ended, and whether an ask begun then or later was answered. `isAsked`
   * is false while none was asked.
   */
  since: (sinceMs: number, subject: Subject, own: ReadonlySet<string>) => Said
}

export type Said = { isAsked: boolean; silentMs: number; brokenSilenceMs: number; isAnswered: boolean }

/** One each second, for longer than any check lasts but those of repositories. */
const maxRemembered = 240

export function createAsks(now: () => number = () => performance.now()): Asks {
  const remembered: Ask[] = []
  return {
    begin: (subject, asked) => {
      const ask: Ask = { atMs: now(), subject, asked: new Set(asked), answers: new Map() }
      remembered.push(ask)
      if (remembered.length > maxRemembered) remembered.shift()
      return ask
    },
    since: (sinceMs, subject, own) => {
      const foreign = remembered.filter(
        (ask) => ask.subject === subject && [...ask.asked].some((each) => !own.has(each)),
      )
      return {
        isAsked: foreign.some(({ atMs }) => atMs >= sinceMs),
        isAnswered: foreign.some((ask) => ask.atMs >= sinceMs && answeredAt(ask, own) !== null),
        ...longestSilences(foreign, { sinceMs, own, nowMs: now() }),
      }
    },
  }
}

function answeredAt({ answers }: Ask, own: ReadonlySet<string>): number | null {
  const times = [...answers].filter(([reference]) => !own.has(reference)).map(([, atMs]) => atMs)
  return times.length === 0 ? null : Math.min(...times)
}

/** A silence that began before `sinceMs` and had not ended by then counts whole: it is one trouble. */
function longestSilences(
  asks: readonly Ask[],
  { sinceMs, own, nowMs }: { sinceMs: number; own: ReadonlySet<string>; nowMs: number },
): Pick<Said, 'silentMs' | 'brokenSilenceMs'> {
  const answers = asks.flatMap((ask) => answeredAt(ask, own) ?? []).toSorted((one, other) => one - other)
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
