import { createHash } from 'node:crypto'
import { accentIn } from '#core/status-pages/page-colours.ts'
import type { Tone } from '#core/status-pages/status-standing.ts'
import { statusScript } from './status-script.ts'
import { accentRules, statusStyle } from './status-style.ts'

/** A file that never changes under its name. */
export type StatusAsset = { name: string; type: string; text: string }

/** Where these are served, at every host. */
export const statusAssetRoot = '/status-assets'

const marks: Readonly<Record<Tone, [colour: string, path: string]>> = {
  good: ['#1a8f4f', 'm9 16.5 5 5 9.5-10.5'],
  warning: ['#b7791f', 'M16 8v10m0 5v.5'],
  bad: ['#d33a3a', 'm11 11 10 10m0-10L11 21'],
  maintenance: ['#2f6fd0', 'm9.5 22.5 6.6-6.6M24.3 12.5a4.8 4.8 0 1 1-4.8-4.8'],
  plain: ['#6b7280', 'M10 16h12'],
}

function icon(tone: Tone): string {
  const [colour, path] = marks[tone]
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="${colour}"/>` +
    `<path d="${path}" fill="none" stroke="#fff" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/></svg>`
  )
}

function asset(stem: string, extension: 'css' | 'js' | 'svg', text: string): StatusAsset {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 12)
  return { name: `${stem}-${hash}.${extension}`, type: types[extension], text }
}

const types = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
} as const

/** Made once at the start, like the names that pages refer to. */
export type StatusAssets = {
  style: StatusAsset
  script: StatusAsset
  icons: Readonly<Record<Tone, StatusAsset>>
  all: readonly StatusAsset[]
}

export function createStatusAssets(): StatusAssets {
  const style = asset('status', 'css', statusStyle)
  const script = asset('status', 'js', statusScript)
  const icons = {
    good: asset('good', 'svg', icon('good')),
    warning: asset('warning', 'svg', icon('warning')),
    bad: asset('bad', 'svg', icon('bad')),
    maintenance: asset('maintenance', 'svg', icon('maintenance')),
    plain: asset('plain', 'svg', icon('plain')),
  }
  return { style, script, icons, all: [style, script, ...Object.values(icons)] }
}

/** What a page with an accent loads besides the style of all pages; its name says which accent. */
export function accentStyle(accent: string): StatusAsset {
  const [light, dark] = [accentIn('light', accent).colour, accentIn('dark', accent).colour]
  return asset(`accent-${accent.slice(1)}`, 'css', accentRules(light, dark))
}

/** The style of an accent by its name; null for what no page refers to. */
export function findAccentStyle(name: string): StatusAsset | null {
  const [, digits] = /^accent-([\da-f]{6})-/.exec(name) ?? []
  if (digits === undefined) return null
  const style = accentStyle(`#${digits}`)
  return style.name === name ? style : null
}

/** The sign beside the words, in the colour of its tone. */
export function toneMark(tone: Tone): string {
  return `<svg class="k" viewBox="0 0 32 32" aria-hidden="true"><circle cx="16" cy="16" r="16"/><path d="${marks[tone][1]}"/></svg>`
}
