import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  areParentsWell,
  decideAlert,
  isHolding,
  type ParentState,
  type Parents,
  recoveryWaitMs,
  type Told,
  type WaitingAlert,
  withheldEvent,
} from './parent-outages.ts'

const startedAtMs = 1_000_000
const nowMs = startedAtMs + 10_000
const alert: WaitingAlert = {
  contactId: 'ann',
  parentIds: ['router'],
  startedAtMs,
  untilMs: startedAtMs + 30_000,
  parentRecoveredAtMs: null,
  own: { judgedAtMs: startedAtMs, hasFailed: true },
}
const well = (id: string, ...parentIds: string[]): ParentState => ({
  id,
  name: id,
  parentIds,
  isKnown: true,
  incidentId: null,
  hasFailed: false,
  judgedAtMs: startedAtMs,
})
const down = (id: string, ...parentIds: string[]): ParentState => ({
  ...well(id, ...parentIds),
  incidentId: `outage of ${id}`,
  hasFailed: true,
})
const among = (parents: ParentState[], told: Record<string, Told> = {}): Parents => ({
  byId: new Map(parents.map((parent) => [parent.id, parent])),
  toldOf: (incidentId, contactId) => (contactId === 'ann' ? (told[incidentId.slice(10)] ?? 'untold') : 'untold'),
})
const lineOf = (levels: number): Parents => {
  const parents = Array.from({ length: levels }, (_, place) => down(`${place}`, `${place + 1}`))
  return among(parents, { [`${levels - 1}`]: 'reached' })
}
const decide = (parents: Parents, of: Partial<WaitingAlert> = {}): string => {
  const decision = decideAlert({ ...alert, ...of }, parents, nowMs)
  return decision.type === 'withhold' ? `withheld by ${decision.by.name}` : decision.type
}

describe('an alert of a monitor that depends on another', () => {
  const reached = { router: 'reached' } as const
  const cases: [what: string, parents: Parents, decision: string, of?: Partial<WaitingAlert>][] = [
    ['leaves when its parent is well', among([well('router')]), 'leave'],
    ['leaves when its parent is gone', among([]), 'leave'],
    ['is kept back from a contact that was told of the parent', among([down('router')], reached), 'withheld by router'],
    ['leaves to a contact that was not', among([down('router')], reached), 'leave', { contactId: 'bob' }],
    ['waits for the first attempt to tell of the parent', among([down('router')], { router: 'under_way' }), 'wait'],
    ['waits no longer than its time', among([down('router')], { router: 'under_way' }), 'leave', { untilMs: nowMs }],
    ['is kept back also after its time', among([down('router')], reached), 'withheld by router', { untilMs: 0 }],
    ['leaves when the parent is paused', among([{ ...down('router'), isKnown: false }], reached), 'leave'],
    ['waits for the parent to be checked', among([{ ...well('router'), judgedAtMs: startedAtMs - 1 }]), 'wait'],
    ['waits for no check of a parent that is not checked', among([{ ...well('router'), judgedAtMs: null }]), 'leave'],
    ['waits while the parent has failed once and is not down', among([{ ...well('router'), hasFailed: true }]), 'wait'],
    [
      'is kept back by the parent of a parent',
      among([down('router', 'line'), down('line')], { line: 'reached' }),
      'withheld by line',
    ],
    [
      'is kept back by the nearest of them',
      among([down('router', 'line'), down('line')], { line: 'reached', router: 'reached' }),
      'withheld by router',
    ],
    [
      'is kept back past a parent that is paused',
      among([{ ...well('router', 'line'), isKnown: false }, down('line')], { line: 'reached' }),
      'withheld by line',
    ],
    [
      'leaves when the parent of a parent that is well is down',
      among([well('router', 'line'), down('line')], { line: 'reached' }),
      'leave',
    ],
    ['ends in a circle', among([down('router', 'line'), down('line', 'router')]), 'leave'],
  ]
  for (const [what, parents, decision, of] of cases) it(what, () => assert.equal(decide(parents, of), decision))

  it('is kept back over ten levels and no more', () => {
    assert.equal(decide(lineOf(10), { parentIds: ['0'] }), 'withheld by 9')
    assert.equal(decide(lineOf(11), { parentIds: ['0'] }), 'leave')
  })
})

describe('an alert whose parent is back', () => {
  const parents = among([well('router')])
  const back = startedAtMs + 5_000
  const cases: [what: string, own: WaitingAlert['own'], decision: string][] = [
    ['waits for a round of its own', { judgedAtMs: back, hasFailed: true }, 'wait'],
    ['leaves after one that fails', { judgedAtMs: back + 1, hasFailed: true }, 'leave'],
    ['waits while its monitor comes back', { judgedAtMs: back + 1, hasFailed: false }, 'wait'],
  ]
  for (const [what, own, decision] of cases)
    it(what, () => assert.equal(decide(parents, { own, parentRecoveredAtMs: back }), decision))

  it('leaves when its time is over', () =>
    assert.equal(
      decide(parents, { own: { judgedAtMs: 0, hasFailed: true }, parentRecoveredAtMs: back, untilMs: nowMs }),
      'leave',
    ))

  it('is kept back by another', () => {
    const two = among([well('router'), down('power')], { power: 'reached' })
    assert.equal(decide(two, { parentIds: ['router', 'power'], parentRecoveredAtMs: back }), 'withheld by power')
  })

  it('waits 30 seconds, or for the rounds that its recovery takes', () => {
    assert.equal(recoveryWaitMs({ intervalSeconds: 10, recoveryThreshold: 1 }), 30_000)
    assert.equal(recoveryWaitMs({ intervalSeconds: 60, recoveryThreshold: 1 }), 120_000)
    assert.equal(recoveryWaitMs({ intervalSeconds: 60, recoveryThreshold: 3 }), 180_000)
  })
})

describe('a parent', () => {
  it('keeps alerts back while the outage lasts by which it did', () => {
    assert.equal(isHolding(down('router'), 'outage of router'), true)
    assert.equal(isHolding(down('router'), 'an earlier outage'), false)
    assert.equal(isHolding(well('router'), 'outage of router'), false)
    assert.equal(isHolding({ ...down('router'), isKnown: false }, 'outage of router'), false)
    assert.equal(isHolding(undefined, 'outage of router'), false)
  })

  it('is well once it was checked', () => {
    const of = { parentIds: ['router'], startedAtMs }
    assert.equal(areParentsWell(of, among([well('router')]).byId), true)
    assert.equal(areParentsWell(of, among([{ ...well('router'), judgedAtMs: 0 }]).byId), false)
    assert.equal(areParentsWell(of, among([down('router')]).byId), false)
  })

  it('is named on the timeline', () =>
    assert.deepEqual(
      withheldEvent({ id: 'ann', name: 'Ann', kind: 'email' }, { incidentId: 'outage', name: 'Router' }),
      {
        message:
          'Alert to Ann (email) held back: Router, which it depends on, is down, and Ann (email) was told of that.',
        details: { alert_channel_id: 'ann', parent_incident_id: 'outage' },
      },
    ))
})
