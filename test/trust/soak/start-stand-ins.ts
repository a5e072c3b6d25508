import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { Addresses, Given, Witnessed } from './stand-ins.ts'

export type StandIns = {
  pid: number
  addresses: Addresses
  /** From now on the plan of outages holds. */
  begin: () => Promise<void>
  /** What the target and the receivers saw so far. */
  witnessed: () => Promise<Witnessed>
  end: () => void
}

const answerMs = 30_000
const addressesSchema: z.ZodType<Addresses> = z.object({ targets: z.array(z.string()), receiver: z.string() })
const witnessedSchema: z.ZodType<Witnessed> = z.object({
  seen: z.array(
    z.object({
      rounds: z.int(),
      repeats: z.int(),
      lastAt: z.number(),
      isFailing: z.boolean(),
      outages: z.array(z.object({ firstAt: z.number(), lastAt: z.number(), failures: z.int() })),
    }),
  ),
  arrivals: z.array(z.object({ id: z.string(), contact: z.string(), taken: z.int(), refused: z.int() })),
})

/** In a process of their own, so that their work is not this one's. */
export async function startStandIns(given: Given): Promise<StandIns> {
  const child = fork(fileURLToPath(new URL('stand-ins.ts', import.meta.url)), [JSON.stringify(given)], {
    // Numbers that JSON does not know stay what they are.
    serialization: 'advanced',
  })
  const told = async (): Promise<unknown> => {
    const [message] = await once(child, 'message', { signal: AbortSignal.timeout(answerMs) })
    return message
  }
  const ask = async (question: 'begin' | 'witnessed'): Promise<unknown> => {
    const answer = told()
    child.send(question)
    return answer
  }
  const addresses = addressesSchema.parse(await told())
  return {
    pid: child.pid ?? 0,
    addresses,
    begin: async () => void (await ask('begin')),
    witnessed: async () => witnessedSchema.parse(await ask('witnessed')),
    end: () => void child.kill('SIGTERM'),
  }
}
