import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import ICAL from 'ical.js'
import { z } from 'zod'
import { onCallDetailSchema, onCallShiftsSchema } from '#core/contacts/on-call-schedule.ts'
import { setCalendar } from '#store/contacts/on-call-calendars.ts'
import { testApi } from '../support/api.ts'

const one = z.strictObject({ data: onCallDetailSchema })
const dayMs = 86_400_000
/** A Thursday. */
const now = new Date('2026-10-22T12:00:00Z')
const after = (days: number): string => new Date(now.getTime() + days * dayMs).toISOString()

describe('the calendar of an on-call schedule', async () => {
  const clock = { now }
  const api = await testApi({ now: () => clock.now })
  const contact = async (name: string): Promise<string> => {
    const body = { name, kind: 'email', destination: `${randomUUID()}@example.com` }
    return z.object({ data: z.object({ id: z.string() }) }).parse((await api.post('/alert-channels', body)).body).data
      .id
  }
  const long = `Ünïcödé 🚀 ${'very '.repeat(20)}long, "quoted"; \\ name`
  const [ada, odd] = [await contact('Ada'), await contact(long)]
  const layer = { participants: [ada, odd], rotation: { every: 1, unit: 'weeks' }, hand_over: '09:00', weekday: 1 }
  const body = { name: 'Shop, night\\day', time_zone: 'Europe/Sofia', layers: [{ ...layer, start_date: '2026-10-01' }] }
  const { id } = one.parse((await api.post('/on-call-schedules', body)).body).data
  const replace = async (): Promise<string> => {
    const token = randomUUID()
    await api.database.transaction((tx) => setCalendar(tx, { id, token }))
    return `/on-call/${token}.ics`
  }
  const read = async (path: string, headers = {}) => {
    const answer = await api.app.fetch(new Request(`http://localhost${path}`, { headers }), { address: '203.0.113.7' })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }

  it('is read by other programs at its secret address', async () => {
    const path = await replace()
    const { status, headers, text } = await read(path)
    assert.deepEqual([status, headers.get('content-type')], [200, 'text/calendar; charset=utf-8'])
    assert.equal(headers.get('cache-control'), 'private, max-age=300')
    const lines = text.split('\r\n')
    assert.deepEqual([lines.at(-1), text.replaceAll('\r\n', '').includes('\n')], ['', false])
    for (const line of lines) assert.ok(Buffer.byteLength(line) <= 75, line)
    const root = new ICAL.Component(ICAL.parse(text))
    assert.equal(root.getFirstPropertyValue('version'), '2.0')
    const events = eventsOf(text)
    const shifts = z
      .object({ data: onCallShiftsSchema })
      .parse(
        (await api.get(`/on-call-schedules/${id}/shifts?from=2026-10-12T00:00:00Z&until=2026-11-05T12:00:00Z`)).body,
      )
    // Two weeks ago until 60 days from now; the shifts asked for end earlier.
    assert.ok(events.length > shifts.data.shifts.length)
    for (const [index, shift] of shifts.data.shifts.slice(0, -1).entries()) {
      const event = events[index]
      assert.equal(event?.startDate.toJSDate().toISOString(), shift.starts_at)
      assert.equal(event.endDate.toJSDate().toISOString(), shift.ends_at)
      assert.equal(event.summary, `${shift.contact_id === ada ? 'Ada' : long} – ${body.name}`)
    }
    assert.equal(new Set(events.map(({ uid }) => uid)).size, events.length)
  })

  it('has the same events on the next day, and says when it is the same', async () => {
    const path = await replace()
    const first = await read(path)
    const tag = first.headers.get('etag') ?? ''
    assert.equal((await read(path, { 'if-none-match': tag })).status, 304)
    clock.now = new Date(now.getTime() + dayMs)
    const uids = new Set(eventsOf((await read(path)).text).map(({ uid }) => uid))
    for (const { uid } of eventsOf(first.text)) assert.ok(uids.has(uid), uid)
    clock.now = now
    const times = { starts_at: after(1), ends_at: after(2), contact_id: null }
    await api.post(`/on-call-schedules/${id}/overrides`, times)
    const changed = await read(path, { 'if-none-match': tag })
    assert.equal(changed.status, 200)
    assert.equal(eventsOf(changed.text).length, eventsOf(first.text).length + 1)
  })

  it('is nowhere any more once the schedule is deleted', async () => {
    const [former, present] = [await replace(), await replace()]
    assert.deepEqual([(await read(former)).status, (await read(present)).status], [404, 200])
    assert.equal((await read('/on-call/unknown.ics')).status, 404)
    assert.equal(one.parse((await api.get(`/on-call-schedules/${id}`)).body).data.has_calendar, true)
    await api.request('DELETE', `/on-call-schedules/${id}`)
    assert.equal((await read(present)).status, 404)
  })
})

function eventsOf(text: string): ICAL.Event[] {
  return new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((event) => new ICAL.Event(event))
}
