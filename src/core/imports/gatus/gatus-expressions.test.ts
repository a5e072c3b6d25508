import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import jsonata from 'jsonata'
import { expressionOf } from './gatus-expressions.ts'
import { readConditions } from './gatus-conditions.ts'
import { createFindings } from '#core/imports/findings.ts'

const body = { name: 'john', age: 30, list: ['a', 'b'], 'odd-name': 'x/y', one: [7], none: null, deep: [{ a: 1 }] }

describe('a condition of Gatus about JSON', () => {
  const cases: [text: string, holds: boolean | null][] = [
    ['has([BODY].age) == true', true],
    ['has([BODY].age) == false', false],
    ['has([BODY].agent) == false', true],
    ['has([BODY].agent) != true', true],
    ['has([BODY].age) == yes', null],
    ['len([BODY].list) == 2', true],
    ['len([BODY].one) == 1', true],
    ['len([BODY].list) > 2', false],
    ['len([BODY].name) == 4', true],
    ['len([BODY].name) == four', null],
    ['[BODY].age != 31', true],
    ['[BODY].age != 30', false],
    ['[BODY].agent != 30', false],
    ['[BODY].age >= 30', true],
    ['[BODY].age < 29.5', false],
    ['[BODY].age > old', null],
    ['[BODY].name == pat(jo*n)', true],
    ['[BODY].name == pat(jo*)', true],
    ['[BODY].name == pat(o*)', false],
    ['[BODY].name == pat(j??n)', true],
    ['[BODY].odd-name == pat(x/*)', true],
    ['[BODY].odd-name == pat(x.y)', false],
    ['[BODY].name == any(jane, john)', true],
    ['[BODY].name != any(jane, john)', false],
    ['[BODY].name == any(jane, joe)', false],
    ['[BODY].deep[0].a == 1', true],
    ['[BODY].list[1] == b', true],
    ['[BODY].age == [BODY].age', true],
    ['[BODY].age == [BODY].name', false],
    ['[BODY].age == [STATUS]', null],
    ['[STATUS] == 200', null],
  ]
  for (const [text, holds] of cases)
    it(`${text}: ${holds === null ? 'cannot be said' : holds}`, async () => {
      const [condition] = readConditions([text], { place: 'e', findings: createFindings() })
      assert.ok(condition)
      const expression = expressionOf(condition)
      const given = expression === null ? null : ((await jsonata(expression).evaluate(body)) ?? false)
      assert.equal(given, holds)
    })
})
