import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Section } from './entries.ts'
import { overLimitsOf, overLimitText } from './limits.ts'

const created = (section: Section, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    type: 'create' as const,
    entry: { section, key: `k${at}`, place: { file: 'a.yaml', line: 1 }, fields: {}, outside: [] },
  }))
const present = (section: Section, count: number) => Array.from({ length: count }, () => ({ section }))

describe('more than a workspace may have', () => {
  const cases: [what: string, section: Section, has: number, creates: number, most: number | null][] = [
    ['is nothing within the limit', 'reports', 18, 2, null],
    ['is one too many', 'reports', 18, 3, 20],
    ['is told of new ones alone', 'reports', 21, 0, null],
    ['is no matter of monitors, of which the plan decides', 'monitors', 4000, 1000, null],
    ['is told of schedules', 'on_call_schedules', 0, 51, 50],
    ['is told of policies', 'escalation_policies', 50, 1, 50],
    ['is told of objectives', 'objectives', 100, 1, 100],
    ['is told of maintenance', 'maintenance', 100, 1, 100],
    ['is told of pages', 'status_pages', 20, 1, 20],
    ['is told of contacts', 'contacts', 99, 2, 100],
  ]
  for (const [what, section, has, creates, most] of cases)
    it(what, () =>
      assert.deepEqual(
        overLimitsOf(created(section, creates), present(section, has)),
        most === null ? [] : [{ section, most, wouldHave: has + creates }],
      ),
    )

  it('is told with the numbers', () => {
    assert.equal(
      overLimitText({ section: 'reports', most: 20, wouldHave: 21 }),
      'reports: a workspace has at most 20, and would have 21',
    )
  })
})
