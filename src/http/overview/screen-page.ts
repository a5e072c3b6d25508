import { createHash } from 'node:crypto'
import { type Wall, type WallMonitor, gridFor } from '#core/screen-wall.ts'
import type { Texts } from '#core/language/texts.ts'
import type { ShownScreen } from '#operations/overview/screen-visit.ts'
import { escapeHtml } from '#http/html-page.ts'
import { screenScript } from './screen-script.ts'
import { screenStyle } from './screen-style.ts'
import { countText, stateMark, stateWord, timeSlot, withTime } from './screen-words.ts'

export type ScreenAsset = { name: string; type: string; text: string }

export const screenAssetRoot = '/screen-assets'

const style = asset('css', 'text/css; charset=utf-8', screenStyle)
const script = asset('js', 'text/javascript; charset=utf-8', screenScript)

/** Files that never change under their names. */
export const screenAssets: readonly ScreenAsset[] = [style, script]

function asset(extension: string, type: string, text: string): ScreenAsset {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 12)
  return { name: `screen-${hash}.${extension}`, type, text }
}

/** Nothing is in the page itself but what is read, and it asks its own address alone. */
export const screenPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Without a script the browser asks again by itself, a little less often. */
const refreshSeconds = 30
const wide = 16 / 9
const tall = 9 / 16

/** Names and states of monitors, for people who stand some metres away. Nothing else of a monitor is in the page. */
export function renderScreen(shown: ShownScreen, i18n: Texts): string {
  const heading = headingOf(shown.wall, i18n)
  return [
    '<!doctype html>',
    `<html lang="${i18n.locale}" data-look="${shown.look}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex">',
    `<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`,
    `<title>${escapeHtml(heading)}</title>`,
    '<link rel="icon" href="data:,">',
    `<link rel="stylesheet" href="${screenAssetRoot}/${style.name}">`,
    `<script src="${screenAssetRoot}/${script.name}" defer></script></head>`,
    `<body><p class="vh" role="status"></p>`,
    mainOf(shown, heading, i18n),
    '</body></html>\n',
  ].join('\n')
}

function mainOf(shown: ShownScreen, heading: string, i18n: Texts): string {
  const { tiles, counts } = shown.wall
  const head = `<div class="head"><h1>${escapeHtml(heading)}</h1>${linesOf(shown, i18n)}</div>${clockOf(shown, i18n)}`
  const state = counts[0]?.state ?? 'pending'
  if (tiles.length === 0)
    return `<main data-wall class="all ${state}"><header><span class="mark">${stateMark(state)}</span>${head}</header></main>`
  return [
    `<main data-wall><header>${head}</header>`,
    `<ul class="${gridClasses(tiles.length)}" aria-label="${escapeHtml(i18n._('Monitors'))}">`,
    ...tiles.map((monitor) => tile(monitor, tiles.length <= roomyTiles, i18n)),
    '</ul></main>',
  ].join('\n')
}

/** Names with more letters get smaller ones and a third line, unless there are so many tiles that letters are small. */
const longName = 24
const roomyTiles = 30

function tile({ name, state }: WallMonitor, isRoomy: boolean, i18n: Texts): string {
  const word = escapeHtml(stateWord(i18n, state))
  const length = isRoomy && name.length > longName ? ' long' : ''
  return `<li class="${state}${length}"><span>${escapeHtml(name)}</span><b>${stateMark(state)}${word}</b></li>`
}

function gridClasses(count: number): string {
  const [lying, upright] = [gridFor(count, wide), gridFor(count, tall)]
  return `c${lying.columns} r${lying.rows} p${upright.columns} q${upright.rows}`
}

/** What is worst, in so many words. */
function headingOf({ counts, all }: Wall, i18n: Texts): string {
  if (all === 0) return i18n._('No monitors')
  const [worst] = counts
  if (worst === undefined || worst.state === 'up')
    return i18n._('{count, plural, one {# monitor is up} other {All # are up}}', { count: worst?.count ?? 0 })
  return countText(i18n, worst.state, worst.count)
}

/** What else there is, since when, and what has no tile. */
function linesOf({ wall, total, quietSince }: ShownScreen, i18n: Texts): string {
  const { counts, others, all, downSince } = wall
  const [worst, ...rest] = counts
  const listed = (states: Wall['counts']): string =>
    i18n.list(states.map(({ state, count }) => countText(i18n, state, count)))
  const hidden = others.filter(({ state }) => state !== 'up' && state !== 'paused')
  const lines: string[] = []
  if (rest.length > 0) lines.push(escapeHtml(listed(rest)))
  if (downSince !== null) {
    const since = worst?.count === 1 ? i18n._('Since {time}', timeSlot) : i18n._('The first since {time}', timeSlot)
    lines.push(withTime(since, downSince, { hasSeconds: false }))
  }
  if (worst?.state === 'up' && quietSince !== null)
    lines.push(withTime(i18n._('No outage since {time}', timeSlot), quietSince, { hasSeconds: false }))
  if (hidden.length > 0) lines.push(escapeHtml(i18n._('Not shown: {states}', { states: listed(hidden) })))
  if (total > all) {
    const counted = { all: i18n.count(all), total: i18n.count(total) }
    lines.push(escapeHtml(i18n._('The oldest {all} of {total} monitors', counted)))
  }
  return lines.map((line) => `<p>${line}</p>`).join('')
}

/** When all of this was so; and the same in other words, which the style shows once it is too long ago. */
function clockOf({ at }: ShownScreen, i18n: Texts): string {
  const fresh = withTime(i18n._('As of {time}', timeSlot), at, { hasSeconds: true })
  const stale = withTime(i18n._('Not updated since {time}', timeSlot), at, { hasSeconds: true })
  return `<p class="now fresh">${fresh}</p><p class="stale">${stale}</p>`
}
