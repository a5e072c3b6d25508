// What each fault did, as its test saw it: a line for each, of which `npm run test:faults` prints one table.
import assert from 'node:assert/strict'
import { appendFileSync } from 'node:fs'
import { z } from 'zod'
import { pause } from '../pause.ts'

const outcomeSchema = z.object({
  /** Incidents of targets that were up all the time. */
  falseIncidents: z.array(z.string()),
  /** True outages that were told late, or not at all; null where the fault was played without one. */
  late: z.array(z.string()).nullable(),
  /** Calls that were answered 200 and are not stored; null where none was made. */
  lost: z.int().nullable(),
  /** What the operator was told: subjects of mails, and sentences of the service's own status. */
  told: z.array(z.string()),
  /** Why a figure is not judged; null where all are. */
  skipped: z.string().nullable(),
})
export type Outcome = z.infer<typeof outcomeSchema>

export const faultLineSchema = outcomeSchema.extend({ fault: z.string(), isPassed: z.boolean() })
export type FaultLine = z.infer<typeof faultLineSchema>

/** The variable that names the file of the lines. */
export const reportVariable = 'PERIGEE_FAULTS_REPORT'

const lookEveryMs = 250

/**
 * Plays a fault, writes down what came of it, also when its test fails, and asserts that no incident was false, no
 * outage told late and nothing lost that was acknowledged.
 */
export async function underFault(fault: string, play: (outcome: Outcome) => Promise<void>): Promise<void> {
  const outcome: Outcome = { falseIncidents: [], late: null, lost: null, told: [], skipped: null }
  let isPlayed = false
  try {
    await play(outcome)
    isPlayed = true
  } finally {
    const isClean = outcome.falseIncidents.length + (outcome.late?.length ?? 0) + (outcome.lost ?? 0) === 0
    report({ fault, ...outcome, isPassed: isPlayed && isClean })
  }
  assert.deepEqual(outcome.falseIncidents, [], `false incidents while ${fault}`)
  assert.deepEqual(outcome.late ?? [], [], `outages that were told late while ${fault}`)
  assert.equal(outcome.lost ?? 0, 0, `calls were answered 200 and are not stored, while ${fault}`)
}

/** Waits until an outage is told, no longer than it may take; notes it as late otherwise. */
export async function expectTold(
  outcome: Outcome,
  outage: string,
  { withinMs, isTold }: { withinMs: number; isTold: () => Promise<boolean> },
): Promise<void> {
  outcome.late ??= []
  const untilMs = performance.now() + withinMs
  while (!(await isTold())) {
    if (performance.now() > untilMs) {
      outcome.late.push(`${outage}: not told after ${Math.round(withinMs / 1_000)} s`)
      return
    }
    await pause(lookEveryMs)
  }
}

function report(line: FaultLine): void {
  const { [reportVariable]: file } = process.env
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`)
}
