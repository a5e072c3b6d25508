import type { WorkspaceRecord } from '../api/console.ts'

const storageKey = 'perigee.workspace'

/** Which workspace was looked at last, by this browser. */
export function readChoice(): string | null {
  return localStorage.getItem(storageKey)
}

export function keepChoice(id: string): void {
  localStorage.setItem(storageKey, id)
}

/** That one where there is still such a one, else the first that the session leads to. */
export function chosenOf(all: readonly WorkspaceRecord[], chosen = readChoice()): WorkspaceRecord | undefined {
  return all.find(({ id }) => id === chosen) ?? all.find((each) => each.asks_for_provider !== true) ?? all[0]
}
