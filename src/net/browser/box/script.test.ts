import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runScript } from './script.ts'

/** What the script is given of a page that nothing is asked of. */
const page: Parameters<typeof runScript>[1]['page'] = Object.create({ setDefaultTimeout: () => {} })
const context: Parameters<typeof runScript>[1]['context'] = Object.create({})

function run(text: string, leftMs = 60_000): Promise<string | null> {
  return runScript({ text, secrets: { word: 's3cret' } }, { page, context, timeoutMs: 100, leftMs })
}

describe('a script of a visit', () => {
  const cases: [what: string, text: string, problem: string | null][] = [
    ['ends well', 'expect(secrets.word).toBe("s3cret")', null],
    ['awaits', 'await new Promise((resolve) => setTimeout(resolve, 5))', null],
    ['gives something back', 'return 7', null],
    ['writes to the console', 'console.log(1); console.error(2)', null],
    ['throws', "\n\nthrow new Error('no basket')", 'line 3: no basket'],
    ['throws what is no error', 'throw null', 'it threw null'],
    [
      'expects another value',
      'expect(1).toBe(2)',
      'line 1: expect(received).toBe(expected) // Object.is equality; Expected: 2; Received: 1',
    ],
    ['names what is not there', 'basket.open()', 'line 1: basket is not defined'],
    ['imports', "await import('node:fs')", 'line 1: A dynamic import callback was not specified.'],
    ['cannot be read', 'await page.click(', "line 2: Unexpected token '}'"],
  ]
  for (const [what, text, problem] of cases) it(`that ${what}`, async () => assert.equal(await run(text), problem))

  it('has an end', async () => {
    assert.equal(await run('await new Promise(() => {})', 50), 'it did not end in time')
  })
})
