import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { MonitorRules } from './alert-rules.ts'
import {
  type Candidate,
  type EscalationPlace,
  nextPlace,
  policyChangeMessage,
  policyChangeSchema,
  policyInputSchema,
  stepMessage,
  type UntoldReason,
  untoldReason,
} from './escalation.ts'

const id = '0b0e7f0e-3c1c-4a58-9d0c-6d1f3f5a1c11'
const step = { after_minutes: 0, contact_ids: [id], schedule_ids: [] }
const policy = { name: 'Operations', steps: [step] }

describe('an escalation policy', () => {
  it('repeats nothing and is no default unless it says so', () =>
    assert.deepEqual(policyInputSchema.parse(policy), { ...policy, repeats: 0, is_default: false, tags: [] }))

  for (const [name, given] of [
    ['with a name of one character', { ...policy, name: 'O' }],
    ['with a name of 160 characters', { ...policy, name: 'x'.repeat(160) }],
    ['that repeats nothing', { ...policy, repeats: 0 }],
    ['with a step of a contact and a schedule', { ...policy, steps: [{ ...step, schedule_ids: [id] }] }],
    ['with a step of a schedule alone', { ...policy, steps: [{ after_minutes: 0, schedule_ids: [id] }] }],
  ] as const)
    it(`is taken ${name}`, () => assert.equal(policyInputSchema.safeParse(given).success, true))

  for (const [name, given, field] of [
    ['without steps', { ...policy, steps: [] }, 'steps'],
    ['with eleven steps', { ...policy, steps: Array.from({ length: 11 }, () => step) }, 'steps'],
    ['with a step of nobody', { ...policy, steps: [{ after_minutes: 0 }] }, 'steps.0.contact_ids'],
    [
      'that waits for more than a day',
      { ...policy, steps: [{ ...step, after_minutes: 1441 }] },
      'steps.0.after_minutes',
    ],
    ['that waits backwards', { ...policy, steps: [{ ...step, after_minutes: -1 }] }, 'steps.0.after_minutes'],
    ['that repeats for ever', { ...policy, repeats: 10 }, 'repeats'],
    ['with a name of 161 characters', { ...policy, name: 'x'.repeat(161) }, 'name'],
    ['with an empty name', { ...policy, name: '' }, 'name'],
    ['without a name', { steps: [step] }, 'name'],
  ] as const)
    it(`is refused ${name}`, () =>
      assert.equal(policyInputSchema.safeParse(given).error?.issues[0]?.path.join('.'), field))

  it('is changed by what is given, and by something', () => {
    assert.deepEqual(policyChangeSchema.parse({ repeats: 2 }), { repeats: 2 })
    assert.equal(policyChangeSchema.safeParse({}).success, false)
  })
})

describe('a contact of a step', () => {
  const at = new Date('2026-11-25T23:00:00Z')
  const works: Candidate = {
    id,
    name: 'Ann',
    kind: 'telegram',
    isEnabled: true,
    isConfirmed: true,
    isFailing: false,
    rules: null,
  }
  const quiet = { quiet_hours: { time_zone: 'UTC', from: '22:00', to: '06:00' } }
  const cases: [name: string, Partial<Candidate>, MonitorRules | null, UntoldReason | null][] = [
    ['is told where it works', {}, null, null],
    ['counts as untold while it is off', { isEnabled: false }, null, 'off'],
    ['counts as untold before it is confirmed', { isConfirmed: false }, null, 'unconfirmed'],
    ['counts as untold while it fails', { isFailing: true }, null, 'failing'],
    ['counts as untold where it wants no outages', { rules: { events: ['up'] } }, null, 'not_chosen'],
    ['counts as untold where the monitor tells no outages', {}, { events: ['up'] }, 'not_chosen'],
    ['is told where the monitor tells outages', {}, { events: ['down'] }, null],
    ['counts as untold in its quiet hours', { rules: quiet }, null, 'quiet'],
    ['counts as untold in those of the monitor', {}, quiet, 'quiet'],
    ['is told in its quiet hours of a critical monitor', { rules: quiet }, { critical: true }, null],
    ['is told at once, whatever it waits for otherwise', { rules: { after_minutes: 30 } }, null, null],
  ]
  for (const [name, candidate, monitor, reason] of cases)
    it(name, () => assert.equal(untoldReason({ ...works, ...candidate }, { monitor, at }), reason))

  it('is asked whether it wants what the step tells', () => {
    const onlyOutages = { ...works, rules: { events: ['down'] } } satisfies Candidate
    const onlyBudgets = { ...works, rules: { events: ['slo'] } } satisfies Candidate
    assert.equal(untoldReason(onlyOutages, { monitor: null, at, event: 'slo' }), 'not_chosen')
    assert.equal(untoldReason(onlyBudgets, { monitor: null, at, event: 'slo' }), null)
    assert.equal(untoldReason(onlyBudgets, { monitor: null, at }), 'not_chosen')
  })
})

describe('the steps of a policy', () => {
  const steps = [5, 10, 0].map((after_minutes) => ({ after_minutes, contact_ids: [id], schedule_ids: [] }))
  for (const [name, place, isTold, expected] of [
    ['go on after their minutes', { step: 0, turn: 0 }, true, { step: 1, turn: 0, minutes: 10 }],
    ['go on at once where nobody was told', { step: 0, turn: 0 }, false, { step: 1, turn: 0, minutes: 0 }],
    ['begin anew after the last', { step: 2, turn: 0 }, true, { step: 0, turn: 1, minutes: 5 }],
    ['end after the last turn', { step: 2, turn: 1 }, true, null],
    ['begin anew where there are fewer by now', { step: 7, turn: 0 }, true, { step: 0, turn: 1, minutes: 5 }],
  ] as const)
    it(name, () => assert.deepEqual(nextPlace({ steps, repeats: 1 }, place, isTold), expected))

  it('are each taken once a turn, and come to an end', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 1440 }), { minLength: 1, maxLength: 10 }),
        fc.integer({ min: 0, max: 9 }),
        fc.infiniteStream(fc.boolean()),
        (minutes, repeats, told) => {
          const some = minutes.map((after_minutes) => ({ after_minutes, contact_ids: [id], schedule_ids: [] }))
          const taken: string[] = []
          let place: EscalationPlace | null = { step: 0, turn: 0 }
          while (place !== null) {
            taken.push(`${place.turn}.${place.step}`)
            assert.ok(taken.length <= 100)
            place = nextPlace({ steps: some, repeats }, place, told.next().value)
          }
          const turns = Array.from({ length: repeats + 1 }, (_, turn) => minutes.map((__, index) => `${turn}.${index}`))
          assert.deepEqual(taken, turns.flat())
        },
      ),
    )
  })
})

describe('the event of a step', () => {
  const ann = { name: 'Ann', kind: 'telegram' }
  const bob = { name: 'Bob', kind: 'email' }
  for (const [outcomes, expected] of [
    [[{ candidate: ann, reason: null }], 'Step 2 of “Operations”: alerted Ann (telegram).'],
    [
      [
        { candidate: ann, reason: null },
        { candidate: bob, reason: null },
      ],
      'Step 2 of “Operations”: alerted Ann (telegram) and Bob (email).',
    ],
    [
      [
        { candidate: ann, reason: null },
        { candidate: bob, reason: 'quiet' },
      ],
      'Step 2 of “Operations”: alerted Ann (telegram). Not alerted: Bob (email) has quiet hours.',
    ],
    [
      [
        { candidate: ann, reason: 'failing' },
        { candidate: bob, reason: 'off' },
      ],
      'Step 2 of “Operations”: no one was alerted (Ann (telegram) fails; Bob (email) is switched off).',
    ],
    [[], 'Step 2 of “Operations”: no one was alerted (its contacts were deleted).'],
  ] as const)
    it(`reads: ${expected}`, () =>
      assert.equal(stepMessage('Operations', { step: 1, turn: 0 }, { outcomes, gaps: [] }), expected))

  it('names a schedule without anybody', () =>
    assert.equal(
      stepMessage('Operations', { step: 0, turn: 0 }, { outcomes: [], gaps: ['Night'] }),
      'Step 1 of “Operations”: no one was alerted (no one is on call in “Night”).',
    ))
})

describe('the event of another policy', () => {
  const none = { name: null, own: null, isOwn: false, isWithheld: false }
  const cases: [Parameters<typeof policyChangeMessage>[0], string][] = [
    [
      { ...none, name: 'Day', own: 'Day', isOwn: true },
      'The monitor has the escalation policy “Day” again. This outage continues with it.',
    ],
    [
      { ...none, name: 'Day', own: 'Night' },
      'The monitor has the escalation policy “Day” now. This outage continues with “Night”.',
    ],
    [{ ...none, own: 'Night' }, 'The monitor has no escalation policy now. This outage continues with “Night”.'],
    [
      { ...none, isWithheld: true },
      'The monitor has no escalation policy now. The contacts of the monitor are alerted if this outage outlasts the maintenance.',
    ],
    [
      { ...none, name: 'Day', isWithheld: true },
      'The monitor has the escalation policy “Day” now. It alerts if this outage outlasts the maintenance.',
    ],
    [none, 'The monitor has no escalation policy now. This takes effect with the next outage.'],
    [
      { ...none, name: 'Day', isOwn: true },
      'The monitor has the escalation policy “Day” now. It takes effect with the next outage.',
    ],
  ]
  for (const [news, expected] of cases)
    it(`reads: ${expected}`, () => assert.equal(policyChangeMessage(news), expected))
})
