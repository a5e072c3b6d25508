import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { onCallChangeSchema, onCallInputSchema, onCallOverrideInputSchema } from './on-call-schedule.ts'

const layer = {
  name: 'Days',
  participants: [],
  rotation: { every: 1, unit: 'days' },
  hand_over: '09:00',
  start_date: '2026-01-01',
}
const restriction = { weekdays: [1], starts: '09:00', ends: '17:00' }
const restricted = (weekdays: number[]): object => ({ ...layer, restrictions: [{ ...restriction, weekdays }] })
const rotating = (every: number, unit: string): object => ({ ...layer, rotation: { every, unit } })

describe('a layer of an on-call schedule', () => {
  const cases: [what: string, given: object, isTaken: boolean][] = [
    ['a name of one character', { ...layer, name: 'D' }, true],
    ['a name of 160 characters', { ...layer, name: 'x'.repeat(160) }, true],
    ['a longer name', { ...layer, name: 'x'.repeat(161) }, false],
    ['an empty name', { ...layer, name: '' }, false],
    ['turns of no time', rotating(0, 'days'), false],
    ['turns of 8760 hours', rotating(8760, 'hours'), true],
    ['turns of 8761 hours', rotating(8761, 'hours'), false],
    ['turns of 366 days', rotating(366, 'days'), true],
    ['turns of 367 days', rotating(367, 'days'), false],
    ['turns of 52 weeks', rotating(52, 'weeks'), true],
    ['turns of 53 weeks', rotating(53, 'weeks'), false],
    ['a hand-over on Sundays', { ...rotating(1, 'weeks'), weekday: 7 }, true],
    ['a hand-over on an eighth day', { ...rotating(1, 'weeks'), weekday: 8 }, false],
    ['a weekday of a rotation in days', { ...layer, weekday: 1 }, false],
    ['a restriction to all days', restricted([1, 2, 3, 4, 5, 6, 7]), true],
    ['a restriction to more days than there are', restricted([1, 2, 3, 4, 5, 6, 7, 1]), false],
    ['a restriction to one day', restricted([1]), true],
    ['a restriction to no day', restricted([]), false],
    ['a start in 1999', { ...layer, start_date: '1999-12-31' }, false],
    ['a start on the first day of 2000', { ...layer, start_date: '2000-01-01' }, true],
    ['a start on the last day of 2099', { ...layer, start_date: '2099-12-31' }, true],
    ['a start in 2100', { ...layer, start_date: '2100-01-01' }, false],
  ]
  for (const [what, given, isTaken] of cases)
    it(`${isTaken ? 'may' : 'may not'} have ${what}`, () =>
      assert.equal(
        onCallInputSchema.safeParse({ name: 'Operations', time_zone: 'UTC', layers: [given] }).success,
        isTaken,
      ))
})

describe('an on-call schedule', () => {
  it('has a name of 1 to 160 characters', () => {
    assert.deepEqual(
      ['', 'x', 'x'.repeat(160), 'x'.repeat(161)].map(
        (name) => onCallInputSchema.safeParse({ name, time_zone: 'UTC' }).success,
      ),
      [false, true, true, false],
    )
  })

  it('is changed by something', () => {
    assert.equal(onCallChangeSchema.safeParse({}).success, false)
    assert.deepEqual(onCallChangeSchema.parse({ name: 'Nights' }), { name: 'Nights' })
  })
})

describe('an override', () => {
  const cases: [starts: string, ends: string, isTaken: boolean][] = [
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', false],
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.001Z', true],
    ['2026-01-01T00:00:00Z', '2025-12-31T23:59:59Z', false],
    ['2026-01-01T00:00:00Z', '2027-01-02T00:00:00Z', true],
    ['2026-01-01T00:00:00Z', '2027-01-02T00:00:00.001Z', false],
    ['2026-01-01T00:00:00+02:00', '2026-01-01T00:00:00+01:00', true],
  ]
  for (const [starts_at, ends_at, isTaken] of cases)
    it(`${isTaken ? 'may' : 'may not'} last from ${starts_at} to ${ends_at}`, () =>
      assert.equal(onCallOverrideInputSchema.safeParse({ starts_at, ends_at, contact_id: null }).success, isTaken))
})
