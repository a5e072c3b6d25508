import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { alertEvents, monitorEvents } from './alert-events.ts'
import { chosenRules, contactRulesSchema, monitorRulesSchema, quietHoursSchema } from './alert-rules.ts'

describe('rules of alerts', () => {
  const cases: [what: string, given: object, isTaken: boolean][] = [
    ['an outage is told at once', { after_minutes: 0 }, true],
    ['an outage is told after twelve hours', { after_minutes: 720 }, true],
    ['an outage is told later than that', { after_minutes: 721 }, false],
    ['an outage is told before it begins', { after_minutes: -1 }, false],
    ['the alert repeats every five minutes', { remind_every_minutes: 5 }, true],
    ['the alert repeats more often', { remind_every_minutes: 4 }, false],
    ['the alert repeats once a day', { remind_every_minutes: 1440 }, true],
    ['the alert repeats less often', { remind_every_minutes: 1441 }, false],
    ['one event is told', { events: ['down'] }, true],
    ['no event is told', { events: [] }, false],
  ]
  for (const [what, given, isTaken] of cases)
    it(`${isTaken ? 'may' : 'may not'} say that ${what}`, () => {
      assert.equal(contactRulesSchema.safeParse(given).success, isTaken)
      assert.equal(monitorRulesSchema.safeParse(given).success, isTaken)
    })

  it('may name every event once', () => {
    assert.equal(contactRulesSchema.safeParse({ events: alertEvents }).success, true)
    assert.equal(contactRulesSchema.safeParse({ events: [...alertEvents, alertEvents[0]] }).success, false)
    assert.equal(monitorRulesSchema.safeParse({ events: monitorEvents }).success, true)
  })

  it('are none where they choose nothing', () => {
    assert.equal(chosenRules(undefined), null)
    assert.equal(chosenRules(null), null)
    assert.equal(chosenRules({}), null)
    assert.deepEqual(chosenRules({ after_minutes: 0 }), { after_minutes: 0 })
  })

  it('take no rule that is not known', () => {
    assert.equal(contactRulesSchema.safeParse({ critical: true }).success, false)
    assert.equal(monitorRulesSchema.safeParse({ bundle: true }).success, false)
  })
})

describe('quiet hours', () => {
  const night = { time_zone: 'UTC', from: '22:00', to: '06:00' }
  const cases: [what: string, given: object, isTaken: boolean][] = [
    ['a night', {}, true],
    ['a whole day of every day', { to: '22:00' }, false],
    ['a whole day of six days', { to: '22:00', weekdays: [1, 2, 3, 4, 5, 6] }, true],
    ['a whole day of each of seven days', { to: '22:00', weekdays: [1, 2, 3, 4, 5, 6, 7] }, false],
    ['a whole day of a day that is named seven times', { to: '22:00', weekdays: [1, 1, 1, 1, 1, 1, 1] }, true],
    ['a night of all seven days', { weekdays: [1, 2, 3, 4, 5, 6, 7] }, true],
    ['a night of eight days', { weekdays: [1, 2, 3, 4, 5, 6, 7, 1] }, false],
    ['a night of one day', { weekdays: [1] }, true],
    ['a night of no day', { weekdays: [] }, false],
    ['a night of day zero', { weekdays: [0] }, false],
    ['a night of day eight', { weekdays: [8] }, false],
  ]
  for (const [what, given, isTaken] of cases)
    it(`${isTaken ? 'may' : 'may not'} be ${what}`, () =>
      assert.equal(quietHoursSchema.safeParse({ ...night, ...given }).success, isTaken))
})
