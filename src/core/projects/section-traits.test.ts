import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { z } from 'zod'
import { policyInputSchema } from '#core/contacts/escalation.ts'
import { onCallInputSchema } from '#core/contacts/on-call-schedule.ts'
import { maintenanceInputSchema } from '#core/maintenance.ts'
import { sloInputSchema } from '#core/objectives/slo.ts'
import { reportInputSchema } from '#core/reports/report.ts'
import { statusPageInputSchema } from '#core/status-pages/status-page.ts'
import type { Section } from './entries.ts'
import { isValues, sectionTraits } from './section-traits.ts'

const id = '0b0e7f0e-3c1c-4a58-9d0c-6d1f3f5a1c11'
const weekly = { type: 'weekly', weekdays: [1], starts: '03:00', duration_minutes: 60 }
const layer = { participants: [], rotation: { unit: 'days', every: 1 }, hand_over: '09:00', start_date: '2026-01-01' }

describe('a section of a project', () => {
  const least: [section: Section, schema: z.ZodType, body: object, chosen?: object][] = [
    ['on_call_schedules', onCallInputSchema, { name: 'A', time_zone: 'UTC' }],
    ['escalation_policies', policyInputSchema, { name: 'A', steps: [{ after_minutes: 0, contact_ids: [id] }] }],
    ['status_pages', statusPageInputSchema, { slug: 'acme', title: 'A' }],
    ['maintenance', maintenanceInputSchema, { name: 'A', schedule: weekly }],
    ['objectives', sloInputSchema, { name: 'A', objective: 99.9, tags: ['a'] }, { tags: [] }],
    ['reports', reportInputSchema, { name: 'A', period: 'weekly', time_zone: 'UTC', recipients: [id] }],
  ]
  for (const [section, schema, body, chosen = {}] of least)
    it(`leaves out of ${section} what a new one has anyway`, () => {
      const made = schema.parse(body)
      assert.ok(isValues(made))
      const { usual } = sectionTraits[section]
      const same = Object.fromEntries(Object.keys(usual).map((field) => [field, made[field]]))
      assert.deepEqual(usual, { ...same, ...chosen })
    })

  it('leaves out of the layers of a schedule what a new one has anyway', () => {
    const { layers } = onCallInputSchema.parse({ name: 'A', time_zone: 'UTC', layers: [layer] })
    const usual = sectionTraits.on_call_schedules.usualInItems?.['layers'] ?? assert.fail()
    assert.deepEqual({ ...layers[0], ...usual }, layers[0])
  })

  it('leaves out the alerts of vulnerabilities that a repository has always', () => {
    const { isUsual = () => assert.fail() } = sectionTraits.monitors
    const asked: [field: string, kind: unknown][] = [
      ['vulnerability_alerts', 'repository'],
      ['vulnerability_alerts', 'http'],
      ['vulnerability_alerts', undefined],
      ['name', 'repository'],
    ]
    assert.deepEqual(
      asked.map(([field, kind]) => isUsual(field, { kind })),
      [true, false, false, false],
    )
  })

  const bereft: [section: Section, fields: object, isBereft: boolean][] = [
    ['escalation_policies', { steps: [] }, true],
    ['escalation_policies', { steps: [{}] }, false],
    ['escalation_policies', {}, false],
    ['maintenance', { monitor_ids: [], monitor_tags: [] }, true],
    ['maintenance', { monitor_ids: [], monitor_tags: ['a'] }, false],
    ['maintenance', { monitor_ids: null, monitor_tags: [] }, false],
    ['objectives', { monitor_ids: [], tags: [] }, true],
    ['objectives', { monitor_ids: null }, false],
    ['reports', { monitor_ids: [id], tags: [], recipients: [] }, true],
    ['reports', { monitor_ids: [], tags: [], recipients: [id] }, true],
    ['reports', { monitor_ids: [], tags: ['a'], recipients: [id] }, false],
    ['reports', { monitor_ids: null, tags: [], recipients: [id] }, false],
  ]
  for (const [section, fields, isBereft] of bereft)
    it(`${isBereft ? 'cannot' : 'can'} make ${JSON.stringify(fields)} of ${section} again`, () =>
      assert.equal(sectionTraits[section].isBereft?.({ ...fields }), isBereft))

  const once = { type: 'once', starts_at: '2026-01-01T10:00:00Z', ends_at: '2026-01-01T11:00:00Z' }
  const over: [schedule: unknown, time: string, isPast: boolean][] = [
    [once, '2026-01-01T10:59:59.999Z', false],
    [once, '2026-01-01T11:00:00Z', true],
    [weekly, '2099-01-01T00:00:00Z', false],
    [undefined, '2099-01-01T00:00:00Z', false],
  ]
  for (const [schedule, time, isPast] of over)
    it(`${isPast ? 'cannot' : 'can'} plan ${JSON.stringify(schedule)} at ${time}`, () =>
      assert.equal(sectionTraits.maintenance.isPast?.({ schedule }, time), isPast))

  it('asks for the password of a page again that has one', () => {
    const { leaving } = sectionTraits.status_pages
    assert.ok(leaving.type === 'rests')
    assert.deepEqual([leaving.on(new Set(['password'])), leaving.on(new Set())], ['password', 'public'])
  })

  it('has fields, and no lists or nothing', () => {
    assert.deepEqual([{}, [], null, 'a', undefined].map(isValues), [true, false, false, false, false])
  })
})
