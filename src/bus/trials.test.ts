import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noPhases, type Verdict } from '#core/results/result.ts'
import { systemTime } from '#time/time.ts'
import { configuration } from '../../test/support/bus-contract.ts'
import { CodecError, encodeResults } from './codec.ts'
import { askTrial } from './trials.ts'

const usual: Verdict = { status: 'up', statusCode: 200, latencyMs: 5, error: null, phases: noPhases, details: {} }

/** Asks for a trial that is answered with these bytes at once. */
function askAndHear(bytes: Uint8Array): Promise<Verdict | null> {
  const listeners = new Set<(answer: Uint8Array) => void>()
  return askTrial(
    {
      ask: () => listeners.forEach((tell) => tell(bytes)),
      listen: (_, handler) => {
        listeners.add(handler)
        return () => listeners.delete(handler)
      },
      time: systemTime,
    },
    { configuration, withinMs: 60_000 },
  )
}

function answerOf(verdict: Verdict | null, monitorId = configuration.monitorId): Uint8Array {
  return encodeResults([{ monitorId, version: 0, round: 0, location: 'here', verdict }])[0] ?? assert.fail()
}

describe('the answer to a trial', () => {
  it('is its verdict, or that the location could not tell', async () => {
    assert.deepEqual(await askAndHear(answerOf(usual)), usual)
    assert.equal(await askAndHear(answerOf(null)), null)
  })

  const refused: [string, Uint8Array][] = [
    ['of another trial', answerOf(usual, 'another')],
    ['with a text that nothing stores', answerOf({ ...usual, error: 'a\0' })],
    ['with a number that nothing stores', answerOf({ ...usual, latencyMs: 2 ** 40 })],
    ['without a result', new TextEncoder().encode('[]')],
    ['that is no message', new Uint8Array([0xff])],
  ]
  for (const [name, bytes] of refused) it(`is none ${name}`, () => assert.rejects(askAndHear(bytes), CodecError))
})
