// Keys that do something wherever the focus is.
import { t } from '@lingui/core/macro'

const storageKey = 'perigee.single-keys'

/** Whether this is the press of a single key for the page, and not a letter that is typed or a key of a dialog. */
export function isSingleKey(event: KeyboardEvent, key: string): boolean {
  const { target } = event
  const isTyping = target instanceof HTMLElement && target.closest('input, textarea, select, dialog') !== null
  return event.key === key && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey && areSingleKeysOn()
}

/** Who speaks to the computer says letters by chance, and switches them off (WCAG 2.2, 2.1.4). */
export function areSingleKeysOn(): boolean {
  return localStorage.getItem(storageKey) !== 'off'
}

export function switchSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, 'off')
}

/** How people read this key pressed together with Ctrl, in whose place Apple's computers have a command key. */
export function withCommand(key: string): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? `⌘ ${key}` : t`Ctrl ${key}`
}
