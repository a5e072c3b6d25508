import type { LiveMessage } from '#core/overview.ts'
import { type Changes, type Reading, changesAtOnce } from '#store/live.ts'

export type Telling = {
  /** Answers with what to tell of a workspace, as JSON; null where there is nothing, or nothing was read. */
  messagesOf: (reading: Reading) => (workspaceId: string, when: 'always' | 'if any') => string | null
  forget: () => void
}

/** Leaves out what was told: rows that a reading finds once more as they were, counts and incidents that are the same. */
export function createTelling(): Telling {
  let seals = new Map<string, string>()
  let told = new Map<string, { total: number; incidents: string }>()
  return {
    messagesOf: (reading) => {
      const [nextSeals, nextTold]: [typeof seals, typeof told] = [new Map(), new Map()]
      const messages = new Map<string, { text: string; isNews: boolean }>()
      for (const changes of reading.workspaces) {
        const { workspaceId, total } = changes
        const incidents = JSON.stringify(changes.incidents)
        const known = told.get(workspaceId)
        nextTold.set(workspaceId, { total, incidents })
        for (const { row, seal } of changes.monitors) nextSeals.set(row[0], seal)
        const message = messageOf(changes, { reading, seals, isSame: known?.incidents === incidents })
        const isNews = known?.total !== total || isTelling(message)
        messages.set(workspaceId, { text: JSON.stringify(message), isNews })
      }
      seals = nextSeals
      told = nextTold
      return (workspaceId, when) => {
        const message = messages.get(workspaceId)
        return message !== undefined && (message.isNews || when === 'always') ? message.text : null
      }
    },
    forget: () => {
      seals = new Map()
      told = new Map()
    },
  }
}

type Known = { reading: Reading; seals: ReadonlyMap<string, string>; isSame: boolean }

function messageOf({ total, monitors, incidents }: Changes, { reading, seals, isSame }: Known): LiveMessage {
  const { at, today } = reading
  return {
    at,
    today,
    total,
    monitors: monitors.filter(({ row, seal }) => seals.get(row[0]) !== seal).map(({ row }) => row),
    is_partial: monitors.length >= changesAtOnce,
    incidents: isSame ? null : incidents,
  }
}

function isTelling({ monitors, is_partial: isPartial, incidents }: LiveMessage): boolean {
  return monitors.length > 0 || isPartial || incidents !== null
}
