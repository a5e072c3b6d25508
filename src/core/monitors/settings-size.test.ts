import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testSettings } from '../../../test/support/settings.ts'
import type { MonitorSettings } from './monitor.ts'
import { largestField, roomProblem, settingsBytes, settingsBytesBeside, settingsBytesEach } from './settings-size.ts'

const empty = settingsBytes(testSettings({ request_body: '' }))

/** Settings of exactly so many bytes. */
function sized(bytes: number): MonitorSettings {
  const settings = testSettings({ request_body: 'x'.repeat(bytes - empty) })
  assert.equal(settingsBytes(settings), bytes)
  return settings
}

const each = settingsBytesEach
const full = settingsBytesBeside

const cases = [
  ['a create within what each has, in a full workspace', null, each, full, true],
  ['a create beyond it, in a full workspace', null, each + 1, full, false],
  ['a create that takes the last byte', null, each + 100, full - 100, true],
  ['a create that takes one more', null, each + 101, full - 100, false],
  ['a change that does not grow, in a workspace that is too full', each + 500, each + 500, full * 2, true],
  ['a change that shrinks, in a workspace that is too full', each + 500, each + 400, full * 2, true],
  ['a change that grows within what each has, in a full workspace', each - 500, each, full, true],
  ['a change that grows beyond it, in a full workspace', each + 500, each + 501, full, false],
  ['a change that takes the last byte', each + 500, each + 600, full - 600, true],
] as const

describe('the room for the settings of monitors', () => {
  for (const [what, before, after, besideOthers, isAllowed] of cases)
    it(`${isAllowed ? 'is there' : 'is not there'} for ${what}`, () => {
      const growth = { before: before === null ? null : sized(before), after: sized(after), besideOthers }
      assert.equal(roomProblem(growth) === null, isAllowed)
    })

  it('is counted in bytes of JSON', () => {
    const settings = testSettings({ request_body: '😀\n"' })
    assert.equal(settingsBytes(settings) - empty, 8)
  })

  it('is told to be short of by the largest field that was sent', () => {
    assert.equal(largestField({ name: 'A long name', request_body: 'x' }), 'name')
    assert.equal(largestField({ name: 'A', request_body: 'x'.repeat(50), check_options: { a: 1 } }), 'request_body')
    assert.equal(largestField({ name: 'A', check_options: { a: 'x'.repeat(50) } }), 'check_options')
  })
})
