import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exitCodeOf, type GateState, type Verdict, verdictOf } from './gate.ts'

function stateWith(isMet: boolean | null, hour: number | null = 0, hours: number | null = 0): GateState {
  return { is_met: isMet, burn_rates: { '1h': hour, '6h': hours } }
}

describe('the gate of an objective', () => {
  const cases: [name: string, state: GateState, maxBurn: number | null, verdict: Verdict][] = [
    ['met', stateWith(true), null, 'within'],
    ['met, and burning fast where nobody asked', stateWith(true, 100, 100), null, 'within'],
    ['not met', stateWith(false), null, 'exceeded'],
    ['not met, and burning', stateWith(false, 100, 100), 6, 'exceeded'],
    ['unknown', stateWith(null, null, null), 6, 'unknown'],
    ['burning as fast as it may', stateWith(true, 6, 6), 6, 'within'],
    ['burning faster', stateWith(true, 6.01, 6.01), 6, 'burning'],
    ['burning faster for a moment', stateWith(true, 50, 5), 6, 'within'],
    ['burning faster in the last hour alone', stateWith(true, 7, 6), 6, 'within'],
    ['burning faster in the last six hours alone', stateWith(true, 6, 7), 6, 'within'],
    ['not measured for an hour, where nothing may burn', stateWith(true, null, 10), 0, 'within'],
    ['not measured for six hours, where nothing may burn', stateWith(true, 10, null), 0, 'within'],
    ['over', stateWith(true, 0, 10), 6, 'within'],
    ['measured not at all lately', stateWith(true, null, 10), 6, 'within'],
  ]
  for (const [name, state, maxBurn, verdict] of cases)
    it(`says ${verdict} of one that is ${name}`, () => assert.equal(verdictOf(state, maxBurn), verdict))

  const codes: [verdicts: Verdict[], allowsUnknown: boolean, code: number][] = [
    [['within', 'within'], false, 0],
    [['within', 'exceeded'], false, 1],
    [['burning'], false, 1],
    [['unknown', 'within'], false, 2],
    [['unknown', 'within'], true, 0],
    [['unknown', 'exceeded'], false, 1],
    [['unknown', 'exceeded'], true, 1],
  ]
  for (const [verdicts, allowsUnknown, code] of codes)
    it(`ends with ${code} for ${verdicts.join(', ')}${allowsUnknown ? ' where unknown passes' : ''}`, () =>
      assert.equal(exitCodeOf(verdicts, allowsUnknown), code))
})
