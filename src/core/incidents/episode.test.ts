import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type EpisodeSight, type EpisodeWatch, degradedSight, foldEpisode, nothingSeen, slowSight } from './episode.ts'
import type { CurrentStatus } from '#core/monitors/monitor.ts'
import { noPhases } from '#core/results/result.ts'
import type { RoundOutcome } from '#core/results/round.ts'

const sights = { g: 'so', u: 'otherwise', '-': 'unknown', d: 'over' } as const satisfies Record<string, EpisodeSight>
type Letter = keyof typeof sights

const ids = ['first', 'second', 'third', 'fourth', 'fifth']

/** A letter a round; "B" where an episode begins, "E" where one ends, "e" where it ends untold. */
function storyOf(rounds: string, rules: { beginsAfter: number | null; endsAfter: number }): string {
  let watch: EpisodeWatch = nothingSeen
  let begun = 0
  return rounds
    .split('')
    .map((letter, at) => {
      const folded = foldEpisode(watch, { sight: sightOf(letter), at }, rules)
      watch = folded.watch
      if (folded.change === 'begins') watch = { ...watch, episodeId: ids[begun++] ?? 'more' }
      return { none: '.', begins: 'B', ends: 'E', ends_untold: 'e' }[folded.change]
    })
    .join('')
}

function sightOf(letter: string): EpisodeSight {
  assert.ok(letter === 'g' || letter === 'u' || letter === '-' || letter === 'd')
  return sights[letter]
}

const stories = [
  ['the first of one', 'g', 1, 1, 'B'],
  ['not before the third of three', 'ggg', 3, 2, '..B'],
  ['once, however long it lasts', 'ggggggg', 2, 1, '.B.....'],
  ['a good round counts anew', 'ggugg', 3, 1, '.....'],
  ['a round that says nothing leaves the count', 'g-g-g', 3, 1, '....B'],
  ['going down counts anew', 'ggdgg', 3, 1, '.....'],
  ['one good round ends it', 'ggu', 2, 1, '.BE'],
  ['two are needed', 'gguu', 2, 2, '.B.E'],
  ['two in a row, and what says nothing does not part them', 'ggugu-u', 2, 2, '.B....E'],
  ['going down ends it untold', 'ggd', 2, 2, '.Be'],
  ['going down among good rounds ends it untold', 'ggud', 2, 2, '.B.e'],
  ['it begins again after it ended', 'ggugg', 2, 1, '.BE.B'],
  ['it begins again after the monitor was down', 'ggdgg', 2, 1, '.Be.B'],
  ['none begins where none is asked for', 'gggggg', null, 1, '......'],
] as const

describe('an episode', () => {
  for (const [name, rounds, beginsAfter, endsAfter, expected] of stories)
    it(`of ${rounds}: ${name}`, () => assert.equal(storyOf(rounds, { beginsAfter, endsAfter }), expected))

  it('says when the first of its rounds was', () => {
    let watch: EpisodeWatch = nothingSeen
    const rules = { beginsAfter: 3, endsAfter: 1 }
    for (const [sight, at] of [
      ['so', 10],
      ['otherwise', 20],
      ['so', 30],
      ['unknown', 40],
      ['so', 50],
      ['so', 60],
    ] as const)
      ({ watch } = foldEpisode(watch, { sight, at }, rules))
    assert.deepEqual(watch, { rounds: 3, firstAt: 30, others: 0, episodeId: null })
  })

  it('ends when its monitor tells of none any more, untold', () => {
    const running = { ...nothingSeen, episodeId: 'first' }
    assert.deepEqual(foldEpisode(running, { sight: 'so', at: 1 }, { beginsAfter: null, endsAfter: 1 }), {
      watch: nothingSeen,
      change: 'ends_untold',
    })
  })

  it('that an engine took over from another ends as it would have, and begins no second time', () => {
    const running = { ...nothingSeen, episodeId: 'first' }
    const rules = { beginsAfter: 1, endsAfter: 1 }
    assert.equal(foldEpisode(running, { sight: 'so', at: 1 }, rules).change, 'none')
    assert.equal(foldEpisode(running, { sight: 'otherwise', at: 1 }, rules).change, 'ends')
  })

  it('is what a naive reading of the rounds says', () => {
    const rounds = fc.array(fc.constantFrom<Letter>('g', 'u', '-', 'd'), { maxLength: 40 })
    const counts = fc.integer({ min: 1, max: 4 })
    fc.assert(
      fc.property(rounds, counts, counts, (letters, beginsAfter, endsAfter) => {
        assert.equal(storyOf(letters.join(''), { beginsAfter, endsAfter }), naiveStory(letters, beginsAfter, endsAfter))
      }),
    )
  })
})

/** By looking back from each round at the ones that said something. */
function naiveStory(letters: readonly Letter[], beginsAfter: number, endsAfter: number): string {
  let runningSince = -1
  return letters
    .map((letter, index) => {
      const before = letters
        .slice(0, index + 1)
        .filter((each, place) => each !== '-' && place >= Math.max(runningSince, 0))
      const endsWith = (wanted: Letter, count: number): boolean =>
        before.length >= count && before.slice(-count).every((each) => each === wanted)
      if (letter === '-') return '.'
      if (runningSince === -1 && letter === 'g' && countBack(letters.slice(0, index + 1), 'g') >= beginsAfter) {
        runningSince = index
        return 'B'
      }
      if (runningSince === -1) return '.'
      if (letter === 'd' || (letter === 'u' && endsWith('u', endsAfter))) {
        runningSince = -1
        return letter === 'd' ? 'e' : 'E'
      }
      return '.'
    })
    .join('')
}

function countBack(letters: readonly Letter[], wanted: Letter): number {
  const said = letters.filter((letter) => letter !== '-')
  return said.length - 1 - said.findLastIndex((letter) => letter !== wanted)
}

function outcome(type: RoundOutcome['type']): RoundOutcome {
  if (type === 'no_data') return { type }
  const verdict = { status: 'up', statusCode: 200, latencyMs: 10, error: null, phases: noPhases, details: {} } as const
  const report = { location: 'a', verdict }
  return type === 'clean' || type === 'undecided' ? { type, report } : { type, report, locations: ['a'] }
}

const sightings: readonly [RoundOutcome['type'], CurrentStatus, EpisodeSight][] = [
  ['partial', 'degraded', 'so'],
  ['clean', 'up', 'otherwise'],
  ['failed', 'up', 'unknown'],
  ['failed', 'degraded', 'unknown'],
  ['failed', 'pending', 'unknown'],
  ['undecided', 'up', 'unknown'],
  ['no_data', 'degraded', 'unknown'],
  ['failed', 'down', 'over'],
  ['partial', 'down', 'over'],
  ['clean', 'down', 'over'],
]

describe('a degraded round', () => {
  for (const [type, status, expected] of sightings)
    it(`that was ${type} is ${expected} of a monitor that is ${status}`, () =>
      assert.equal(degradedSight(outcome(type), status), expected))
})

const slowSightings: readonly [RoundOutcome['type'], CurrentStatus, number | null, EpisodeSight][] = [
  ['clean', 'up', 618, 'so'],
  ['clean', 'up', 617, 'otherwise'],
  ['partial', 'degraded', 618, 'so'],
  ['partial', 'degraded', 20, 'otherwise'],
  ['clean', 'up', null, 'unknown'],
  ['failed', 'up', 618, 'unknown'],
  ['undecided', 'up', 618, 'unknown'],
  ['no_data', 'up', 618, 'unknown'],
  ['failed', 'down', 618, 'over'],
  ['clean', 'down', null, 'over'],
]

describe('a slow round', () => {
  for (const [type, status, measuredMs, expected] of slowSightings)
    it(`that was ${type} in ${measuredMs ?? 'no'} ms is ${expected} of a monitor that is ${status}`, () => {
      const reading = measuredMs === null ? null : { measuredMs, usualMs: 206, slowFromMs: 618 }
      assert.equal(slowSight(outcome(type), status, reading), expected)
    })
})
