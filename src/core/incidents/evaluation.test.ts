import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { foldRound, type Standing } from './evaluation.ts'
import { noPhases, type ResultStatus, type Verdict } from '#core/results/result.ts'
import { addReport, openRound, outcomeOf, type Witnesses } from '#core/results/round.ts'

const fresh: Standing = { status: 'pending', failures: 0, successes: 0 }
const words = { u: 'up', d: 'down', g: 'degraded' } as const
type Letter = keyof typeof words | '-'

function verdictOf(status: ResultStatus): Verdict {
  return {
    status,
    statusCode: null,
    latencyMs: 1,
    error: status === 'up' ? null : status,
    phases: noPhases,
    details: {},
  }
}

/** Plays rounds of one location, a letter each; "-" is a round without data. Gives "status transition" per round. */
function play(rounds: string, thresholds: { failureThreshold: number; recoveryThreshold: number }): string[] {
  let standing = fresh
  return Array.from(rounds, (letter) => {
    const round = openRound(['here'])
    if (letter === 'u' || letter === 'd' || letter === 'g') addReport(round, 'here', verdictOf(words[letter]))
    const outcome = outcomeOf(round, { confirmationThreshold: 1, isPastDeadline: true })
    assert.ok(outcome !== null)
    const folded = foldRound(standing, outcome, thresholds)
    standing = folded.standing
    return folded.transition.type === 'none' ? standing.status : `${standing.status} ${folded.transition.type}`
  })
}

describe('the fold of rounds', () => {
  const cases = [
    ['u', 1, 2, ['up']],
    ['g', 1, 2, ['degraded']],
    ['d', 1, 2, ['down went_down']],
    ['d', 2, 2, ['pending']],
    ['ud', 2, 1, ['up', 'up']],
    ['udd', 2, 1, ['up', 'up', 'down went_down']],
    ['udud', 2, 1, ['up', 'up', 'up', 'up']],
    ['ud-d', 2, 1, ['up', 'up', 'up', 'down went_down']],
    ['ugu', 1, 2, ['up', 'degraded', 'up']],
    ['udu', 1, 2, ['up', 'down went_down', 'down']],
    ['uduu', 1, 2, ['up', 'down went_down', 'down', 'up recovered']],
    ['udug', 1, 2, ['up', 'down went_down', 'down', 'degraded recovered']],
    ['udugu', 1, 3, ['up', 'down went_down', 'down', 'down', 'up recovered']],
    ['ududuu', 1, 2, ['up', 'down went_down', 'down', 'down', 'down', 'up recovered']],
    ['udu-u', 1, 2, ['up', 'down went_down', 'down', 'down', 'up recovered']],
    ['ddd', 1, 1, ['down went_down', 'down', 'down']],
    ['-', 1, 1, ['pending']],
    ['u'.repeat(3) + 'd'.repeat(10), 10, 1, [...Array.from({ length: 12 }, () => 'up'), 'down went_down']],
  ] as const
  for (const [rounds, failureThreshold, recoveryThreshold, expected] of cases)
    it(`${rounds} with thresholds ${failureThreshold} and ${recoveryThreshold} gives ${expected.join(', ')}`, () => {
      assert.deepEqual(play(rounds, { failureThreshold, recoveryThreshold }), expected)
    })

  it('counts failed rounds in a row and forgets them with a success', () => {
    let standing = fresh
    const counts = Array.from('ddudd', (letter) => {
      const round = openRound(['here'])
      addReport(round, 'here', verdictOf(letter === 'u' ? 'up' : 'down'))
      const outcome = outcomeOf(round, { confirmationThreshold: 1, isPastDeadline: false })
      assert.ok(outcome !== null)
      ;({ standing } = foldRound(standing, outcome, { failureThreshold: 10, recoveryThreshold: 1 }))
      return standing.failures
    })
    assert.deepEqual(counts, [1, 2, 0, 1, 2])
  })
})

describe('the fold of rounds of several locations', () => {
  it('makes the same of rounds whatever the order in which their answers arrive', () => {
    fc.assert(
      fc.property(fc.array(playedRound, { maxLength: 30 }), thresholdsOfTwo, (rounds, thresholds) => {
        const inOrder = rounds.map((each) => ({ ...each, order: each.order.toSorted((a, b) => a - b) }))
        assert.deepEqual(storyOf(rounds, thresholds), storyOf(inOrder, thresholds))
      }),
    )
  })

  it('takes a monitor down only where enough agree, and up only where a location saw it work', () => {
    fc.assert(
      fc.property(fc.array(playedRound, { maxLength: 30 }), thresholdsOfTwo, (rounds, thresholds) => {
        let before = fresh
        for (const [index, { transition, standing }] of storyOf(rounds, thresholds).entries()) {
          const { answers = [], on = [], confirmationThreshold = 1 } = rounds[index] ?? {}
          const failures = answers.filter((letter) => letter === 'd').length
          const witnesses = new Set(on.map((each, place) => (each === '?' ? place : each)))
          const agreeing = new Set(
            on.flatMap((each, place) => (answers[place] === 'd' ? [each === '?' ? place : each] : [])),
          )
          const isConfirmed =
            failures > 0 &&
            failures >= Math.min(confirmationThreshold, answers.length) &&
            agreeing.size >= Math.min(confirmationThreshold, witnesses.size)
          const isSeenWorking = answers.includes('u') || answers.includes('g')
          assert.equal(standing.failures > before.failures, isConfirmed)
          if (transition === 'went_down') assert.ok(isConfirmed)
          if (transition === 'recovered' || standing.successes > before.successes) assert.ok(isSeenWorking)
          if (!isConfirmed && !isSeenWorking) assert.deepEqual(standing, before)
          before = standing
        }
      }),
    )
  })
})

/**
 * A letter for each location: "-" could not tell, "." is silent until the deadline. The others answer by `order`. `on` is
 * the machine of each.
 */
type PlayedRound = { answers: (Letter | '.')[]; on: string[]; order: number[]; confirmationThreshold: number }

/** "?" is one that a location does not name. */
const machine = fc.constantFrom('A', 'B', 'C', '?')

function witnessesOf(on: readonly string[]): Witnesses {
  return new Map(on.flatMap((each, index) => (each === '?' ? [] : [[`l${index}`, each]])))
}

const playedRound: fc.Arbitrary<PlayedRound> = fc
  .array(fc.constantFrom<Letter | '.'>('u', 'd', 'g', '-', '.'), { minLength: 1, maxLength: 10 })
  .chain((answers) => {
    const heard = answers.flatMap((letter, index) => (letter === '.' ? [] : [index]))
    return fc.record({
      answers: fc.constant(answers),
      on: fc.array(machine, { minLength: answers.length, maxLength: answers.length }),
      order: fc.shuffledSubarray(heard, { minLength: heard.length, maxLength: heard.length }),
      confirmationThreshold: fc.integer({ min: 1, max: 10 }),
    })
  })
const thresholdsOfTwo = fc.record({
  failureThreshold: fc.integer({ min: 1, max: 4 }),
  recoveryThreshold: fc.integer({ min: 1, max: 4 }),
})

/** Folds each round at the moment its outcome is certain, as the engine does. */
function storyOf(rounds: PlayedRound[], thresholds: { failureThreshold: number; recoveryThreshold: number }) {
  let standing = fresh
  return rounds.map(({ answers, on, order, confirmationThreshold }) => {
    const round = openRound(
      answers.map((_, index) => `l${index}`),
      witnessesOf(on),
    )
    let outcome = outcomeOf(round, { confirmationThreshold, isPastDeadline: false })
    for (const index of order) {
      const letter = answers[index] ?? '.'
      addReport(round, `l${index}`, letter === '-' || letter === '.' ? null : verdictOf(words[letter]))
      outcome ??= outcomeOf(round, { confirmationThreshold, isPastDeadline: false })
    }
    if (order.length === answers.length) assert.ok(outcome !== null, 'a round that all have answered is closed')
    outcome ??= outcomeOf(round, { confirmationThreshold, isPastDeadline: true })
    assert.ok(outcome !== null, 'a round past its deadline is closed')
    const folded = foldRound(standing, outcome, thresholds)
    standing = folded.standing
    return { transition: folded.transition.type, standing }
  })
}
