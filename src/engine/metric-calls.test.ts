import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { engineBench, incidentsOf, only, standingOf } from '../../test/support/engine.ts'
import { createHeartbeat, passDeadline, statusIs } from '../../test/support/heartbeat.ts'

const bounds = { degraded_above: 80, down_above: 90, unit: '%' }
const settings = { kind: 'push_metric', failure_threshold: 1, check_options: bounds }

const refused = z.object({
  error: z.string(),
  message: z.string(),
  fields: z.record(z.string(), z.array(z.string())),
})
const results = z.object({ data: z.array(z.object({ details: z.record(z.string(), z.unknown()) })) })

describe('a number by call', { concurrency: 4 }, () => {
  it('is judged by its bounds, and stands in the results', async () => {
    const bench = await engineBench()
    const { id, call } = await createHeartbeat(bench, settings)
    assert.equal((await call('?value=12.5')).status, 200)
    await statusIs(bench, id, 'up')
    await call('', { method: 'POST', body: '{"value": 85}' })
    await statusIs(bench, id, 'degraded')
    await call('', { method: 'POST', body: '95.5' })
    await statusIs(bench, id, 'down')
    assert.equal(only(await incidentsOf(bench.database, id)).cause, 'The value 95.5 % is more than 90 %')
    await call('', { method: 'POST', body: 'value=0' })
    await statusIs(bench, id, 'up')
    const { data } = results.parse((await bench.api.get(`/monitors/${id}/results`)).body)
    assert.deepEqual(
      data.map(({ details }) => [details['source'], details['value'], details['unit']]),
      [0, 95.5, 85, 12.5].map((value) => ['ping', value, '%']),
    )
  })

  it('that is none is refused with the name of the field, and counts as no call', async () => {
    const bench = await engineBench()
    const { id, call } = await createHeartbeat(bench, settings)
    for (const answer of [
      await call(),
      await call('?value=much'),
      await call('?ping=5'),
      await call('', { method: 'POST', body: '[]' }),
    ]) {
      assert.equal(answer.status, 400)
      const { error, message, fields } = refused.parse(await answer.json())
      assert.deepEqual([error, Object.keys(fields)], ['validation_failed', ['value']])
      assert.match(message, /^value: Must be a number of at most 1000000000000000 in size/)
    }
    assert.equal((await standingOf(bench.database, id)).stored, 0)
    await call('?value=1')
    await statusIs(bench, id, 'up')
    assert.equal((await standingOf(bench.database, id)).stored, 1)
  })

  it('that is reported as missing is down at once, and runs are not known', async () => {
    const bench = await engineBench()
    const { id, call } = await createHeartbeat(bench, { ...settings, failure_threshold: 5 })
    for (const suffix of ['/start', '/log', '/0', '/1']) assert.equal((await call(suffix)).status, 404)
    await call('?value=1')
    await statusIs(bench, id, 'up')
    assert.equal((await call('/fail', { method: 'POST', body: 'no sensor' })).status, 200)
    await statusIs(bench, id, 'down')
    assert.equal(only(await incidentsOf(bench.database, id)).cause, 'The run reported a failure')
  })

  it('that does not come in time is missed, as a heartbeat is', async () => {
    const bench = await engineBench()
    const { id, call } = await createHeartbeat(bench, settings)
    await call('?value=1')
    await statusIs(bench, id, 'up')
    await passDeadline(bench, id)
    await statusIs(bench, id, 'down')
    assert.match(only(await incidentsOf(bench.database, id)).cause ?? '', /^No call came within \d+ seconds$/)
  })

  it('to a paused monitor is answered and ignored', async () => {
    const bench = await engineBench()
    const { id, call } = await createHeartbeat(bench, settings)
    await bench.api.post(`/monitors/${id}/pause`, {})
    assert.equal((await call('?value=much')).status, 200)
    assert.equal((await standingOf(bench.database, id)).stored, 0)
  })

  it('comes from an imported address of Uptime Kuma, too, as value or as ping', async () => {
    const bench = await engineBench()
    const { id } = await createHeartbeat(bench, settings)
    const path = '/api/push/abcdefghijklmnop'
    const imported = await bench.api.post('/call-addresses', { addresses: [{ path, monitor_id: id }] })
    assert.equal(imported.status, 200, imported.text)
    const push = (query: string): Response | Promise<Response> =>
      bench.api.app.request(`http://perigee.test${path}${query}`, {}, { address: '192.0.2.9' })
    assert.equal((await push('?status=up&msg=OK&ping=95')).status, 200)
    await statusIs(bench, id, 'down')
    assert.equal((await push('?status=up&value=7&ping=95')).status, 200)
    await statusIs(bench, id, 'up')
    const answer = await push('?status=up&msg=OK&ping=')
    assert.equal(answer.status, 400)
    assert.equal(z.object({ ok: z.boolean() }).parse(await answer.json()).ok, false)
    await push('?status=down&msg=broken')
    await statusIs(bench, id, 'down')
  })
})
