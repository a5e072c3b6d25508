import type { MessageTemplates } from '#core/contacts/message-templates.ts'

/** Remembers whose templates took too long, for a while and in bounded memory. */
export type SlowTemplates = {
  noteSlow: (workspaceId: string) => void
  isSlow: (workspaceId: string) => boolean
  noteQuick: (workspaceId: string) => void
  /** Whether its templates were rendered before, and none of them was slow lately. */
  isProven: (workspaceId: string) => boolean
  /** Templates that were changed since are others. */
  hold: (contactId: string, templates: MessageTemplates) => void
  isHeld: (contactId: string, templates: MessageTemplates) => boolean
}

const maxRemembered = 1000
const maxProven = 10_000

/** `now` is a clock that only goes forward, in milliseconds. */
export function createSlowTemplates({ holdMs, now }: { holdMs: number; now: () => number }): SlowTemplates {
  const workspaces = createMemory({ holdMs, now, max: maxRemembered })
  const contacts = createMemory({ holdMs, now, max: maxRemembered })
  const proven = createMemory({ holdMs: Infinity, now, max: maxProven })
  return {
    noteSlow: (workspaceId) => workspaces.note(workspaceId, ''),
    isSlow: (workspaceId) => workspaces.has(workspaceId, ''),
    noteQuick: (workspaceId) => proven.note(workspaceId, ''),
    isProven: (workspaceId) => proven.has(workspaceId, '') && !workspaces.has(workspaceId, ''),
    hold: (contactId, templates) => contacts.note(contactId, textOf(templates)),
    isHeld: (contactId, templates) => contacts.has(contactId, textOf(templates)),
  }
}

function textOf({ title, body }: MessageTemplates): string {
  return JSON.stringify([title, body])
}

type Memory = { note: (key: string, text: string) => void; has: (key: string, text: string) => boolean }

type MemoryOptions = { holdMs: number; now: () => number; max: number }

function createMemory({ holdMs, now, max }: MemoryOptions): Memory {
  /** The oldest comes first. */
  const remembered = new Map<string, { text: string; until: number }>()
  return {
    note: (key, text) => {
      remembered.delete(key)
      remembered.set(key, { text, until: now() + holdMs })
      const [oldest] = remembered.keys()
      if (remembered.size > max && oldest !== undefined) remembered.delete(oldest)
    },
    has: (key, text) => {
      const found = remembered.get(key)
      if (found === undefined) return false
      if (found.until <= now()) remembered.delete(key)
      return found.until > now() && found.text === text
    },
  }
}
