import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { doctorChecks } from './index.ts'

describe('the checks of the doctor', () => {
  it('are those that docs/operating.md names, in the same order', () => {
    const page = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8')
    const [, section = ''] = page.split('## What is wrong, and what do I do?\n')
    const told = section.split('\n## ')[0]?.matchAll(/^\| `([a-z ]+)` +\|/gm) ?? []
    assert.deepEqual(
      Array.from(told, ([, name]) => name),
      doctorChecks.map(({ name }) => name),
    )
  })
})
