import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { WorkspaceExport } from './export-record.ts'
import { presentEntries } from './present.ts'

const contact = '7d1c3a52-98f7-4b1e-8a3b-4f1d2f6c9b10'

/** A step that waits so long and tells one contact, or nobody any more. */
type Step = [wait: number, tells: boolean]

function workspaceOf(steps: readonly Step[]): WorkspaceExport {
  return {
    exported_at: '2026-11-26T12:00:00.000Z',
    contacts: [],
    on_call_schedules: [],
    monitors: [],
    status_pages: [],
    maintenance: [],
    objectives: [],
    reports: [],
    escalation_policies: [
      {
        id: 'b7e0d5c4-3b1a-4f6e-9d2c-8a7f6e5d4c3b',
        name: 'First line',
        repeats: 0,
        is_default: false,
        tags: [],
        steps: steps.map(([wait, tells]) => ({
          after_minutes: wait,
          contact_ids: tells ? [contact] : [],
          schedule_ids: [],
        })),
        project: null,
      },
    ],
  }
}

describe('the steps of a policy as a file can have them', () => {
  const cases: [what: string, steps: Step[], waits: number[]][] = [
    [
      'are all that tell somebody',
      [
        [0, true],
        [10, true],
      ],
      [0, 10],
    ],
    [
      'wait in the place of one that tells nobody',
      [
        [0, true],
        [10, false],
        [5, true],
      ],
      [0, 10],
    ],
    [
      'wait in the place of the first of several',
      [
        [0, true],
        [10, false],
        [7, false],
        [5, true],
      ],
      [0, 10],
    ],
    [
      'begin with the first that tells somebody',
      [
        [0, false],
        [15, true],
      ],
      [0],
    ],
    [
      'end with the last that tells somebody',
      [
        [0, true],
        [10, false],
      ],
      [0],
    ],
    ['are none where nobody is told', [[0, false]], []],
  ]
  for (const [what, steps, waits] of cases)
    it(what, () => {
      const [policy] = presentEntries(workspaceOf(steps), 'shop')
      const living = waits.map((wait) => ({ after_minutes: wait, contact_ids: [contact], schedule_ids: [] }))
      assert.deepEqual(policy?.fields['steps'], living)
    })
})
