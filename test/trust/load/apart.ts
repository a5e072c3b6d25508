import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { Calling, Tally } from './caller.ts'
import type { Watching, WatchTally } from './watcher.ts'

const whole = z.int()
const tallySchema: z.ZodType<Tally> = z.object({
  asked: whole,
  statuses: z.record(z.string(), whole),
  withoutRetry: whole,
  late: whole,
  broken: whole,
  seconds: z.number(),
  p50: z.number().or(z.nan()),
  p99: z.number().or(z.nan()),
  known: z.array(z.object({ taken: whole, last: whole, unknown: whole, lastUnknown: whole })),
})
const watchSchema: z.ZodType<WatchTally> = z.object({
  open: whole,
  messages: whole,
  gapP50: z.number().or(z.nan()),
  gapMost: z.number(),
  silentMostMs: z.number(),
  refused: whole,
  broken: whole,
})
/** For its start, and for a request that was sent last. */
const graceMs = 60_000

export async function callApart(calling: Calling): Promise<Tally> {
  return tallySchema.parse(await runApart('caller.ts', calling, calling.seconds))
}

export async function watchApart(watching: Watching): Promise<WatchTally> {
  return watchSchema.parse(await runApart('watcher.ts', watching, watching.seconds))
}

/** A program beside this file, which gets an order, answers once and ends. */
async function runApart(program: string, order: object, seconds: number): Promise<unknown> {
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), [], { serialization: 'advanced' })
  try {
    child.send(order)
    const [answer] = await once(child, 'message', { signal: AbortSignal.timeout(seconds * 1000 + graceMs) })
    return answer
  } finally {
    child.kill('SIGTERM')
  }
}
