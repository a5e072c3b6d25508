import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFindings } from '#core/imports/findings.ts'
import type { StatusRange } from '#core/monitors/expected-statuses.ts'
import {
  bodyExpectation,
  type Condition,
  demandLatency,
  intersected,
  rangesOf,
  readConditions,
  warnDaysOf,
} from './gatus-conditions.ts'

/** Conditions as they are read, and the notes of that. */
function read(...texts: (string | null)[]): { conditions: Condition[]; notes: string[] } {
  const findings = createFindings()
  const conditions = readConditions(texts, { place: 'endpoints[0]', findings })
  return { conditions, notes: findings.file().notes.map(({ place, message }) => `${place}: ${message}`) }
}

function only(text: string): Condition {
  const [condition] = read(text).conditions
  assert.ok(condition !== undefined, text)
  return condition
}

/** What is made of a condition, and what is told of it. */
function made<T>(
  text: string,
  make: (condition: Condition, findings: ReturnType<typeof createFindings>) => T,
): [made: T, told: string] {
  const findings = createFindings()
  const result = make(only(text), findings)
  return [
    result,
    findings
      .file()
      .notes.map(({ effect, message }) => `${effect}: ${message}`)
      .join(' '),
  ]
}

describe('conditions of Gatus', () => {
  it('have two sides and an operator between them', () => {
    assert.deepEqual(read(' [STATUS]  <= 200 ').conditions, [
      {
        left: '[STATUS]',
        operator: '<=',
        right: '200',
        text: ' [STATUS]  <= 200 ',
        place: 'endpoints[0].conditions[0]',
      },
    ])
    const sides = ['a == b', 'a != b', 'a <= b', 'a >= b', 'a < b', 'a > b', 'a==b==c'].map(only)
    assert.deepEqual(
      sides.map(({ left, operator, right }) => [left, operator, right]),
      [
        ['a', '==', 'b'],
        ['a', '!=', 'b'],
        ['a', '<=', 'b'],
        ['a', '>=', 'b'],
        ['a', '<', 'b'],
        ['a', '>', 'b'],
        ['a', '==', 'b==c'],
      ],
    )
  })

  it('that cannot be read are told with their place', () => {
    assert.deepEqual(read('up', null, '== 5', '[STATUS] == 200').notes, [
      'endpoints[0].conditions[0]: "up" is no condition that can be read.',
      'endpoints[0].conditions[1]: "" is no condition that can be read.',
      'endpoints[0].conditions[2]: "== 5" is no condition that can be read.',
    ])
  })

  it('that hold for every check that succeeds are left out, and no others', () => {
    assert.deepEqual(read('[CONNECTED] == true', '[DNS_RCODE] == NOERROR'), { conditions: [], notes: [] })
    const kept = [
      '[CONNECTED] != true',
      '[CONNECTED] == false',
      '[DNS_RCODE] == NXDOMAIN',
      '[DNS_RCODE] != NOERROR',
      '[STATUS] == true',
      '[STATUS] == NOERROR',
    ]
    assert.equal(read(...kept).conditions.length, kept.length)
  })
})

describe('a status of Gatus', () => {
  const told: [text: string, ranges: StatusRange[] | null][] = [
    ['[STATUS] == 200', [[200, 200]]],
    [
      '[STATUS] == any(200, 301)',
      [
        [200, 200],
        [301, 301],
      ],
    ],
    ['[STATUS] == pat(2*)', [[200, 299]]],
    ['[STATUS] == pat(5*)', [[500, 599]]],
    ['[STATUS] == pat(6*)', null],
    ['[STATUS] == any(200, ok)', null],
    ['[STATUS] == 20', null],
    ['[STATUS] < 300', [[100, 299]]],
    ['[STATUS] <= 300', [[100, 300]]],
    ['[STATUS] > 199', [[200, 599]]],
    ['[STATUS] >= 200', [[200, 599]]],
    [
      '[STATUS] != 500',
      [
        [100, 499],
        [501, 599],
      ],
    ],
    ['[STATUS] != ok', null],
    ['[STATUS] < many', null],
    ['[STATUS] < 1000', null],
  ]
  for (const [text, ranges] of told)
    it(`${text} is ${JSON.stringify(ranges)}`, () => assert.deepEqual(rangesOf(only(text)), ranges))

  const both: [one: StatusRange[], other: StatusRange[], found: StatusRange[]][] = [
    [[[100, 299]], [[200, 599]], [[200, 299]]],
    [[[200, 599]], [[100, 299]], [[200, 299]]],
    [[[100, 200]], [[200, 300]], [[200, 200]]],
    [[[100, 199]], [[200, 300]], []],
    [
      [
        [200, 200],
        [301, 301],
      ],
      [[100, 599]],
      [
        [200, 200],
        [301, 301],
      ],
    ],
    [[], [[100, 599]], []],
  ]
  for (const [one, other, found] of both)
    it(`${JSON.stringify(one)} and ${JSON.stringify(other)} have ${JSON.stringify(found)} in common`, () =>
      assert.deepEqual(intersected(one, other), found))

  it('is compared with a hundred ranges at most', () => {
    const ranges = Array.from({ length: 101 }, (_, at): StatusRange => [100 + at, 100 + at])
    assert.equal(intersected(ranges, [[100, 599]]).length, 100)
    assert.equal(intersected([[100, 599]], ranges).length, 100)
  })
})

describe('a response time of Gatus', () => {
  const degraded = 'changed: In Perigee, a slow answer means degraded; in Gatus it meant down.'
  const told: [text: string, limit: number | null, told: string | RegExp][] = [
    ['[RESPONSE_TIME] < 500', 500, degraded],
    ['[RESPONSE_TIME] <= 2s', 2_000, degraded],
    ['[RESPONSE_TIME] < 100', 100, degraded],
    ['[RESPONSE_TIME] < 99', 100, `${degraded} The limit is 100 ms.`],
    ['[RESPONSE_TIME] < 60000', 60_000, degraded],
    ['[RESPONSE_TIME] < 60001', 60_000, `${degraded} The limit is 60000 ms.`],
    ['[RESPONSE_TIME] < 0.5ms', 100, `${degraded} The limit is 100 ms.`],
    ['[RESPONSE_TIME] > 500', null, /^lost: .*Checks only support an upper limit/],
    ['[RESPONSE_TIME] == 500', null, /^lost: /],
    ['[RESPONSE_TIME] < soon', null, /^lost: /],
  ]
  for (const [text, limit, note] of told)
    it(`${text} is a limit of ${limit ?? 'none'}`, () => {
      const [found, message] = made(text, (condition, findings) => demandLatency(condition, { place: 'a', findings }))
      assert.equal(found, limit)
      if (typeof note === 'string') assert.equal(message, note)
      else assert.match(message, note)
    })
})

describe('the end of a certificate of Gatus', () => {
  const told: [text: string, days: number | null][] = [
    ['[CERTIFICATE_EXPIRATION] > 48h', 2],
    ['[CERTIFICATE_EXPIRATION] >= 49h', 3],
    ['[CERTIFICATE_EXPIRATION] > 1m', 1],
    ['[CERTIFICATE_EXPIRATION] > 0', 1],
    ['[CERTIFICATE_EXPIRATION] > 365d', 365],
    ['[CERTIFICATE_EXPIRATION] > 366d', 365],
    ['[CERTIFICATE_EXPIRATION] < 48h', null],
    ['[CERTIFICATE_EXPIRATION] == 48h', null],
    ['[CERTIFICATE_EXPIRATION] > soon', null],
  ]
  for (const [text, days] of told) it(`${text} is ${days ?? 'none'}`, () => assert.equal(warnDaysOf(only(text)), days))
})

const itself = (value: string): RegExp => new RegExp(`^changed: In Perigee, the value must be ${value} itself`)

describe('a body of Gatus', () => {
  const text = /^changed: .*the body has to hold that text here/
  const told: [text: string, expectation: object | null, note: RegExp][] = [
    ['[BODY].status == UP', { json_path: 'status', expected_value: 'UP' }, /^$/],
    ['[BODY].list[0].name == a', { json_path: 'list.0.name', expected_value: 'a' }, /^$/],
    ['[BODY][0].name == a', { json_path: '0.name', expected_value: 'a' }, /^$/],
    ['[BODY].count == 5', { json_path: 'count', expected_value: 5 }, itself('5')],
    ['[BODY].count == -1.5', { json_path: 'count', expected_value: -1.5 }, itself('-1.5')],
    ['[BODY].count == 05', { json_path: 'count', expected_value: '05' }, /^$/],
    ['[BODY].is == true', { json_path: 'is', expected_value: true }, itself('true')],
    ['[BODY].is == null', { json_path: 'is', expected_value: null }, itself('null')],
    ['has([BODY].a) == true', { json_path: 'a' }, /^$/],
    ['has([BODY].a) == false', null, /^$/],
    ['len([BODY].a) == 5', null, /^$/],
    ['[BODY].a != 5', null, /^$/],
    ['[BODY].a == pat(*)', null, /^$/],
    ['[BODY].a == any(b, c)', null, /^$/],
    ['[BODY].a == [BODY].b', null, /^$/],
    ['[BODY] == pat(*well*)', { keyword: 'well' }, /^$/],
    ['[BODY] == well', { keyword: 'well' }, text],
    ['[BODY] == pat(we.l*)', { body_pattern: '^we\\.l[\\s\\S]*$' }, /^$/],
    ['[BODY] == any(a, b)', null, /^$/],
    ['[BODY] == [STATUS]', null, /^$/],
    ['[BODY] ==', null, /^$/],
  ]
  for (const [condition, expectation, note] of told)
    it(`${condition} is ${JSON.stringify(expectation)}`, () => {
      const [found, message] = made(condition, (each, findings) => bodyExpectation(each, { place: 'a', findings }))
      assert.deepEqual(found, expectation)
      assert.match(message, note)
    })
})
