import type { MonitorInput, MonitorSettings } from './monitor.ts'

/** So many bytes of a monitor's settings always have room. */
export const settingsBytesEach = 2048
/** What the settings of all monitors of a workspace may have beyond that, together. */
export const settingsBytesBeside = 8 * 1024 * 1024

/** Of the settings as JSON: what lists of monitors carry, and what locations are given. */
export function settingsBytes(settings: MonitorSettings): number {
  return Buffer.byteLength(JSON.stringify(settings))
}

export function bytesBeyond(bytes: number): number {
  return Math.max(0, bytes - settingsBytesEach)
}

/** Of a create, what was `before` is null. `besideOthers`: what the other monitors have beyond what is theirs anyway. */
export type Growth = { before: MonitorSettings | null; after: MonitorSettings; besideOthers: number }

/** Null when there is room, or the settings do not grow: what was stored before this limit may stay. */
export function roomProblem({ before, after, besideOthers }: Growth): string | null {
  const beyond = bytesBeyond(settingsBytes(after))
  if (!growsBeyond(before, after) || besideOthers + beyond <= settingsBytesBeside) return null
  return (
    `The settings of a workspace's monitors may have ${settingsBytesBeside} bytes of JSON together beyond the first ` +
    `${settingsBytesEach} of each; with this they would have ${besideOthers + beyond}. Shorten this or another monitor.`
  )
}

/** Only then has anybody to count what the others have. */
export function growsBeyond(before: MonitorSettings | null, after: MonitorSettings): boolean {
  return bytesBeyond(settingsBytes(after)) > (before === null ? 0 : bytesBeyond(settingsBytes(before)))
}

/** The field that takes the most room of those that a caller gave. */
export function largestField(input: MonitorInput): string {
  const sizes = Object.entries(input).map(([field, value]): [string, number] => [
    field,
    JSON.stringify(value)?.length ?? 0,
  ])
  const [largest] = sizes.toSorted(([, one], [, other]) => other - one)
  return largest?.[0] ?? 'name'
}
