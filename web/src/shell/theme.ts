import { t } from '@lingui/core/macro'
import { useSyncExternalStore } from 'react'

const storageKey = 'perigee.theme'

export function themes(): { value: string; label: string }[] {
  return [
    { value: 'system', label: t`As the system` },
    { value: 'light', label: t`Light` },
    { value: 'dark', label: t`Dark` },
  ]
}

export function applyTheme(theme: string = readTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

const changed = 'perigee:theme'

/** The menu and the palette both show and change it. */
export function useTheme(): [string, (theme: string) => void] {
  return [useSyncExternalStore(listen, readTheme), chooseTheme]
}

export function chooseTheme(theme: string): void {
  localStorage.setItem(storageKey, theme)
  applyTheme(theme)
  dispatchEvent(new Event(changed))
}

function readTheme(): string {
  return localStorage.getItem(storageKey) ?? 'system'
}

function listen(tell: () => void): () => void {
  addEventListener(changed, tell)
  return () => removeEventListener(changed, tell)
}
