import assert from 'node:assert/strict'
import { it } from 'node:test'
import { webhook } from './webhook.ts'

const cases = [
  [{}, true],
  [{ json_path: 'a.b' }, true],
  [{ json_path: 'a.b', expected_value: null }, true],
  [{ json_path: 'a.b', expected_value: { deep: [1] } }, true],
  [{ expected_value: true }, false],
  [{ json_path: '' }, false],
  [{ json_path: 'x'.repeat(257) }, false],
] as const
for (const [options, isValid] of cases)
  it(`options ${JSON.stringify(options).slice(0, 60)} are ${isValid ? 'valid' : 'refused'}`, () => {
    assert.equal(webhook.options.safeParse(options).success, isValid)
  })
