// An outage and its alerts as a receiver of traces sees them, against the real service.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { incidentSchema } from '#core/incidents/incident.ts'
import { createClient } from '../support/kills/client.ts'
import { freePort } from '../support/free-port.ts'
import { startReceiver } from '../support/receiver.ts'
import { serviceFolder } from '../support/service-folder.ts'
import { type ReceivedSpan, traceReceiver } from '../support/trace-receiver.ts'
import { until } from '../support/until.ts'
import { restartable } from './targets.ts'

const waitMs = 60_000
const secret = 'hunter2hunter2'
const made = z.looseObject({ data: z.looseObject({ id: z.string() }) })
const incidents = z.object({ data: z.array(incidentSchema) })

describe('an outage, traced', async () => {
  const traces = await traceReceiver()
  const contact = await startReceiver()
  const own = await freePort()
  const token = `pgk_${'trace'.repeat(8)}`
  const perigee = serviceFolder().start({
    PERIGEE_PORT: String(own),
    PERIGEE_OWNER_TOKEN: token,
    PERIGEE_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    PERIGEE_OTLP_ENDPOINT: new URL(traces.url).origin,
    PERIGEE_TRACE_SHARE: '1',
    PERIGEE_LOG_LEVEL: 'debug',
  })
  const client = createClient({ url: `http://127.0.0.1:${own}`, token })
  const ask = async <T>(schema: z.ZodType<T>, path: string, body?: unknown): Promise<T> => {
    const answer = await client.persist({ method: body === undefined ? 'GET' : 'POST', path, body })
    assert.ok(answer.status < 300, JSON.stringify(answer))
    return schema.parse(answer.body)
  }
  let isBroken = false
  const { port } = await restartable(() =>
    createServer((_request, response) => {
      response.statusCode = isBroken ? 503 : 200
      response.end(`${secret} in a body`)
    }),
  )
  contact.react((_, count) => ({ status: count === 1 ? 503 : 204 }))
  const spans = (): ReceivedSpan[] => traces.taken.flat()
  const namedOf = (traceId: string, name: string): ReceivedSpan[] =>
    spans().filter((span) => span.traceId === traceId && span.name === name)
  const only = (traceId: string, name: string): ReceivedSpan => {
    const [first, ...others] = namedOf(traceId, name)
    assert.equal(others.length, 0, `${name} is there ${others.length + 1} times`)
    return first ?? assert.fail(`there is no ${name}`)
  }
  const incidentSpan = (change: string): ReceivedSpan | undefined =>
    spans().find(({ name, attributes }) => name === 'incident' && attributes['perigee.incident.change'] === change)

  await ask(made, '/alert-channels', { kind: 'webhook', name: 'Hook', destination: `${contact.url}/${secret}` })
  const { data: monitor } = await ask(made, '/monitors', {
    name: 'Shop',
    url: `http://127.0.0.1:${port}/${secret}?key=${secret}`,
    interval_seconds: 10,
    failure_threshold: 1,
    recovery_threshold: 1,
    request_headers: { 'X-Secret': secret },
  })
  await until('a round is traced', async () => spans().some(({ name }) => name === 'round'), waitMs)
  isBroken = true
  await until('the incident is traced', async () => incidentSpan('opened') !== undefined, waitMs)
  const { traceId } = incidentSpan('opened') ?? assert.fail()
  await until('its delivery is traced', async () => namedOf(traceId, 'deliver').length === 1, waitMs)
  isBroken = false
  await until('the recovery is traced', async () => incidentSpan('resolved') !== undefined, waitMs)
  const { traceId: recoveryId } = incidentSpan('resolved') ?? assert.fail()
  await until('the second delivery is traced', async () => namedOf(recoveryId, 'deliver').length === 1, waitMs)

  it('is one trace, in which each span stands below what led to it', async () => {
    const names = ['schedule', 'order', 'check', 'wait', 'connect', 'ttfb', 'report', 'store', 'judge', 'incident']
    const parents = new Map(
      names.map((name) => {
        const { parentId } = only(traceId, name)
        return [name, spans().find(({ spanId, traceId: of }) => spanId === parentId && of === traceId)?.name]
      }),
    )
    assert.deepEqual(Object.fromEntries(parents), {
      schedule: 'round',
      order: 'round',
      check: 'order',
      wait: 'check',
      connect: 'check',
      ttfb: 'check',
      report: 'check',
      store: 'report',
      judge: 'round',
      incident: 'round',
    })
    assert.equal(only(traceId, 'round').parentId, null)
    const attempts = namedOf(traceId, 'attempt')
    const deliver = only(traceId, 'deliver')
    assert.equal(deliver.parentId, only(traceId, 'incident').spanId)
    assert.deepEqual(
      attempts.map(({ parentId, isFailure, attributes }) => [
        parentId === deliver.spanId,
        isFailure,
        attributes['perigee.delivery.outcome'],
      ]),
      [
        [true, true, 'retry'],
        [true, false, 'delivered'],
      ],
    )
    const ids = spans().map((span) => `${span.traceId} ${span.spanId}`)
    assert.equal(new Set(ids).size, ids.length, 'no id is there twice')
  })

  it('has times that follow one another', () => {
    const at = (name: string): [startNs: bigint, endNs: bigint] => {
      const { startNs, endNs } = only(traceId, name)
      return [startNs, endNs]
    }
    // Two threads of one machine read its clock to the millisecond.
    const toleranceNs = 2_000_000n
    const isBefore = (one: bigint, other: bigint): boolean => one <= other + toleranceNs
    const [due, decided] = at('round')
    const course = [
      due,
      at('schedule')[1],
      at('order')[1],
      at('check')[0],
      at('wait')[1],
      at('ttfb')[0],
      at('check')[1],
    ]
    course.push(at('report')[0], at('store')[0], at('judge')[0], at('judge')[1], at('incident')[1], decided)
    for (const [index, time] of course.slice(1).entries())
      assert.ok(isBefore(course[index] ?? 0n, time), `${index}: ${course.join(' ')}`)
    assert.ok(isBefore(at('store')[1], at('report')[1]), 'a result is reported when it is stored')
    const attempts = namedOf(traceId, 'attempt')
    assert.ok(
      attempts.every(({ startNs, endNs }) => isBefore(at('deliver')[0], startNs) && isBefore(endNs, at('deliver')[1])),
    )
    assert.ok(decided - due < 15_000_000_000n)
  })

  it('is the round that the incident, its alert and the log tell of', async () => {
    const [incident = assert.fail()] = (await ask(incidents, '/incidents')).data
    const round = only(traceId, 'round')
    assert.equal(round.attributes['perigee.monitor.id'], monitor.id)
    assert.equal(BigInt(Date.parse(incident.started_at)) * 1_000_000n, round.startNs)
    assert.equal(only(traceId, 'incident').attributes['perigee.incident.id'], incident.id)
    assert.equal(only(traceId, 'check').isFailure, true)
    assert.equal(only(traceId, 'check').attributes['perigee.check.status_code'], 503)
    assert.deepEqual(round.resource['service.name'], 'perigee')
    const lines = perigee
      .stderr()
      .split('\n')
      .filter((text) => text.startsWith('{'))
      .map((text) => z.looseObject({ msg: z.string() }).parse(JSON.parse(text)))
    const opened = lines.find(({ msg }) => msg === 'An incident was opened.')
    assert.deepEqual(
      [opened?.['monitor_id'], opened?.['round'], opened?.['incident_id']],
      [monitor.id, round.attributes['perigee.round'], incident.id],
    )
    const deliveryId = only(traceId, 'deliver').attributes['perigee.delivery.id']
    const delivered = lines.find(({ msg, delivery_id: id }) => msg === 'An alert was delivered.' && id === deliveryId)
    assert.deepEqual([delivered?.['task'], delivered?.['attempt']], ['deliver', 2])
    assert.match(String(delivered?.['job_id']), /^\d+$/)
  })

  it('tells no secret in spans and lines, and every request was sound', () => {
    const told = JSON.stringify(spans().map(({ name, attributes, resource }) => [name, attributes, resource]))
    for (const text of [secret, token, contact.url, `127.0.0.1:${port}`]) assert.ok(!told.includes(text), text)
    for (const text of [secret, token]) assert.ok(!perigee.stderr().includes(text), text)
    assert.deepEqual(
      traces.requests.flatMap(({ problem }) => problem ?? []),
      [],
    )
  })
})
