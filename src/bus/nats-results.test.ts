import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { CodecError, encodeResults } from './codec.ts'
import { resultsOf } from './nats-results.ts'

const monitorId = '9fb69823-eecf-4b04-81a4-fc97a5730844'
const result = { monitorId, version: 3, round: 1_763_744_400_123_456, location: 'fra', verdict: null }
const [bytes = new Uint8Array()] = encodeResults([result])

function bytesOf(list: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(list))
}

describe('results of a subject', () => {
  it('are read where location and partition are those of the subject', () => {
    assert.deepEqual(resultsOf('results.fra.4', bytes), [result])
  })

  const refused: [string, string, unknown][] = [
    ['another location', 'results.nyc.4', [[monitorId, 3, 1, 'fra']]],
    ['another partition', 'results.fra.5', [[monitorId, 3, 1, 'fra']]],
    ['a subject without partition', 'results.fra', [[monitorId, 3, 1, 'fra']]],
    [
      'another location in one of several',
      'results.fra.4',
      [
        [monitorId, 3, 1, 'fra'],
        [monitorId, 3, 2, 'nyc'],
      ],
    ],
    ['an id that is none', 'results.fra.4', [["x'); drop table 44", 3, 1, 'fra']]],
    ['an id in capitals', 'results.fra.4', [[monitorId.toUpperCase(), 3, 1, 'fra']]],
    ['something that is no result', 'results.fra.4', ['fra']],
    ['no list', 'results.fra.4', { fra: 4 }],
  ]
  for (const [name, subject, list] of refused)
    it(`are refused as a whole with ${name}`, () => {
      assert.throws(() => resultsOf(subject, bytesOf(list)), CodecError)
    })

  it('are of the subject, or refused with their own error, whatever the bytes', () => {
    const token = fc.constantFrom('fra', 'nyc', '4', '5', '', '*')
    const item = fc.tuple(fc.constantFrom(monitorId, '', 'x'), fc.nat(), fc.nat(), token)
    const message = fc.oneof(fc.uint8Array(), fc.jsonValue().map(bytesOf), fc.array(item).map(bytesOf))
    fc.assert(
      fc.property(
        fc.array(token).map((tokens) => ['results', ...tokens].join('.')),
        message,
        (subject, content) => {
          try {
            for (const { location } of resultsOf(subject, content)) assert.equal(location, subject.split('.')[1])
          } catch (error) {
            assert.ok(error instanceof CodecError, String(error))
          }
        },
      ),
      { numRuns: 2_000 },
    )
  })
})
