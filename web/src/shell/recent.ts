// What was looked at and done last, by workspace, for the palette. It stays in this browser.

const kept = 30

export function readRecent(workspaceId: string): string[] {
  const text = localStorage.getItem(storageKey(workspaceId)) ?? ''
  return text === '' ? [] : text.split('\n').slice(0, kept)
}

/** `key`: an address, or the name of an action. */
export function noteRecent(workspaceId: string, key: string): void {
  const keys = [key, ...readRecent(workspaceId).filter((each) => each !== key)]
  localStorage.setItem(storageKey(workspaceId), keys.slice(0, kept).join('\n'))
}

function storageKey(workspaceId: string): string {
  return `perigee.recent.${workspaceId}`
}
