// One process of the service that can be killed between any two things it waits for.
import { openWay } from '../support/way.ts'

export type Mortality = {
  /** A port on loopback that leads to the database, and dies with the process. */
  port: number
  /** Dies when so many moments have passed; null takes that back. */
  dieAfter: (moments: number | null) => void
  isDead: () => boolean
  /** A moment in which it may die: then it throws, and so does every later one. */
  moment: () => void
  /** Only once everything that the dead process did has failed. */
  revive: () => void
}

/** Every message to or from the database is a moment: what was asked may be unheard, or done without an answer. */
export async function mortality(socketPath: string): Promise<Mortality> {
  let left: number | null = null
  let isDead = false
  const pass = (): boolean => {
    if (left !== null && !isDead) {
      isDead = left === 0
      left -= 1
      if (isDead) way.cut()
    }
    return !isDead
  }
  const rules = { admits: () => !isDead, watch: () => ({ forth: pass, back: pass }) }
  const way = await openWay({ path: socketPath }, rules)
  return {
    port: way.port,
    dieAfter: (moments) => {
      left = moments
    },
    isDead: () => isDead,
    moment: () => {
      if (!pass()) throw new Error('The process has died.')
    },
    revive: () => {
      left = null
      isDead = false
    },
  }
}
