import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mask } from '#core/language/mask.ts'
import { joinContent, maskContent, maskProblems, splitContent } from './monitor-content.ts'

const first = { url: '/' }
const login = { url: '/login', method: 'POST' }

const cases = [
  {
    what: 'a request body',
    whole: { request_body: 'pin=1234', check_options: { json_path: 'a' } },
    rest: { request_body: null, check_options: { json_path: 'a' } },
    masked: { request_body: mask, check_options: { json_path: 'a' } },
  },
  {
    what: 'an empty request body',
    whole: { request_body: '', check_options: {} },
    rest: { request_body: null, check_options: {} },
    masked: { request_body: mask, check_options: {} },
  },
  {
    what: 'the body of a step among others',
    whole: { request_body: null, check_options: { steps: [first, { ...login, body: 'pin=1234' }] } },
    rest: { request_body: null, check_options: { steps: [first, login] } },
    masked: { request_body: null, check_options: { steps: [first, { ...login, body: mask }] } },
  },
  {
    what: 'a step that sends none, and says so',
    whole: { request_body: 'a', check_options: { steps: [{ ...login, body: null }] } },
    rest: { request_body: null, check_options: { steps: [login] } },
    masked: { request_body: mask, check_options: { steps: [{ ...login, body: null }] } },
  },
] as const

describe('what a monitor sends', () => {
  for (const { what, whole, rest, masked } of cases) {
    const given = structuredClone<Parameters<typeof splitContent>[0]>({
      request_body: whole.request_body,
      check_options: { ...whole.check_options },
    })

    it(`is taken out of the settings and put back: ${what}`, () => {
      const split = splitContent(given)
      assert.deepEqual(split.rest, rest)
      assert.deepEqual(split.content === null ? null : joinContent(split.rest, split.content), whole)
    })

    it(`is masked: ${what}`, () => assert.deepEqual(maskContent(given), masked))
  }

  it('is nothing where there is no body', () => {
    const whole = { request_body: null, check_options: { steps: [first] } }
    assert.deepEqual(splitContent(whole), { rest: whole, content: null })
    assert.deepEqual(maskContent(whole), whole)
  })

  it('is refused where it is a mask, by the name of its field', () => {
    const steps = [first, { ...login, body: mask }, { ...login, body: `${mask}!` }]
    const input = { name: 'Shop', request_body: mask, check_options: { steps } }
    assert.deepEqual(
      Array.from(maskProblems(input), ([field]) => field),
      ['request_body', 'check_options.steps.1.body'],
    )
    const strange = { request_body: null, check_options: { steps: ['body', null, 1] } }
    assert.deepEqual(Array.from(maskProblems({ name: 'Shop', ...strange })), [])
    assert.deepEqual(maskContent(strange), strange)
    assert.deepEqual(Array.from(maskProblems({ name: 'Shop', request_body: 'a', check_options: { steps: 1 } })), [])
  })
})
