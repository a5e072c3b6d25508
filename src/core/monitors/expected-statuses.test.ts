import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  decideStatuses,
  expectedStatusesText,
  isExpectedStatus,
  rangesOf,
  type StatusInput,
  type StatusRange,
  type StatusSettings,
  statusesProblem,
  statusesToCheck,
  statusesWithin,
  statusList,
  usualStatuses,
  writeRange,
} from './expected-statuses.ts'

const listed: StatusSettings = {
  expected_status_min: 200,
  expected_status_max: 401,
  expected_statuses: ['200-299', '401'],
}

describe('a list of statuses', () => {
  for (const list of [['200'], ['100-599'], ['200-200'], ['401', '200-299'], Array.from({ length: 20 }, () => '200')])
    it(`may be ${list.join(', ').slice(0, 40)}`, () => assert.ok(statusList.safeParse(list).success))

  for (const list of [[], ['2xx'], ['99'], ['600'], ['200-600'], ['299-200'], ['200-'], [' 200'], [200], '200', null])
    it(`is not ${JSON.stringify(list)}`, () => assert.ok(!statusList.safeParse(list).success))

  it('has at most 20 parts', () => assert.ok(!statusList.safeParse(Array.from({ length: 21 }, () => '200')).success))

  it('is read and written as it was', () =>
    assert.deepEqual(rangesOf(['200-299', '401', '300-300']).map(writeRange), ['200-299', '401', '300']))
})

describe('the statuses that are right', () => {
  const cases: [what: StatusSettings, right: number[], wrong: number[], text: string][] = [
    [usualStatuses, [200, 399], [199, 400], '200 to 399'],
    [{ ...usualStatuses, expected_status_max: 200 }, [200], [199, 201], '200'],
    [listed, [200, 299, 401], [199, 300, 400, 402], '200 to 299, 401'],
  ]
  for (const [settings, right, wrong, text] of cases)
    it(`are ${text}`, () => {
      const expected = statusesToCheck(settings)
      assert.equal(expectedStatusesText(expected), text)
      for (const status of right) assert.ok(isExpectedStatus(status, expected), String(status))
      for (const status of wrong) assert.ok(!isExpectedStatus(status, expected), String(status))
    })
})

describe('ranges of which each is right', () => {
  const cases: [ranges: StatusRange[], min: number, max: number, list?: string[]][] = [
    [[[200, 299]], 200, 299],
    [[[401, 401]], 401, 401],
    [
      [
        [300, 399],
        [200, 299],
      ],
      200,
      399,
    ],
    [
      [
        [200, 399],
        [301, 302],
      ],
      200,
      399,
    ],
    [
      [
        [200, 250],
        [240, 299],
      ],
      200,
      299,
    ],
    [
      [
        [200, 299],
        [301, 308],
      ],
      200,
      308,
      ['200-299', '301-308'],
    ],
    [
      [
        [404, 404],
        [200, 201],
        [402, 403],
        [300, 300],
      ],
      200,
      404,
      ['200-201', '300', '402-404'],
    ],
  ]
  for (const [ranges, min, max, list] of cases)
    it(`${JSON.stringify(ranges)} ${list === undefined ? 'are one' : 'are a list'}`, () => {
      const bounds = { expected_status_min: min, expected_status_max: max }
      assert.deepEqual(statusesWithin(ranges), list === undefined ? bounds : { ...bounds, expected_statuses: list })
    })
})

describe('what is given for statuses', () => {
  const plain = { ...usualStatuses, expected_status_max: 299 }
  const list = ['301', '308']
  const ofList = { expected_status_min: 301, expected_status_max: 308, expected_statuses: list }
  const cases: [what: string, current: StatusSettings | null, input: StatusInput, decided: StatusSettings][] = [
    ['nothing, for a new monitor', null, {}, usualStatuses],
    ['a list, for a new monitor', null, { expected_statuses: list }, ofList],
    ['a list and its bounds, for a new monitor', null, ofList, ofList],
    ['a bound, for a new monitor', null, { expected_status_max: 299 }, plain],
    ['nothing', listed, {}, listed],
    ['the record as it was read', listed, listed, listed],
    ['the bounds as they were', listed, { expected_status_min: 200, expected_status_max: 401 }, listed],
    [
      'another bound alone, which ends the list',
      listed,
      { expected_status_max: 299 },
      { ...listed, expected_status_max: 299, expected_statuses: null },
    ],
    [
      'the record with another bound, which ends the list',
      listed,
      { ...listed, expected_status_min: 204 },
      { ...listed, expected_status_min: 204, expected_statuses: null },
    ],
    ['the record with another list', listed, { ...listed, expected_statuses: list }, ofList],
    ['the record with another list and its bounds', listed, ofList, ofList],
    ['null, which leaves the bounds', listed, { expected_statuses: null }, { ...listed, expected_statuses: null }],
    ['null and a bound', listed, { expected_statuses: null, expected_status_max: 299 }, plain],
    ['a list where there was none', plain, { expected_statuses: list }, ofList],
    [
      'null where there was none',
      plain,
      { ...plain, expected_status_max: 204 },
      { ...plain, expected_status_max: 204 },
    ],
  ]
  for (const [what, current, input, decided] of cases)
    it(`${what} is decided`, () => {
      assert.deepEqual(decideStatuses(input, current), decided)
      assert.equal(statusesProblem(input, current), null)
    })

  const contradictions: [what: string, current: StatusSettings | null, input: StatusInput, field: string][] = [
    ['a new list and another upper bound', plain, { expected_statuses: list, expected_status_max: 400 }, 'max'],
    [
      'a new list and another lower bound',
      listed,
      { ...listed, expected_statuses: list, expected_status_min: 100 },
      'min',
    ],
    ['a list and a bound of a new monitor', null, { expected_statuses: list, expected_status_max: 399 }, 'max'],
  ]
  for (const [what, current, input, field] of contradictions)
    it(`${what} contradict each other`, () => {
      const found = statusesProblem(input, current)
      const bound = field === 'max' ? 308 : 301
      assert.deepEqual(found, {
        field: `expected_status_${field}`,
        problem: `Must be ${bound}, as in expected_statuses, or left out.`,
      })
    })
})
