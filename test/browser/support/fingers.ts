// Fingers on the screen, as the browser gets them from a device.
import type { CDPSession, Page } from 'playwright-core'

export type Point = { x: number; y: number }

export type Fingers = {
  down: (...points: Point[]) => Promise<void>
  /** In some steps, as a hand does. */
  move: (from: readonly Point[], to: readonly Point[]) => Promise<void>
  up: () => Promise<void>
}

const steps = 8

/** Has the page get touches. It learns that it has a touch screen when it is loaded next. */
export async function fingersOn(page: Page): Promise<Fingers> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 })
  return {
    down: (...points) => send(session, 'touchStart', points),
    move: async (from, to) => {
      for (let step = 1; step <= steps; step += 1) {
        const part = step / steps
        const between = from.map(({ x, y }, index) => {
          const end = to[index] ?? { x, y }
          return { x: x + (end.x - x) * part, y: y + (end.y - y) * part }
        })
        await send(session, 'touchMove', between)
      }
    },
    up: () => send(session, 'touchEnd', []),
  }
}

async function send(
  session: CDPSession,
  type: 'touchStart' | 'touchMove' | 'touchEnd',
  points: readonly Point[],
): Promise<void> {
  await session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map((point, id) => ({ ...point, id })) })
}
