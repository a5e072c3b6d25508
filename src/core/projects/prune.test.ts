import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PresentEntry } from './present.ts'
import { pruningOf, wakingOf } from './prune.ts'

const prunedAt = '2026-05-01T12:00:00.000Z'
const present = (more: Partial<PresentEntry>): PresentEntry => ({
  section: 'monitors',
  key: 'site',
  id: 'b7e0d5c4-3b1a-4f6e-9d2c-8a7f6e5d4c3b',
  name: 'Site',
  fields: { paused: true },
  secrets: [],
  project: 'shop',
  prunedAt,
  ...more,
})

describe('what is gone from the files', () => {
  const cases: [what: string, given: Partial<PresentEntry>, now: string, type: string][] = [
    ['rests first', { prunedAt: null }, '2026-05-01T12:00:00.000Z', 'rest'],
    ['rests for two weeks', {}, '2026-05-15T11:59:59.999Z', 'rests'],
    ['is deleted after two weeks', {}, '2026-05-15T12:00:00.000Z', 'delete'],
    ['rests anew where it runs', { fields: { paused: false } }, '2026-06-15T12:00:00.000Z', 'rest'],
    ['is a contact that is on', { section: 'contacts', fields: { enabled: true } }, '2026-06-15T12:00:00Z', 'rest'],
    ['is a contact that is off', { section: 'contacts', fields: { enabled: false } }, '2026-06-15T12:00:00Z', 'delete'],
    ['is a page', { section: 'status_pages', fields: { visibility: 'public' } }, '2026-06-15T12:00:00Z', 'rest'],
    ['is a draft', { section: 'status_pages', fields: { visibility: 'draft' } }, '2026-06-15T12:00:00Z', 'delete'],
    ['is deleted at once where nothing is lost', { section: 'maintenance', prunedAt: null }, prunedAt, 'delete'],
    ['is a policy', { section: 'escalation_policies', prunedAt: null }, prunedAt, 'delete'],
    ['is an objective', { section: 'objectives', prunedAt: null }, prunedAt, 'delete'],
    ['is a schedule', { section: 'on_call_schedules', prunedAt: null }, '2026-06-15T12:00:00Z', 'rest'],
    ['is a schedule that rests', { section: 'on_call_schedules' }, '2026-05-15T11:59:59.999Z', 'rests'],
    ['is a schedule that rested', { section: 'on_call_schedules' }, '2026-05-15T12:00:00Z', 'delete'],
    ['is a report that is sent', { section: 'reports', fields: { enabled: true } }, '2026-06-15T12:00:00Z', 'rest'],
    ['is a report that is off', { section: 'reports', fields: { enabled: false } }, '2026-06-15T12:00:00Z', 'delete'],
  ]
  for (const [what, given, now, type] of cases)
    it(what, () => {
      assert.equal(pruningOf(present(given), now).type, type)
    })
})

describe('what comes back into the files', () => {
  const mark = { field: 'pruned_at', before: prunedAt, after: null }
  const page = { section: 'status_pages', fields: { visibility: 'draft' } } as const
  const cases: [what: string, given: Partial<PresentEntry>, named: string[], changes: object[]][] = [
    ['is nothing where it was not gone', { prunedAt: null }, [], []],
    ['runs again', {}, [], [{ field: 'paused', before: true, after: false }, mark]],
    ['is as the file says', {}, ['paused'], [mark]],
    ['keeps running', { fields: { paused: false } }, [], [mark]],
    ['is a public page', page, [], [{ field: 'visibility', before: 'draft', after: 'public' }, mark]],
    ['is a schedule as it was', { section: 'on_call_schedules', fields: {} }, [], [mark]],
    [
      'is a report that is sent',
      { section: 'reports', fields: { enabled: false } },
      [],
      [{ field: 'enabled', before: false, after: true }, mark],
    ],
    ['is a report as the file says', { section: 'reports', fields: { enabled: false } }, ['enabled'], [mark]],
    [
      'is a page with a password, which it asks for',
      { ...page, secrets: [['password']] },
      [],
      [{ field: 'visibility', before: 'draft', after: 'password' }, mark],
    ],
  ]
  for (const [what, given, named, changes] of cases)
    it(what, () => {
      assert.deepEqual(wakingOf(present(given), new Set(named)), changes)
    })
})
