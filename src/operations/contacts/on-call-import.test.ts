import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { onCallImportSchema, maxImportLength } from '#core/contacts/on-call-import.ts'
import {
  maxSchedules,
  onCallNowSchema,
  onCallOverrideSchema,
  onCallScheduleSchema,
} from '#core/contacts/on-call-schedule.ts'
import { listAuditEntries } from '#store/workspaces/audit.ts'
import { testApi } from '../../../test/support/api.ts'
import { opsgenieExport, pagerdutyExport } from '../../../test/support/on-call-exports.ts'

const done = z.object({ data: onCallImportSchema })
const refusal = z.looseObject({
  error: z.string(),
  message: z.string(),
  fields: z.record(z.string(), z.array(z.string())).optional(),
})
const now = new Date('2026-10-24T06:00:00Z')

describe('the import of on-call schedules', async () => {
  const api = await testApi({ now: () => now, rates: { writesPerMinute: 10_000, readsPerMinute: 10_000 } })
  const contactNamed = async (name: string, destination: string): Promise<string> => {
    const answer = await api.post('/alert-channels', { name, kind: 'email', destination })
    return z.object({ data: z.object({ id: z.string() }) }).parse(answer.body).data.id
  }
  const ada = await contactNamed('Ada', 'Ada@example.com')
  const bob = await contactNamed('Bob by phone', 'bob-phone@example.com')
  const content = JSON.stringify(opsgenieExport)
  const ask = (more: object = {}) => api.post('/on-call-schedules/import', { source: 'opsgenie', content, ...more })
  const listed = async () =>
    z.object({ data: z.array(onCallScheduleSchema) }).parse((await api.get('/on-call-schedules')).body).data
  const fieldsOf = async (more: object) => {
    const answer = await ask(more)
    assert.equal(answer.status, 422, answer.text)
    return refusal.parse(answer.body).fields
  }

  it('makes nothing without being told to, and says who has no contact', async () => {
    const answer = await ask()
    assert.equal(answer.status, 200, answer.text)
    const { dry_run: isDry, schedules, people } = done.parse(answer.body).data
    assert.deepEqual([isDry, schedules.map(({ id }) => id), await listed()], [true, [null], []])
    assert.deepEqual(
      people.map(({ id, contact_id: contactId, matched_by: by }) => [id, contactId, by]),
      [
        ['u-ada', ada, 'mail'],
        ['u-bob', null, null],
        ['u-cy', null, null],
      ],
    )
    const { entries } = await listAuditEntries(api.database, { workspaceId: api.workspaceId, before: null, limit: 1 })
    assert.notEqual(entries[0]?.action, 'import_on_call_schedules')
  })

  it('is refused while somebody has no contact, naming each', async () => {
    assert.deepEqual(await fieldsOf({ dry_run: false, people: { 'bob@example.com': bob } }), {
      'people.u-cy': ['cy@example.com has no contact yet. Name one, or null to leave this person out.'],
    })
    assert.deepEqual(await listed(), [])
  })

  it('is refused with what is wrong in it', async () => {
    const stranger = crypto.randomUUID()
    assert.deepEqual(await fieldsOf({ people: { 'u-cy': stranger, 'u-dee': null } }), {
      'people.u-cy': ['There is no such contact in this workspace.'],
      'people.u-dee': ['No one in the file has this id, address or name.'],
    })
    assert.deepEqual(await fieldsOf({ content: '{"data":1}' }), {
      content: ['data: Invalid input: expected object, received number'],
    })
    assert.deepEqual(Object.keys((await fieldsOf({ source: 'ical' })) ?? {}), ['source'])
    assert.deepEqual(Object.keys((await fieldsOf({ content: 'x'.repeat(maxImportLength + 1) })) ?? {}), ['content'])
  })

  it('makes the schedules with their overrides', async () => {
    const answer = await ask({ dry_run: false, people: { 'bob@example.com': bob, 'u-cy': null } })
    assert.equal(answer.status, 201, answer.text)
    const { schedules, notes } = done.parse(answer.body).data
    const [made] = schedules
    const [stored] = await listed()
    assert.deepEqual([stored?.id, stored?.layers], [made?.id, made?.schedule.layers])
    assert.deepEqual(
      stored?.layers.map(({ participants }) => participants),
      [
        [ada, bob],
        [bob, ada],
      ],
    )
    assert.ok(notes.some(({ message }) => message.startsWith('People without a contact are left out')))
    const onCall = z.object({ data: z.array(onCallNowSchema) }).parse((await api.get('/on-call')).body).data
    assert.equal(onCall[0]?.schedule_id, made?.id)
    const { entries } = await listAuditEntries(api.database, { workspaceId: api.workspaceId, before: null, limit: 1 })
    assert.deepEqual(
      [entries[0]?.action, entries[0]?.details['schedules']],
      ['import_on_call_schedules', ['Shop_schedule']],
    )
  })

  it('takes contacts by the names of people, and overrides', async () => {
    await contactNamed('Alan B. Shepard', 'alan@example.com')
    await contactNamed('regina phalange', 'rp@example.com')
    const people = { 'Earline Greenholt': bob }
    const answer = await ask({ source: 'pagerduty', content: JSON.stringify(pagerdutyExport), people, dry_run: false })
    assert.equal(answer.status, 201, answer.text)
    const { schedules, people: found } = done.parse(answer.body).data
    assert.deepEqual(
      found.map(({ matched_by: by }) => by),
      ['name', 'people', 'name'],
    )
    const overrides = await api.get(`/on-call-schedules/${schedules[0]?.id}/overrides`)
    assert.equal(z.object({ data: z.array(onCallOverrideSchema) }).parse(overrides.body).data.length, 1)
  })

  it('makes all or none where there is no room', async () => {
    const before = await listed()
    const { schedule } = pagerdutyExport
    const many = JSON.stringify({ schedules: Array.from({ length: maxSchedules - 1 }, () => schedule) })
    const answer = await ask({ source: 'pagerduty', content: many, people: { PAM4FGS: bob }, dry_run: false })
    assert.deepEqual([answer.status, refusal.parse(answer.body).error], [422, 'limit_reached'])
    assert.equal((await listed()).length, before.length)
  })
})
