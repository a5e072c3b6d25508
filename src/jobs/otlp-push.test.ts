import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { claimPush } from '#store/results/pushed-results.ts'
import { createResultPartitions } from '#store/results/result-partitions.ts'
import { type TestApi, testApi } from '../../test/support/api.ts'
import { addPendingMonitors } from '../../test/support/many-monitors.ts'
import { addResults, createMonitor } from '../../test/support/monitors.ts'
import { type OtlpStandIn, otlpReceiver } from '../../test/support/otlp-receiver.ts'
import { until } from '../../test/support/until.ts'
import { otlpChore } from './otlp-push.ts'

type Bench = {
  api: TestApi
  receiver: OtlpStandIn
  warnings: string[]
  /** Looks once, so many seconds after the first look. */
  look: (afterSeconds: number, signal?: AbortSignal) => Promise<void>
  /** That time. */
  at: (seconds: number) => Date
}

async function bench(): Promise<Bench> {
  const api = await testApi({ maxConnections: 5 })
  const receiver = await otlpReceiver()
  const warnings: string[] = []
  const write = (message: string, details = {}): void => void warnings.push(`${message} ${JSON.stringify(details)}`)
  const log = { debug: write, info: write, warn: write, error: write }
  const start = Date.now()
  const at = (seconds: number): Date => new Date(start + seconds * 1000)
  const headers = { authorization: 'Bearer hunter2' }
  const look: Bench['look'] = (afterSeconds, signal = AbortSignal.timeout(300_000)) =>
    otlpChore({
      database: api.database,
      log,
      now: () => at(afterSeconds),
      receiver: { url: receiver.url, headers },
    }).run(signal)
  return { api, receiver, warnings, look, at }
}

describe('the push of results', () => {
  it('sends each result once, when its round has settled', async () => {
    const { api, receiver, look, at } = await bench()
    const { id } = await createMonitor(api, { name: 'Shop "1"' })
    await look(0)
    assert.equal(receiver.requests.length, 0, 'nothing of before')
    await addResults(api.database, id, [
      { at: at(-10), latencyMs: 120 },
      { at: at(-5), status: 'degraded', latencyMs: 1500 },
      { at: at(-4), status: 'down', latencyMs: 3, error: 'refused', location: 'boston' },
      { at: at(40), latencyMs: null },
    ])
    for (const seconds of [15, 100, 160, 175]) await look(seconds)
    const points = receiver.taken.flat()
    const common = {
      'perigee.workspace.id': api.workspaceId,
      'perigee.monitor.id': id,
      'perigee.monitor.name': 'Shop "1"',
      'perigee.monitor.kind': 'http',
    }
    const told = points.map(({ metric, at: ms, value, attributes }) => {
      const { 'perigee.location': location, ...others } = attributes
      assert.deepEqual(others, common)
      return [metric.replace('perigee.check.', ''), Math.round((ms - at(0).getTime()) / 1000), location, value].join(
        ' ',
      )
    })
    assert.deepEqual(told, [
      'up -10 amsterdam 1',
      'up -5 amsterdam 1',
      'up -4 boston 0',
      'degraded -10 amsterdam 0',
      'degraded -5 amsterdam 1',
      'degraded -4 boston 0',
      'duration -10 amsterdam 0.12',
      'duration -5 amsterdam 1.5',
    ])
    await look(400)
    assert.deepEqual(
      receiver.taken
        .flat()
        .slice(points.length)
        .map(({ metric, value }) => `${metric} ${value}`),
      ['perigee.check.up 1', 'perigee.check.degraded 0'],
    )
    for (const { headers, problem } of receiver.requests) {
      assert.equal(problem, null)
      assert.equal(headers.authorization, 'Bearer hunter2')
    }
  })

  it('sends many in several requests', async () => {
    const { api, receiver, look, at } = await bench()
    const { database, workspaceId } = api
    await addPendingMonitors(database, { workspaceId, count: 600 })
    await createResultPartitions(database, at(0))
    await createResultPartitions(database, at(-86_400))
    await look(0)
    await database.pool.query(
      `insert into results (monitor_key, round_at, location, status, latency_ms, version)
      select m.key, $1::timestamptz + n * interval '1 second', l.id, 'u', n, 1
      from monitors m, generate_series(1, 3) n, (select min(id) as id from locations) l`,
      [at(-100)],
    )
    await look(100)
    const counts = receiver.taken.map((points) => points.length / 3)
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      1800,
    )
    assert.ok(
      counts.every((count) => count <= 1000),
      String(counts),
    )
    assert.equal(new Set(receiver.taken.flat().map((point) => JSON.stringify(point))).size, 5400)
  })

  const failing: [what: string, answer: OtlpStandIn['next'][number]][] = [
    ['429', { status: 429 }],
    ['502', { status: 502 }],
    ['503', { status: 503, headers: { 'Retry-After': '9' } }],
    ['504', { status: 504 }],
  ]
  for (const [what, answer] of failing)
    it(`sends again what was answered with ${what}`, async () => {
      const { api, receiver, look, at } = await bench()
      const { id } = await createMonitor(api)
      await look(0)
      await addResults(api.database, id, [{ at: at(-10) }])
      receiver.next.push(answer)
      await assert.rejects(look(160), {
        message: `Results could not be pushed to PERIGEE_OTLP_ENDPOINT: It answered ${what}.`,
      })
      await look(160)
      assert.equal(receiver.requests.length, 1, 'not at once')
      await look(171)
      assert.equal(receiver.taken.flat().length, 3)
      await look(186)
      assert.equal(receiver.requests.length, 2)
    })

  it('waits for as long as the receiver asks, and longer with each failure where it asks nothing', async () => {
    const { api, receiver, look, at } = await bench()
    const { id } = await createMonitor(api)
    await look(0)
    await addResults(api.database, id, [{ at: at(-10) }])
    receiver.next.push(
      { status: 503, headers: { 'Retry-After': '100' } },
      { status: 503 },
      { status: 503 },
      { status: 503 },
    )
    await assert.rejects(look(160))
    await look(259)
    assert.equal(receiver.requests.length, 1)
    await assert.rejects(look(261))
    await look(270)
    assert.equal(receiver.requests.length, 2, 'at least ten seconds')
    await assert.rejects(look(282))
    await look(301)
    assert.equal(receiver.requests.length, 3, 'at least twenty seconds')
    await assert.rejects(look(323))
    await look(500)
    assert.equal(receiver.taken.length, 1)
  })

  const unanswered: [what: string, answer: 'silent' | 'closed', says: RegExp][] = [
    ['not answered before the process stops', 'silent', /PERIGEE_OTLP_ENDPOINT: It did not answer in time\.$/],
    [
      'answered by the end of the connection',
      'closed',
      /: It could not be reached, or broke off \(UND_ERR_SOCKET\)\.$/,
    ],
  ]
  for (const [what, answer, says] of unanswered)
    it(`sends again what was ${what}`, async () => {
      const { api, receiver, look, at } = await bench()
      const { id } = await createMonitor(api)
      await look(0)
      await addResults(api.database, id, [{ at: at(-10) }])
      receiver.next.push(answer)
      const stopping = new AbortController()
      const failure = look(160, stopping.signal).then(
        () => '',
        (error: unknown) => String(error),
      )
      await until('a request', () => receiver.requests.length === 1)
      if (answer === 'silent') stopping.abort()
      assert.match(await failure, says)
      assert.doesNotMatch(await failure, /hunter2|127\.0\.0\.1/)
      await look(300)
      assert.equal(receiver.taken.length, 1)
    })

  it('drops what the receiver refuses, and goes on', async () => {
    const { api, receiver, warnings, look, at } = await bench()
    const { id } = await createMonitor(api)
    await look(0)
    await addResults(api.database, id, [{ at: at(-60) }, { at: at(-30) }, { at: at(20) }])
    receiver.next.push({ status: 400, body: 'no' }, { status: 400, body: 'no' })
    await look(200)
    assert.equal(receiver.requests.length, 3)
    assert.equal(receiver.taken.length, 1)
    assert.deepEqual(warnings, ['Results could not be pushed. {"problem":"It answered 400."}'])
  })

  it('says what was left out of what was taken', async () => {
    const { api, receiver, warnings, look, at } = await bench()
    const { id } = await createMonitor(api)
    await look(0)
    await addResults(api.database, id, [{ at: at(-10) }])
    receiver.next.push({
      status: 200,
      body: '{"partialSuccess":{"rejectedDataPoints":"2","errorMessage":"too old"}}',
    })
    await look(160)
    await look(400)
    assert.equal(receiver.requests.length, 1)
    assert.deepEqual(warnings, ['Results could not be pushed. {"problem":"It left out 2 data points: too old"}'])
  })

  it('leaves out what waited for more than an hour', async () => {
    const { api, receiver, warnings, look, at } = await bench()
    const { id } = await createMonitor(api)
    await look(0)
    await addResults(api.database, id, [{ at: at(10) }, { at: at(7200) }])
    await look(7400)
    await look(7415)
    assert.deepEqual(new Set(receiver.taken.flat().map(({ at: ms }) => ms)), new Set([at(7200).getTime()]))
    assert.equal(warnings.length, 1)
    assert.match(warnings[0] ?? '', /^Results that waited for more than an hour were not pushed\. /)
  })

  it('is the turn of one process, and of another one when that one has died', async () => {
    const { api, receiver, look, at } = await bench()
    const { id } = await createMonitor(api)
    await look(0)
    await addResults(api.database, id, [{ at: at(-10) }])
    const claim = { now: at(160), heldUntil: at(280), first: at(0) }
    assert.ok((await claimPush(api.database, claim)) !== null)
    assert.equal(await claimPush(api.database, claim), null)
    await look(279)
    assert.equal(receiver.requests.length, 0)
    await Promise.all([look(281), look(281), look(281)])
    assert.equal(receiver.requests.length, 1)
  })
})
