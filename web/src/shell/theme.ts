import { t } from '@lingui/core/macro'
import { useState } from 'react'

const storageKey = 'perigee.theme'

export function themes(): { value: string; label: string }[] {
  return [
    { value: 'system', label: t`As the system` },
    { value: 'light', label: t`Light` },
    { value: 'dark', label: t`Dark` },
  ]
}

export function applyTheme(theme: string = localStorage.getItem(storageKey) ?? 'system'): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

export function useTheme(): [string, (theme: string) => void] {
  const [theme, setTheme] = useState(() => localStorage.getItem(storageKey) ?? 'system')
  const choose = (next: string): void => {
    localStorage.setItem(storageKey, next)
    applyTheme(next)
    setTheme(next)
  }
  return [theme, choose]
}
