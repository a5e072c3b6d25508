import { type Faults, manyFaults, noFaults } from './faults.ts'
import { createRandom, type Random } from './random.ts'
import type { SimulationOptions } from './simulate.ts'

/** Each seed has an installation of its own, and its own share of what may go wrong. */
export function optionsOf(seed: number): SimulationOptions {
  const random = createRandom(seed ^ 0x5eed)
  const monitors = random.within(10, 120)
  const installation = {
    hours: 0.5,
    monitors,
    called: random.within(0, Math.floor(monitors / 3)),
    engines: random.within(1, 4),
    locations: random.within(1, 4),
  }
  const faults = faultsOf(random)
  return { ...installation, faults: random.happens(restlessShare) ? { ...faults, ...restless } : faults }
}

/** In some installations processes end all the time, and takeovers fail. Their clock stays right, so that all is judged. */
const restlessShare = 0.3
const restless = { crash: 0.001, stop: 0.003, refused: 0.01, unanswered: 0.01, jump: 0 }

/** How much more often than usual a fault happens in an installation. */
const mostOften = 0.5
const scales = [0, 0, 1, 1, 3, 10]

/** Some kinds of faults are not there at all, so that what hides behind another one is found as well. */
function faultsOf(random: Random): Faults {
  const entries = Object.entries(manyFaults).map(([fault, usual]) => {
    return [fault, Math.min(mostOften, usual * (random.pick(scales) ?? 1))] as const
  })
  return { ...noFaults, ...Object.fromEntries(entries), slowestMs: manyFaults.slowestMs }
}
