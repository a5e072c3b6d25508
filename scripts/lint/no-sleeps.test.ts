// Tests with and without a sleep, as oxlint itself sees them.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { findingsOf } from './run-oxlint.ts'

const sleeps = {
  'an imported timer': "import { setTimeout as delay } from 'node:timers/promises'; await delay(50)",
  'all imported timers': "import * as timers from 'node:timers/promises'; await timers.setTimeout(50)",
  'a promise of a timer': 'await new Promise((resolve) => setTimeout(resolve, 50))',
  'a promise of a timer in a block': 'await new Promise((done) => { setTimeout(done, 50) })',
  'a promise of a timer that calls': "await new Promise((resolve) => setTimeout(() => resolve('late'), 50))",
  "a browser's": 'export const rest = (page) => page.waitForTimeout(50)',
}
const others = {
  'a turn of the event loop': "import { setImmediate as nextTurn } from 'node:timers/promises'; await nextTurn()",
  'a server that is slow': "export const answer = (response) => setTimeout(() => response.end('late'), 150)",
  'a deadline': "await new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 5000))",
  'a timer that something else ends':
    'await new Promise((resolve) => { const timer = setTimeout(fail, 50); begin(() => { clearTimeout(timer); resolve() }) })',
}

describe('perigee/no-sleeps', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-lint-'))
  const all = Object.values({ ...sleeps, ...others })
  const pathOf = (code: string): string => `${all.indexOf(code)}.test.ts`
  let found = new Map<string, string[]>()
  before(() => {
    for (const code of all) writeFileSync(join(folder, pathOf(code)), `${code}\n`)
    found = findingsOf('no-sleeps', folder)
  })
  after(() => rmSync(folder, { recursive: true }))

  for (const [name, code] of Object.entries(sleeps))
    it(`refuses ${name}`, () => assert.match(found.get(pathOf(code))?.join('\n') ?? '', /^A sleep/))

  for (const [name, code] of Object.entries(others))
    it(`allows ${name}`, () => assert.equal(found.get(pathOf(code)), undefined))
})
