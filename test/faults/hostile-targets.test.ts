import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { incidentSchema } from '#core/incidents/incident.ts'
import { monitorSchema } from '#core/monitors/monitor.ts'
import { endlessWords } from '../support/faults/endless-parsing.ts'
import { type HostilePorts, hostileWays } from '../support/faults/hostile-world.ts'
import { httpServer } from '../support/http-server.ts'
import { pause } from '../support/pause.ts'
import { spawnPerigee } from '../support/perigee-process.ts'
import { prepareData } from '../support/prepared-data.ts'
import { until } from '../support/until.ts'

const token = `pgk_${'fault'.repeat(8)}`
const each = 200
const intervalMs = 10_000
const timeoutMs = 5_000
/** A target that is down is told within the timeout of its check and this, because it is checked at once. */
const slackMs = 10_000
const watchedMs = 45_000
/** Where so many more programs wait for the processor than there are cores, times say nothing of the service. */
const maxLoad = 4 * availableParallelism()
/** Each takes some 50 ms of the processor. */
const asJson = { kind: 'api', interval_seconds: 30, check_options: { json_path: 'a.b.c' } }
const monitors = z.looseObject({ data: z.array(monitorSchema) })
const incidents = z.looseObject({ data: z.array(incidentSchema) })

type Monitor = z.infer<typeof monitors>['data'][number]

describe('a service with hostile targets', async () => {
  /** When each good target was looked at, by its path. */
  const looks = new Map<string, number[]>()
  const good = await httpServer(({ url = '' }, response) => {
    const times = looks.get(url) ?? []
    looks.set(url, [...times, performance.now()])
    response.end(url === '/endless' ? JSON.stringify({ status: endlessWords }) : 'ok')
  })
  const world = new Worker(new URL('../support/faults/hostile-world.ts', import.meta.url))
  after(() => world.terminate())
  const hostile = await new Promise<HostilePorts>((resolve, reject) => {
    world.once('message', resolve)
    world.once('error', reject)
  })
  const folder = mkdtempSync(join(tmpdir(), 'perigee-faults-'))
  chmodSync(folder, 0o711)
  after(() => rmSync(folder, { recursive: true, force: true }))
  prepareData(join(folder, 'data'))
  const perigee = spawnPerigee({
    args: ['start'],
    environment: {
      HOME: folder,
      NODE_OPTIONS: `--import ${new URL('../support/faults/endless-parsing.ts', import.meta.url).href}`,
      PERIGEE_DATA_DIR: join(folder, 'data'),
      PERIGEE_ALLOW_PRIVATE_TARGETS: 'true',
      PERIGEE_OWNER_TOKEN: token,
      PERIGEE_PLANS: JSON.stringify({ pro: { slots: 1_000 } }),
      PERIGEE_READS_PER_MINUTE: '1000000',
      PERIGEE_WRITES_PER_MINUTE: '1000000',
    },
  })
  const [, url = ''] = await perigee.printed(/^Perigee is at (http:\/\/\S+)$/m)
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { 'X-API-Key': token, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.clone().text()}`)
    return response.json()
  }
  const listed = async (): Promise<Monitor[]> => monitors.parse(await ask('GET', '/monitors')).data
  const begun = new Map<string, number>()
  const watch = async (name: string, target: string, more: object = {}): Promise<void> => {
    begun.set(name, performance.now())
    const times = { interval_seconds: intervalMs / 1_000, timeout_ms: timeoutMs, failure_threshold: 1 }
    await ask('POST', '/monitors', { name, url: target, ...times, ...more })
  }
  /** Lines of the metrics. */
  const figures = async (wanted: RegExp): Promise<string> =>
    ((await (await fetch(`${url}/metrics`)).text()).match(wanted) ?? []).join(', ')
  const falseIncidents = async (): Promise<string[]> =>
    incidents
      .parse(await ask('GET', '/incidents'))
      .data.filter(({ monitor_name: name }) => name.startsWith('good'))
      .map(({ monitor_name: name, title }) => `${name}: ${title}`)
  it('tells of each hostile one in time, and checks the good ones as if they were alone', async (t) => {
    for (let index = 0; index < each; index += 1) {
      const way = hostileWays[index % hostileWays.length] ?? 'hangs'
      await Promise.all([
        watch(`${way} ${index}`, `http://127.0.0.1:${hostile[way]}/`, way === 'sends a large JSON' ? asJson : {}),
        watch(`good ${index}`, `http://127.0.0.1:${good.port}/${index}`),
      ])
    }
    /** How long each of them was not told, as far as a look each second can know. */
    const untold = new Map<string, number>()
    looks.clear()
    const untilMs = performance.now() + watchedMs
    while (performance.now() < untilMs) {
      for (const { name, current_status: status } of await listed())
        if (!name.startsWith('good') && status !== 'down')
          untold.set(name, performance.now() - (begun.get(name) ?? Infinity))
      await pause(1_000)
    }
    const gaps = Array.from(looks.values(), (times) => times.slice(1).map((time, at) => time - (times[at] ?? 0)))
      .flat()
      .toSorted((one, other) => one - other)
    const p99 = gaps[Math.floor(gaps.length * 0.99)] ?? Infinity
    const latest = [...untold].toSorted(([, one], [, other]) => other - one).slice(0, 5)
    const [[, longestUntold] = ['', 0]] = latest
    t.diagnostic(`the last hostile one was not told for ${Math.round(longestUntold)} ms`)
    t.diagnostic(
      `${gaps.length} gaps of the good ones: p99 ${Math.round(p99)} ms, longest ${gaps.at(-1)?.toFixed()} ms`,
    )
    t.diagnostic(`stalls and checks: ${await figures(/^perigee_(?:prober_stalls|checks)_total.*/gm)}`)
    assert.deepEqual(await falseIncidents(), [])
    const [load = 0] = loadavg()
    if (load > maxLoad) return t.diagnostic(`times are not judged on this machine, whose load is ${load}`)
    assert.ok(longestUntold < timeoutMs + slackMs, JSON.stringify(latest))
    assert.ok(gaps.length >= each * (watchedMs / intervalMs - 2), `${gaps.length} gaps`)
    assert.ok(p99 < intervalMs + 3_000, `${p99} ms`)
  })

  it('ends a thread that never ends with an answer, sets its monitor aside and goes on with the others', async (t) => {
    const at = performance.now()
    await watch('endless', `http://127.0.0.1:${good.port}/endless`, {
      kind: 'api',
      check_options: { json_path: 'status', expected_value: 'ok' },
    })
    await until(
      'it is told',
      async () =>
        (await listed()).some(({ name, current_status: status }) => name === 'endless' && status === 'degraded'),
      60_000,
    )
    t.diagnostic(`told after ${Math.round(performance.now() - at)} ms`)
    const looksBefore = looks.get('/endless')?.length
    for (const path of looks.keys()) if (path !== '/endless') looks.delete(path)
    await until(
      'all good ones are looked at again, and again',
      () =>
        Array.from({ length: each }, (_, index) => looks.get(`/${index}`)?.length ?? 0).every((count) => count >= 2),
      60_000,
    )
    assert.equal(looks.get('/endless')?.length, looksBefore, 'it is left alone')
    assert.equal(await figures(/^perigee_monitors_set_aside .*/m), 'perigee_monitors_set_aside 1')
    assert.equal(await figures(/^perigee_prober_thread_deaths_total .*/m), 'perigee_prober_thread_deaths_total 1')
    assert.match(perigee.stdout() + perigee.stderr(), /A check took the processor of its thread, which is ended\./)
    assert.deepEqual(await falseIncidents(), [])
  })
})
