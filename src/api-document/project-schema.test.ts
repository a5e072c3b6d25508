import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { contactKinds } from '#contacts/index.ts'
import { kinds } from '#kinds/index.ts'
import { entrySchemas } from '#operations/projects/read-project.ts'
import { createProjectSchema } from './project-schema.ts'

const schema = createProjectSchema({ entries: entrySchemas, kinds, contactKinds })
const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema)

const monitor = { key: 'site', name: 'Site', url: 'https://example.com/' }
const contact = { key: 'ops', name: 'Ops', kind: 'telegram', destination: '-1', options: { token: '${TOKEN}' } }

const policy = (steps: unknown[]) => ({ key: 'first', name: 'First', steps })
const turns = { rotation: { every: 1, unit: 'weeks' }, hand_over: '09:00', start_date: '2026-11-02' }
const schedule = (layer: object) => ({
  key: 'turns',
  name: 'Turns',
  time_zone: 'UTC',
  layers: [{ ...turns, ...layer }],
})

const cases: [name: string, file: unknown, isValid: boolean][] = [
  ['a project', { project: 'shop', 'x-a': 1, variables: { a: 1 }, monitors: [monitor], contacts: [contact] }, true],
  ['a number that is a variable', { monitors: [{ ...monitor, interval_seconds: '${often}' }] }, true],
  ['a number that is a text', { monitors: [{ ...monitor, interval_seconds: 'often' }] }, false],
  ['a number that is too small', { monitors: [{ ...monitor, interval_seconds: 1 }] }, false],
  ['a field that is not there', { monitors: [{ ...monitor, intervall: 60 }] }, false],
  ['ids', { monitors: [{ ...monitor, alert_channel_ids: [] }] }, false],
  ['references', { monitors: [{ ...monitor, contacts: ['ops', { name: 'Boss' }], depends_on: ['router'] }] }, true],
  ['a policy by its name', { monitors: [{ ...monitor, escalation_policy: { name: 'First' } }] }, true],
  ['no key', { monitors: [{ name: 'Site' }] }, false],
  ['a list', { monitors: [{ ...monitor, key: '${each}', for_each: ['a', 'b'] }] }, true],
  ['options of the kind', { monitors: [{ ...monitor, kind: 'ssl', check_options: { warn_days: 7 } }] }, true],
  [
    'options of another kind',
    { monitors: [{ ...monitor, kind: 'ssl', check_options: { max_latency_ms: 100 } }] },
    false,
  ],
  ['an option of no kind', { monitors: [{ ...monitor, check_options: { nothing: 1 } }] }, false],
  ['a group', { monitors: [{ key: 'all', name: 'All', kind: 'group', check_options: { members: ['site'] } }] }, true],
  ['a group of ids', { monitors: [{ key: 'all', kind: 'group', check_options: { member_ids: [] } }] }, false],
  ['defaults without a key', { defaults: { monitors: { interval_seconds: 60, contacts: ['ops'] } } }, true],
  [
    'a page',
    {
      status_pages: [
        { key: 'p', slug: 'shop', title: 'S', sections: [{ monitors: ['site', { monitor: 'b', name: 'B' }] }] },
      ],
    },
    true,
  ],
  [
    'maintenance',
    {
      maintenance: [
        {
          key: 'm',
          name: 'M',
          monitors: ['site'],
          schedule: { type: 'cron', expression: '0 2 * * *', duration_minutes: 5 },
        },
      ],
    },
    true,
  ],
  ['a policy by its key', { monitors: [{ ...monitor, escalation_policy: 'first' }] }, true],
  ['no policy', { monitors: [{ ...monitor, escalation_policy: null }] }, true],
  [
    'a policy',
    { escalation_policies: [policy([{ after_minutes: 0, contacts: ['ops'], schedules: ['turns'] }])] },
    true,
  ],
  ['a step that waits for a variable', { escalation_policies: [policy([{ after_minutes: '${wait}' }])] }, true],
  ['a step with ids', { escalation_policies: [policy([{ after_minutes: 0, contact_ids: [] }])] }, false],
  ['a step without a wait', { escalation_policies: [policy([{ contacts: ['ops'] }])] }, false],
  ['a schedule', { on_call_schedules: [schedule({ participants: ['ops', { name: 'Boss' }] })] }, true],
  ['a layer without participants', { on_call_schedules: [schedule({})] }, false],
  [
    'a schedule of another unit',
    { on_call_schedules: [schedule({ participants: [], rotation: { every: 1 } })] },
    false,
  ],
  [
    'an objective',
    {
      objectives: [
        { key: 'o', name: 'O', objective: 99.9, monitors: ['site'], contacts: ['ops'], escalation_policy: 'f' },
      ],
    },
    true,
  ],
  ['an objective of ids', { objectives: [{ key: 'o', name: 'O', objective: 99.9, monitor_ids: [] }] }, false],
  ['a report', { reports: [{ key: 'r', name: 'R', period: 'weekly', time_zone: 'UTC', recipients: ['ops'] }] }, true],
  ['a report of another period', { reports: [{ key: 'r', name: 'R', period: 'daily', recipients: ['ops'] }] }, false],
  ['an unknown section', { monitor: [] }, false],
]

describe('the JSON Schema of a project', () => {
  for (const [name, file, isValid] of cases)
    it(`${isValid ? 'takes' : 'refuses'} ${name}`, () =>
      assert.equal(validate(file), isValid, JSON.stringify(validate.errors)))
})
