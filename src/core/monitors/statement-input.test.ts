import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError } from '#core/language/error.ts'
import { freeSurroundings, testSettings } from '../../../test/support/settings.ts'
import { decideSettings } from './monitor-input.ts'
import type { MonitorSettings } from './monitor.ts'

type Options = Record<string, unknown>

const statement = 'SELECT count(*) FROM jobs'

/** What becomes of options that a monitor is given, where it had others; `had` is null for a new monitor. */
function decide(given: Options | undefined, had: Options | null, allowsStatements = false): Options | string[] {
  const current: MonitorSettings | null = had === null ? null : testSettings({ check_options: had })
  const input = { name: 'Shop', url: 'https://example.com', ...(given === undefined ? {} : { check_options: given }) }
  try {
    return decideSettings(input, current, { ...freeSurroundings, allowsStatements }).check_options
  } catch (error) {
    assert.ok(error instanceof AppError)
    return Object.keys(error.fields ?? {})
  }
}

describe('a statement for a database', () => {
  const refused = ['check_options.statement']

  it('is refused unless it is allowed', () => {
    assert.deepEqual(decide({ statement }, null), refused)
    assert.deepEqual(decide({ statement }, {}), refused)
    assert.deepEqual(decide({ statement }, null, true), { statement })
    assert.deepEqual(decide({}, null), {})
  })

  it('stays where a monitor has it, and is sent back, but becomes no other one', () => {
    assert.deepEqual(decide({ statement }, { statement }), { statement })
    assert.deepEqual(decide(undefined, { statement }), { statement })
    assert.deepEqual(decide({ statement: 'SELECT 2' }, { statement }), refused)
  })
})
