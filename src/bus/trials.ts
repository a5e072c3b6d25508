// One check of a configuration that is no monitor's yet: the question to one prober, and its answer.
import type { CheckConfiguration } from '#core/monitors/check.ts'
import type { Verdict } from '#core/results/result.ts'
import { isStorable } from '#core/results/storable.ts'
import type { Trial, TrialHandler, Unsubscribe } from './bus.ts'
import { CodecError, configurationsCodec, decodeResults, encodeResults } from './codec.ts'
import { maxAnswerBytes } from './nats-options.ts'
import type { Time } from '#time/time.ts'

/** What carries a question there, and its answer back. */
export type TrialWire = {
  ask: (bytes: Uint8Array) => void
  /** Told of answers to this trial, until the returned function is called. */
  listen: (trialId: string, handler: (bytes: Uint8Array) => void) => Unsubscribe
  time: Pick<Time, 'after'>
}

/** Null when the location could not tell. Rejects when the answer does not come in time, or is none. */
export async function askTrial({ ask, listen, time }: TrialWire, trial: Trial): Promise<Verdict | null> {
  const { configuration, withinMs } = trial
  const { monitorId: id } = configuration
  const bytes = configurationsCodec.encode([configuration])
  if (bytes.byteLength > maxAnswerBytes) throw new CodecError('The configuration is too large to be tried.')
  const { promise, resolve, reject } = Promise.withResolvers<Verdict | null>()
  const unsubscribe = listen(id, (answer) => {
    try {
      resolve(verdictOf(id, answer))
    } catch (error) {
      reject(error)
    }
  })
  const cancel = time.after(withinMs, () => reject(new Error('The location did not answer in time.')))
  try {
    ask(bytes)
    return await promise
  } finally {
    cancel()
    unsubscribe()
  }
}

export type TrialAnswering = {
  location: string
  handler: TrialHandler
  answer: (trialId: string, bytes: Uint8Array) => void
}

/** The prober's side. Throws for bytes that are no trial. */
export function answerTrial(bytes: Uint8Array, { location, handler, answer }: TrialAnswering): void {
  const [configuration] = configurationsCodec.decode(bytes)
  if (configuration === undefined) throw new CodecError('A trial names no configuration that this release knows.')
  void tell(configuration, { location, handler, answer })
}

async function tell(configuration: CheckConfiguration, { location, handler, answer }: TrialAnswering): Promise<void> {
  const { monitorId: trialId } = configuration
  tellVerdict({ trialId, location, verdict: await handler(configuration) }, answer)
}

export type TrialAnswer = { trialId: string; location: string; verdict: Verdict | null }

/** An answer looks like a result of the round 0. */
export function tellVerdict({ trialId, location, verdict }: TrialAnswer, answer: TrialAnswering['answer']): void {
  const result = { monitorId: trialId, version: 0, round: 0, location, verdict }
  for (const part of encodeResults([result])) answer(trialId, part)
}

function verdictOf(trialId: string, bytes: Uint8Array): Verdict | null {
  const [result] = decodeResults(bytes)
  if (result === undefined || result.monitorId !== trialId) throw new CodecError('An answer is of another trial.')
  if (!isStorable(result)) throw new CodecError('An answer holds what no result may.')
  return result.verdict
}
