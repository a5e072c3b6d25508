import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError } from '#core/language/error.ts'
import { type MonitorChange, completeChange, manyChangeSchema } from './monitor-change.ts'

const many = (count: number): string[] => Array.from({ length: count }, (_, at) => `tag ${at}`)

describe('a change of a monitor', () => {
  const current = { name: 'Shop', tags: ['Production', 'blue'] }
  const cases: [what: string, change: MonitorChange, input: unknown][] = [
    ['keeps the name', {}, { name: 'Shop' }],
    ['takes another name', { name: 'Store' }, { name: 'Store' }],
    ['replaces tags', { tags: ['Red'] }, { name: 'Shop', tags: ['Red'] }],
    ['adds tags behind those there are', { add_tags: ['Red'] }, { name: 'Shop', tags: ['Production', 'blue', 'Red'] }],
    ['adds no tag twice, whatever its case', { add_tags: ['BLUE'] }, { name: 'Shop', tags: ['Production', 'blue'] }],
    ['removes tags, whatever their case', { remove_tags: ['PRODUCTION', 'x'] }, { name: 'Shop', tags: ['blue'] }],
    [
      'writes a tag anew',
      { remove_tags: ['blue'], add_tags: ['Blue'] },
      { name: 'Shop', tags: ['Production', 'Blue'] },
    ],
    [
      'leaves the rest as it is',
      { timeout_ms: 500, add_tags: ['a'] },
      { name: 'Shop', timeout_ms: 500, tags: ['Production', 'blue', 'a'] },
    ],
    ['fills a monitor with tags', { add_tags: many(18) }, { name: 'Shop', tags: ['Production', 'blue', ...many(18)] }],
  ]
  for (const [what, change, input] of cases) it(what, () => assert.deepEqual(completeChange(change, current), input))

  it('is refused where there would be more than twenty tags', () => {
    assert.throws(
      () => completeChange({ add_tags: many(19) }, current),
      (error) => error instanceof AppError && error.fields?.['add_tags'] !== undefined,
    )
  })
})

describe('one change of many monitors', () => {
  const valid: unknown[] = [
    { interval_seconds: 60 },
    { tags: [] },
    { add_tags: ['a'], remove_tags: ['b'] },
    { alert_channel_ids: null, escalation_policy_id: null, alert_rules: null },
    { locations: ['local'], depends_on: [], keep_evidence: true, charts: 'uptime' },
  ]
  for (const change of valid)
    it(`is ${JSON.stringify(change)}`, () => assert.ok(manyChangeSchema.safeParse(change).success))
  const wrong: unknown[] = [
    {},
    { name: 'All' },
    { url: 'https://example.com' },
    { kind: 'tcp' },
    { check_options: {} },
    { request_headers: {} },
    { request_body: '' },
    { keyword: 'x' },
    { allow_private_target: true },
    { billing_period: 'monthly' },
    { tags: ['a'], add_tags: ['b'] },
    { tags: ['a'], remove_tags: ['b'] },
    { add_tags: [] },
    { add_tags: ['a', 'A'] },
    { interval_seconds: 5 },
  ]
  for (const change of wrong)
    it(`is not ${JSON.stringify(change)}`, () => assert.ok(!manyChangeSchema.safeParse(change).success))
})
