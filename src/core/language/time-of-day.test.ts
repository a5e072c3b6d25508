import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { msOfDay, timeOfDaySchema } from './time-of-day.ts'

describe('a time of day', () => {
  for (const [time, ms] of [
    ['00:00', 0],
    ['09:05', 32_700_000],
    ['23:59', 86_340_000],
  ] as const)
    it(`is ${time}`, () => assert.deepEqual([timeOfDaySchema.parse(time), msOfDay(time)], [time, ms]))

  for (const text of ['24:00', '7:00', '12:60', '12:00:00', ' 12:00', ''])
    it(`is not "${text}"`, () => assert.equal(timeOfDaySchema.safeParse(text).success, false))
})
