import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { judgeMetric, metricOptionsOf, readMetric } from './metric.ts'

describe('the number of a call', () => {
  const cases: [query: string | undefined, body: string, value: number | null][] = [
    ['12.5', '', 12.5],
    ['0', '', 0],
    ['-3', '', -3],
    [' 7 ', '', 7],
    ['.5', '', 0.5],
    ['5.', '', 5],
    ['1e3', '', 1000],
    ['1e15', '', 1e15],
    ['-1e15', '', -1e15],
    ['1000000000000001', '', null],
    ['1e400', '', null],
    ['', '', null],
    ['NaN', '', null],
    ['Infinity', '', null],
    ['0x10', '', null],
    ['1,5', '', null],
    ['12 %', '', null],
    ['1'.repeat(41), '', null],
    ['3', '4', 3],
    ['many', '4', null],
    [undefined, '12.5', 12.5],
    [undefined, '12.5\n', 12.5],
    [undefined, '{"value": 12.5}', 12.5],
    [undefined, ' {"unit": "%", "value": 0} ', 0],
    [undefined, '{"value": "12.5"}', null],
    [undefined, '{"value": 1e16}', null],
    [undefined, '{"number": 1}', null],
    [undefined, '[12.5]', null],
    [undefined, 'null', null],
    [undefined, 'value=12.5', 12.5],
    [undefined, 'host=a&value=%2B12.5\n', 12.5],
    [undefined, 'value=', null],
    [undefined, '', null],
    [undefined, `${' '.repeat(10_000)}1`, null],
  ]
  for (const [query, body, value] of cases)
    it(`${query === undefined ? `of the body "${body.slice(0, 40)}"` : `of ?value=${query}`} is ${value}`, () =>
      assert.equal(readMetric(query, body), value))

  it('is read of anything, and is finite or none', () => {
    fc.assert(
      fc.property(fc.option(fc.string(), { nil: undefined }), fc.oneof(fc.string(), fc.json()), (query, body) => {
        const value = readMetric(query, body)
        assert.ok(value === null || Math.abs(value) <= 1e15)
      }),
    )
  })
})

describe('what a number means', () => {
  const options = { down_below: -10, degraded_below: 0, degraded_above: 80, down_above: 90, unit: '%' }
  const cases: [value: number, status: string, error: string | null][] = [
    [-11, 'down', 'The value -11 % is less than -10 %'],
    [-10, 'degraded', 'The value -10 % is less than 0 %'],
    [-0.5, 'degraded', 'The value -0.5 % is less than 0 %'],
    [0, 'up', null],
    [80, 'up', null],
    [80.1, 'degraded', 'The value 80.1 % is more than 80 %'],
    [90, 'degraded', 'The value 90 % is more than 80 %'],
    [90.1, 'down', 'The value 90.1 % is more than 90 %'],
  ]
  for (const [value, status, error] of cases)
    it(`${value} is ${status}`, () => assert.deepEqual(judgeMetric(value, options), { status, error }))

  it('is up without bounds, and says no unit where there is none', () => {
    assert.deepEqual(judgeMetric(1e15, {}), { status: 'up', error: null })
    assert.equal(judgeMetric(2, { down_above: 1 }).error, 'The value 2 is more than 1')
  })

  it('goes by the options as they are stored', () => {
    assert.deepEqual(metricOptionsOf({ ...options, member_ids: [] }), options)
    assert.deepEqual(metricOptionsOf({ down_above: 'many', unit: 7 }), {})
  })
})
