import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type MaintenanceCourse, nextStep } from './maintenance-news.ts'

const at = (hours: number): Date => new Date(Date.UTC(2026, 10, 21, hours))
const time = (from: number, to: number) => ({ startsAt: at(from), endsAt: at(to) })
const planned = { told: 'planned', known: time(10, 12), present: time(10, 12), next: null } as const
const begun = { ...planned, told: 'begun' } as const

/**
 * The message that follows at the hour, what subscribers know afterwards, and from when to when the occurrence lasts.
 */
type Case = [
  what: string,
  course: MaintenanceCourse,
  hour: number,
  step: [type: string, told: string | null, from: number, to: number] | null,
]

const cases: Case[] = [
  ['nothing before it begins', planned, 9.999, null],
  ['that it has begun', planned, 10, ['begun', 'begun', 10, 12]],
  ['nothing while it lasts', begun, 11.999, null],
  ['that it is over', begun, 12, ['ended', 'ended', 10, 12]],
  ['that it is over, when its beginning was missed', planned, 15, ['ended', 'ended', 10, 12]],
  ['another end before it begins', { ...planned, present: time(10, 14) }, 9, ['changed', 'planned', 10, 14]],
  ['that it has begun, with its other end', { ...planned, present: time(10, 14) }, 10, ['begun', 'begun', 10, 14]],
  ['another end while it lasts', { ...begun, present: time(10, 14) }, 11, ['changed', 'begun', 10, 14]],
  ['that it ended early', { ...begun, present: time(10, 11) }, 11, ['ended', 'ended', 10, 11]],
  ['that it is cancelled', { ...planned, present: null }, 9, ['cancelled', null, 10, 12]],
  ['its other time', { ...planned, present: null, next: time(20, 21) }, 9, ['changed', 'planned', 20, 21]],
  ['that it ended as its window went', { ...begun, present: null }, 11, ['ended', 'ended', 10, 11]],
  ['no end later than it had', { ...begun, present: null, next: time(20, 21) }, 13, ['ended', 'ended', 10, 12]],
]

describe('subscribers of a page with planned maintenance', () => {
  for (const [what, course, hour, expected] of cases)
    it(`are told ${what}`, () => {
      const step = nextStep(course, new Date(at(0).getTime() + hour * 3_600_000))
      if (expected === null) return assert.equal(step, null)
      const [type, told, from, to] = expected
      return assert.deepEqual(step, { type, told, occurrence: time(from, to) })
    })
})
