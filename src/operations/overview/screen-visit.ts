import type { ScreenLook } from '#core/screen.ts'
import { type Wall, wallOf } from '#core/screen-wall.ts'
import type { Limits } from '#operations/pipeline/limits.ts'
import type { Services } from '#operations/pipeline/services.ts'
import type { Secrets } from '#store/database/secrets.ts'
import { readScreenMonitors } from '#store/overview/screen-monitors.ts'
import { type StoredScreen, findOpenScreen, touchScreen } from '#store/overview/screens.ts'

type Parts = Pick<Services, 'database' | 'secrets'>

/** A screen that was opened, and what its browser keeps in place of the address. */
export type OpenedScreen = { id: string; pass: string }

/** What a screen shows. `total` is larger than what it looks at where there are too many monitors. */
export type ShownScreen = {
  wall: Wall
  total: number
  quietSince: Date | null
  look: ScreenLook
  at: Date
}

const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** 256 bits in base64url, as addresses and passes have them. */
const secretForm = /^[\w-]{43}$/
const purpose = 'screen'

/** What the secret of an address opens; null for one that leads nowhere. It changes nothing. */
export async function openScreen({ database, secrets }: Parts, token: string): Promise<OpenedScreen | null> {
  if (!secretForm.test(token)) return null
  const screen = await findOpenScreen(database, { token })
  return screen && { id: screen.id, pass: passOf(screen, secrets) }
}

type Visit = { id: string; pass: string; now: Date; locale: string }

/** `unknown` for every browser without the pass of this screen, and once the screen is deleted. */
type ReadScreen =
  | { is: 'shown'; screen: ShownScreen; pass: string }
  | { is: 'unknown' }
  | { is: 'too_often'; resetSeconds: number }

/** The wall for a browser that holds the pass of this screen, and the pass that it keeps from now on. */
export async function readScreen(
  { database, secrets }: Parts,
  limits: Pick<Limits, 'countScreen'>,
  { id, pass, now, locale }: Visit,
): Promise<ReadScreen> {
  if (!idForm.test(id) || !secretForm.test(pass)) return { is: 'unknown' }
  const stored = await findOpenScreen(database, { id })
  if (stored === null || !secrets.isSigned(purpose, subjectOf(stored), pass)) return { is: 'unknown' }
  const { isExceeded, resetSeconds } = await limits.countScreen(id)
  if (isExceeded) return { is: 'too_often', resetSeconds }
  await touchScreen(database, stored, now)
  const { monitors, total, quietSince } = await readScreenMonitors(database, stored)
  return {
    is: 'shown',
    pass: passOf(stored, secrets),
    screen: { wall: wallOf(monitors, { now, locale }), total, quietSince, look: stored.look, at: now },
  }
}

/** Signed rather than the secret itself: what a browser keeps opens no other one by the address. */
function passOf({ id, tokenHash }: StoredScreen, { sign }: Pick<Secrets, 'sign'>): string {
  return sign(purpose, subjectOf({ id, tokenHash }))
}

function subjectOf({ id, tokenHash }: Pick<StoredScreen, 'id' | 'tokenHash'>): string {
  return `${id} ${tokenHash.toString('hex')}`
}
