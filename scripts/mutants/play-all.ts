import type { TestGround } from '../test-ground.ts'
import type { Mutant } from './mutant.ts'
import { play, unmutatedMs, type Verdict } from './play.ts'
import { printVerdict } from './print.ts'

interface Lanes {
  ground: TestGround
  tests: ReadonlyMap<string, readonly string[]>
  lanes: number
}

/** A mutant that is so much slower than its file as it is never ends, or waits for what never comes. */
const slower = 4
const leastMs = 3000

/** Plays mutants file by file, on several lanes; each verdict is printed when it is there. */
export async function playAll(mutants: readonly Mutant[], { ground, tests, lanes }: Lanes): Promise<Verdict[]> {
  const groups = [...Map.groupBy(mutants, ({ file }) => file)].toSorted(
    ([, some], [, others]) => others.length - some.length,
  )
  const verdicts: Verdict[] = []
  const stop = new AbortController()
  const signal = AbortSignal.any([ground.signal, stop.signal])
  const workLane = async (lane: number): Promise<void> => {
    for (let group = groups.shift(); group !== undefined; group = groups.shift()) {
      const [file, own] = group
      const how = { ground: { ...ground, signal }, lane, tests: tests.get(file) ?? [] }
      const deadlineMs = leastMs + slower * (await tookUnmutated(file, how))
      for (const mutant of own) {
        const verdict = { mutant, ...(await play(mutant, { ...how, deadlineMs })) }
        verdicts.push(verdict)
        printVerdict(verdict)
      }
    }
  }
  const work = Array.from({ length: lanes }, (_, lane) =>
    workLane(lane).catch((error: unknown) => {
      stop.abort(error)
      throw error
    }),
  )
  await Promise.allSettled(work)
  await Promise.all(work)
  return verdicts
}

async function tookUnmutated(file: string, how: Omit<Parameters<typeof play>[1], 'deadlineMs'>): Promise<number> {
  const { outcome, output, tookMs } = await play({ file }, { ...how, deadlineMs: unmutatedMs })
  if (outcome === 'SURVIVED') return tookMs
  throw new Error(`${file} is as it was, and yet its tests ${outcome}: ${how.tests.join(', ')}\n${output}`)
}
