import assert from 'node:assert/strict'
import { it } from 'node:test'
import { nextProblem, type Problem } from './problem.ts'
import { noPhases } from '#core/results/result.ts'
import type { RoundOutcome } from '#core/results/round.ts'

function outcome(type: RoundOutcome['type'], locations: string[] = ['a']): RoundOutcome {
  if (type === 'no_data') return { type }
  const verdict = {
    status: 'down',
    statusCode: null,
    latencyMs: null,
    error: 'refused',
    phases: noPhases,
    details: {},
  } as const
  const report = { location: locations[0] ?? 'a', verdict }
  return type === 'clean' || type === 'undecided' ? { type, report } : { type, report, locations }
}

const down: Problem = { at: 1, status: 'down', locations: ['a'] }
const degraded: Problem = { at: 1, status: 'degraded', locations: ['a'] }

const cases = [
  ['a clean round with nothing running does nothing', null, outcome('clean'), null, []],
  ['a failed round begins a problem', null, outcome('failed'), { at: 9, status: 'down', locations: ['a'] }, ['begun']],
  [
    'a partial round begins one that is degraded',
    null,
    outcome('partial'),
    { at: 9, status: 'degraded', locations: ['a'] },
    ['begun'],
  ],
  ['the same again changes nothing', down, outcome('failed'), down, []],
  ['another location makes it grow', down, outcome('failed', ['b']), { ...down, locations: ['a', 'b'] }, ['grown']],
  ['a clean round ends it', down, outcome('clean'), null, ['ended']],
  ['a round without data leaves it', down, outcome('no_data'), down, []],
  ['an undecided round leaves it', down, outcome('undecided'), down, []],
  ['an undecided round begins none', null, outcome('undecided'), null, []],
  [
    'down follows degraded',
    degraded,
    outcome('failed'),
    { at: 9, status: 'down', locations: ['a'] },
    ['ended', 'begun'],
  ],
  [
    'degraded follows down',
    down,
    outcome('partial'),
    { at: 9, status: 'degraded', locations: ['a'] },
    ['ended', 'begun'],
  ],
] as const

for (const [name, running, round, problem, acts] of cases)
  it(name, () => {
    const step = nextProblem(running === null ? null : { ...running, locations: [...running.locations] }, round, 9)
    assert.deepEqual(step.problem, problem)
    const done = [step.ended !== null && 'ended', step.begun !== null && 'begun', step.grown !== null && 'grown']
    assert.deepEqual(
      done.filter((act) => act !== false),
      acts,
    )
  })
