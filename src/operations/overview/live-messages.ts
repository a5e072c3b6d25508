import type { LiveMessage } from '#core/overview.ts'
import { type Changes, type Reading, changesAtOnce } from '#store/overview/live-changes.ts'

/**
 * `news`: what was not told yet, null where that is nothing; `greeting`: the same, for who needs a first message; `all`
 * that was read, for who was told nothing.
 */
export type Part = 'news' | 'greeting' | 'all'

export type Telling = {
  /** Answers with what to tell of a workspace, as JSON; null where there is nothing, or nothing was read. */
  messagesOf: (reading: Reading) => (workspaceId: string, part: Part) => string | null
  forget: () => void
}

/** Leaves out what was told: rows that a reading finds once more as they were, counts and incidents that are the same. */
export function createTelling(): Telling {
  let seals = new Map<string, string>()
  let told = new Map<string, { total: number; incidents: string }>()
  return {
    messagesOf: (reading) => {
      const [nextSeals, nextTold]: [typeof seals, typeof told] = [new Map(), new Map()]
      const messages = new Map<string, { all: () => string; news: () => string; isNews: boolean }>()
      for (const changes of reading.workspaces) {
        const { workspaceId, total } = changes
        const incidents = JSON.stringify(changes.incidents)
        const known = told.get(workspaceId)
        nextTold.set(workspaceId, { total, incidents })
        for (const { row, seal } of changes.monitors) nextSeals.set(row[0], seal)
        const all = messageOf(changes, reading)
        const news = {
          ...all,
          monitors: changes.monitors.filter(({ row, seal }) => seals.get(row[0]) !== seal).map(({ row }) => row),
          incidents: known?.incidents === incidents ? null : all.incidents,
        }
        messages.set(workspaceId, {
          all: once(all),
          news: once(news),
          isNews: known?.total !== total || isTelling(news),
        })
      }
      seals = nextSeals
      told = nextTold
      return (workspaceId, part) => {
        const message = messages.get(workspaceId)
        if (message === undefined || (part === 'news' && !message.isNews)) return null
        return part === 'all' ? message.all() : message.news()
      }
    },
    forget: () => {
      seals = new Map()
      told = new Map()
    },
  }
}

function messageOf({ total, monitors, incidents }: Changes, { at, today }: Reading): LiveMessage {
  const rows = monitors.map(({ row }) => row)
  return { at, today, total, monitors: rows, is_partial: monitors.length >= changesAtOnce, incidents }
}

/** Hundreds may be told the same. */
function once(message: LiveMessage): () => string {
  let text: string | null = null
  return () => (text ??= JSON.stringify(message))
}

function isTelling({ monitors, is_partial: isPartial, incidents }: LiveMessage): boolean {
  return monitors.length > 0 || isPartial || incidents !== null
}
