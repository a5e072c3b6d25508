import { ApiError } from '../../api/ask.ts'
import type { MonitorApi, Payload, TrialRecord } from '../../api/monitors.ts'
import { isOfOwnNetwork, tellsOwnNetwork, wasRefusedOwnNetwork } from '../../parts/internal-names.ts'
import { problemOf } from '../../parts/problem.ts'
import type { Wish } from '../../parts/targets.ts'

/**
 * The findings about a line. `untold`: no prober could check it, which says nothing about it. `refused`: it can be no
 * monitor. `known`: it is one already. `isPrivate`: it was let reach the network that Perigee stands in.
 */
export type Found =
  | { type: 'checking' }
  | { type: 'checked'; trial: TrialRecord; url: string; isPrivate: boolean }
  | { type: 'untold'; message: string; url: string; isPrivate: boolean }
  | { type: 'refused'; message: string }
  | { type: 'known'; message: string }

/** One check; where only a name was given and it does not answer with TLS, a second one without. */
export async function look(monitors: MonitorApi, wish: Wish, isAllowed: boolean): Promise<Found> {
  const found = await tryOnce(monitors, wish, isAllowed)
  const { otherwise: url } = wish
  if (url === null || found.type !== 'checked' || found.trial.status !== 'down') return found
  const plain = await tryOnce(monitors, { ...wish, url }, isAllowed)
  return plain.type === 'checked' && plain.trial.status !== 'down' ? plain : found
}

/** With the permission where it is given and needed: only a look-up tells that a name leads to a private address. */
async function tryOnce(monitors: MonitorApi, wish: Wish, isAllowed: boolean): Promise<Found> {
  const isPrivate = isAllowed && isOfOwnNetwork(wish.url)
  const found = await tryWith(monitors, wish, isPrivate)
  return isAllowed && !isPrivate && wasRefusedPrivate(found) ? tryWith(monitors, wish, true) : found
}

async function tryWith(monitors: MonitorApi, { kind, url, name }: Wish, isPrivate: boolean): Promise<Found> {
  try {
    const input = { kind, url, name, ...permissionOf({ isPrivate }) }
    return { type: 'checked', trial: await monitors.tryOnce(null, { input }), url, isPrivate }
  } catch (error) {
    const { message, fields } = problemOf(error)
    const told = Object.values(fields).flat()
    if (!(error instanceof ApiError) || error.status !== 422) return { type: 'untold', message, url, isPrivate }
    return { type: 'refused', message: told.length === 0 ? message : told.join(' ') }
  }
}

/** The member of an input that lets it reach private addresses. */
export function permissionOf({ isPrivate }: { isPrivate: boolean }): Payload {
  return isPrivate ? { allow_private_target: true } : {}
}

/** Whether a line was refused because it leads into the network that Perigee stands in. */
export function wasRefusedPrivate(found: Found): boolean {
  if (found.type === 'refused') return tellsOwnNetwork(found.message)
  return found.type === 'checked' && wasRefusedOwnNetwork(found.trial)
}
