import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { kumaExample } from '../../../test/support/kuma-example.ts'
import { readKuma } from '#core/imports/kuma/kuma.ts'
import { withShortestInterval } from './shortest-interval.ts'

const file = readKuma(kumaExample, new Date('2026-11-26T12:00:00Z'))

describe('the shortest interval of a plan', () => {
  it('is that of monitors which would be checked more often, and each is noted', () => {
    const slow = withShortestInterval(file, 300)
    const faster = file.monitors.filter(({ input }) => (input.interval_seconds ?? 300) < 300)
    assert.ok(faster.length > 0)
    assert.ok(slow.monitors.every(({ input }) => (input.interval_seconds ?? 300) >= 300))
    assert.deepEqual(
      slow.notes.slice(file.notes.length).map(({ place, effect }) => [place, effect]),
      faster.map(({ place }) => [place, 'changed']),
    )
  })

  it('changes nothing where all are slower', () => assert.deepEqual(withShortestInterval(file, 1), file))
})
