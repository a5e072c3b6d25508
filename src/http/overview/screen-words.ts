import type { WallState } from '#core/screen-wall.ts'
import type { Texts } from '#core/language/texts.ts'
import { escapeHtml } from '#http/html-page.ts'

export function stateWord(i18n: Texts, state: WallState): string {
  switch (state) {
    case 'down':
      return i18n._('Down')
    case 'unknown':
      return i18n._('Not known')
    case 'degraded':
      return i18n._('Degraded')
    case 'pending':
      return i18n._('Pending', {}, { context: 'state of a monitor' })
    case 'up':
      return i18n._('Up', {}, { context: 'state of a monitor' })
    case 'paused':
      return i18n._('Paused')
  }
}

/** So many monitors are in this state. */
export function countText(i18n: Texts, state: WallState, count: number): string {
  switch (state) {
    case 'down':
      return i18n._('{count, plural, one {# down} other {# down}}', { count })
    case 'unknown':
      return i18n._('{count, plural, one {# not known} other {# not known}}', { count })
    case 'degraded':
      return i18n._('{count, plural, one {# degraded} other {# degraded}}', { count })
    case 'pending':
      return i18n._('{count, plural, one {# pending} other {# pending}}', { count })
    case 'up':
      return i18n._('{count, plural, one {# up} other {# up}}', { count })
    case 'paused':
      return i18n._('{count, plural, one {# paused} other {# paused}}', { count })
  }
}

/** A shape for each state, beside its word and its colour. */
const marks: Readonly<Record<WallState, string>> = {
  down: '<path d="m7 7 10 10m0-10L7 17"/>',
  unknown: '<path d="M8.5 9a3.5 3.5 0 1 1 5 3.2c-1 .5-1.5 1.2-1.5 2.3m0 4v.1"/>',
  degraded: '<path d="M12 4v10m0 5v.1"/>',
  pending: '<circle cx="12" cy="12" r="7"/>',
  up: '<path d="m5 12.5 5 5 9.5-11"/>',
  paused: '<path d="M6 12h12"/>',
}

export function stateMark(state: WallState): string {
  return `<svg viewBox="0 0 24 24" aria-hidden="true">${marks[state]}</svg>`
}

const slot = '{time}'

/** The value for `{time}` of a text that `withTime` is given. */
export const timeSlot = { time: slot }

/** The text as HTML, with an element in its slot that a script puts into the zone of the screen. */
export function withTime(text: string, at: Date, { hasSeconds }: { hasSeconds: boolean }): string {
  const iso = at.toISOString()
  const shown = hasSeconds ? iso.slice(11, 19) : iso.slice(0, 16).replace('T', ' ')
  return escapeHtml(text).replace(slot, `<time datetime="${iso.slice(0, 19)}Z">${shown} UTC</time>`)
}
