import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { noPhases, type ResultStatus, type Verdict } from './result.ts'
import { addReport, meanLatencyMs, openRound, outcomeOf, type Witnesses } from './round.ts'

const words = { u: 'up', d: 'down', g: 'degraded' } as const

describe('a round of several locations', () => {
  const cases = [
    // answers in order, confirmation threshold, past the deadline, outcome
    ['d', 3, 1, false, 'failed'],
    ['d', 3, 2, false, 'open'],
    ['dd', 3, 2, false, 'failed'],
    ['du', 3, 2, false, 'open'],
    ['dud', 3, 2, false, 'failed'],
    ['duu', 3, 2, false, 'partial'],
    ['uuu', 3, 2, false, 'clean'],
    ['uu', 3, 2, false, 'open'],
    ['uu', 3, 2, true, 'clean'],
    ['ug', 2, 1, false, 'partial'],
    ['', 3, 2, true, 'no_data'],
    ['---', 3, 2, false, 'no_data'],
    ['--d', 3, 2, false, 'undecided'],
    ['d', 3, 2, true, 'undecided'],
    ['d-', 3, 2, true, 'undecided'],
    ['dd-', 4, 3, true, 'undecided'],
    ['dd-', 3, 2, false, 'failed'],
    ['d-', 2, 1, false, 'failed'],
    ['d-u', 3, 2, false, 'partial'],
    ['d-g', 3, 2, false, 'partial'],
    ['dg', 3, 2, true, 'partial'],
    ['du', 3, 2, true, 'partial'],
    ['--u', 3, 2, false, 'clean'],
    ['--g', 3, 2, false, 'partial'],
    ['d', 1, 5, false, 'failed'],
    ['', 0, 1, false, 'no_data'],
  ] as const
  for (const [answers, locations, confirmationThreshold, isPastDeadline, expected] of cases)
    it(`"${answers}" of ${locations}, ${confirmationThreshold} to agree${isPastDeadline ? ', past the deadline' : ''}: ${expected}`, () => {
      const round = openRound(Array.from({ length: locations }, (_, index) => `l${index}`))
      Array.from(answers).forEach((letter, index) => {
        addReport(round, `l${index}`, letter === '-' ? null : verdictOf(words[letterOf(letter)]))
      })
      assert.equal(outcomeOf(round, { confirmationThreshold, isPastDeadline })?.type ?? 'open', expected)
    })

  const machines = [
    // answers in order ("." is silent), the machine of each location ("?" names none), confirmation threshold, past the
    // deadline, outcome
    ['dd.', 'AAA', 2, false, 'failed'],
    ['d..', 'AAA', 2, false, 'open'],
    ['duu', 'AAA', 2, false, 'partial'],
    ['ddd', 'AAA', 3, false, 'failed'],
    ['dd.', 'AAB', 2, false, 'open'],
    ['d.d', 'AAB', 2, false, 'failed'],
    ['ddu', 'AAB', 2, false, 'partial'],
    ['dd-', 'AAB', 2, false, 'undecided'],
    ['dd.', 'AAB', 2, true, 'undecided'],
    ['dd..', 'AABB', 1, false, 'failed'],
    ['ddu.', 'AABB', 2, true, 'partial'],
    ['dudu', 'AABB', 2, false, 'failed'],
    ['dd.', 'AAB', 3, false, 'open'],
    ['ddd', 'AAB', 3, false, 'failed'],
    ['ddd.', 'AABC', 3, false, 'open'],
    ['dd.d.', 'AABCC', 3, false, 'open'],
    ['d.dd.', 'AABCC', 3, false, 'failed'],
    ['dd.', 'AA?', 2, false, 'open'],
    ['d.d', 'AA?', 2, false, 'failed'],
    ['dd.', '???', 2, false, 'failed'],
    ['d', 'A', 5, false, 'failed'],
  ] as const
  for (const [answers, standing, confirmationThreshold, isPastDeadline, expected] of machines)
    it(`"${answers}" on the machines ${standing}, ${confirmationThreshold} to agree${isPastDeadline ? ', past the deadline' : ''}: ${expected}`, () => {
      const names = Array.from(answers, (_, index) => `l${index}`)
      const round = openRound(names, witnessesOf(Array.from(standing)))
      for (const [index, letter] of Array.from(answers).entries())
        if (letter !== '.') addReport(round, `l${index}`, letter === '-' ? null : verdictOf(words[letterOf(letter)]))
      assert.equal(outcomeOf(round, { confirmationThreshold, isPastDeadline })?.type ?? 'open', expected)
    })

  it('fails when all its locations say so, whatever machines they stand on', () => {
    fc.assert(
      fc.property(fc.array(machine, { minLength: 1, maxLength: 10 }), fc.integer({ min: 1, max: 10 }), (on, needed) => {
        const round = openRound(
          on.map((_, index) => `l${index}`),
          witnessesOf(on),
        )
        for (const index of on.keys()) addReport(round, `l${index}`, verdictOf('down'))
        const outcome = outcomeOf(round, { confirmationThreshold: needed, isPastDeadline: false })
        assert.equal(outcome?.type, 'failed')
      }),
    )
  })

  it('takes the mean of the locations that found the target up, and of no others', () => {
    const round = openRound(['a', 'b', 'c', 'd'])
    assert.equal(meanLatencyMs(round), null)
    addReport(round, 'a', { ...verdictOf('up'), latencyMs: 100 })
    addReport(round, 'a', { ...verdictOf('up'), latencyMs: 9000 })
    addReport(round, 'b', { ...verdictOf('degraded'), latencyMs: 301 })
    addReport(round, 'c', { ...verdictOf('down'), latencyMs: 9000 })
    addReport(round, 'd', { ...verdictOf('up'), latencyMs: null })
    assert.equal(meanLatencyMs(round), 201)
  })

  it('ignores a location that takes no part and a second answer of the same one', () => {
    const round = openRound(['a', 'b'])
    assert.equal(addReport(round, 'c', verdictOf('down')), false)
    assert.equal(addReport(round, 'a', verdictOf('up')), true)
    assert.equal(addReport(round, 'a', verdictOf('down')), false)
    assert.equal(outcomeOf(round, { confirmationThreshold: 1, isPastDeadline: true })?.type, 'clean')
  })

  it('quotes the first failure, and the first degraded result where none failed', () => {
    const settings = { confirmationThreshold: 3, isPastDeadline: true }
    const failed = { location: 'd', verdict: { ...verdictOf('down'), error: 'the first' } }
    const degraded = { location: 'c', verdict: { ...verdictOf('degraded'), error: 'the first' } }
    const round = openRound(['a', 'b', 'c', 'd', 'e'])
    addReport(round, degraded.location, degraded.verdict)
    addReport(round, 'b', verdictOf('degraded'))
    assert.deepEqual(outcomeOf(round, settings), { type: 'partial', report: degraded, locations: ['b', 'c'] })
    addReport(round, failed.location, failed.verdict)
    addReport(round, 'a', verdictOf('down'))
    assert.deepEqual(outcomeOf(round, settings), { type: 'partial', report: failed, locations: ['a', 'b', 'c', 'd'] })
    assert.deepEqual(outcomeOf(round, { ...settings, confirmationThreshold: 2 }), {
      type: 'failed',
      report: failed,
      locations: ['a', 'd'],
    })
  })
})

function verdictOf(status: ResultStatus): Verdict {
  const error = status === 'up' ? null : status
  return { status, statusCode: null, latencyMs: 1, error, phases: noPhases, details: {} }
}

/** "?" is one that a location does not name. */
const machine = fc.constantFrom('A', 'B', 'C', '?')

function witnessesOf(on: readonly string[]): Witnesses {
  return new Map(on.flatMap((each, index) => (each === '?' ? [] : [[`l${index}`, each]])))
}

function letterOf(letter: string): keyof typeof words {
  assert.ok(letter === 'u' || letter === 'd' || letter === 'g')
  return letter
}
