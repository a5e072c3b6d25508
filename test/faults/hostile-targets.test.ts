import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { incidentSchema } from '#core/incidents/incident.ts'
import { monitorSchema } from '#core/monitors/monitor.ts'
import { endlessWords, greedyWords } from '../support/faults/endless-parsing.ts'
import { underFault } from '../support/faults/fault-report.ts'
import { type HostilePorts, hostileWays } from '../support/faults/hostile-world.ts'
import { watchStarvation } from '../support/faults/starvation.ts'
import { httpServer } from '../support/http-server.ts'
import { asOperator, operatorSetting } from '../support/operator.ts'
import { pause } from '../support/pause.ts'
import { spawnPerigee } from '../support/perigee-process.ts'
import { proberPid } from '../support/probers-apart.ts'
import { prepareData } from '../support/prepared-data.ts'
import { until } from '../support/until.ts'

const token = `pgk_${'fault'.repeat(8)}`
const each = 200
const intervalMs = 10_000
const timeoutMs = 5_000
/** A target that is down is told within the timeout of its check and this, because it is checked at once. */
const slackMs = 10_000
const watchedMs = 45_000
const lateGapMs = intervalMs + 1_000
/** Where other programs keep the processor from the service more often than this, its times say nothing of it. */
const maxStarvedShare = 0.1
/** Each takes some 50 ms of the processor. */
const asJson = { kind: 'api', interval_seconds: 30, check_options: { json_path: 'a.b.c' } }
const asStatus = { kind: 'api', check_options: { json_path: 'status', expected_value: 'ok' } }
const status = z.looseObject({ troubles: z.array(z.string()) })
const monitors = z.looseObject({ data: z.array(monitorSchema) })
const incidents = z.looseObject({ data: z.array(incidentSchema) })

type Monitor = z.infer<typeof monitors>['data'][number]

describe('a service with hostile targets', async () => {
  /** When each good target was looked at, by its path. */
  const looks = new Map<string, number[]>()
  const good = await httpServer(({ url = '' }, response) => {
    const times = looks.get(url) ?? []
    looks.set(url, [...times, performance.now()])
    if (url === '/endless') response.end(JSON.stringify({ status: endlessWords }))
    else if (url === '/greedy') response.end(JSON.stringify({ status: times.length === 0 ? greedyWords : 'ok' }))
    else response.end('ok')
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
      ...operatorSetting,
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
    ((await (await fetch(`${url}/metrics`, { headers: asOperator })).text()).match(wanted) ?? []).join(', ')
  const falseIncidents = async (): Promise<string[]> =>
    incidents
      .parse(await ask('GET', '/incidents'))
      .data.filter(({ monitor_name: name }) => name.startsWith('good'))
      .map(({ monitor_name: name, title }) => `${name}: ${title}`)
  const deaths = (): Promise<string> => figures(/^perigee_prober_thread_deaths_total .*/m)
  const looksAt = (path: string): number => looks.get(path)?.length ?? 0
  const troubles = async (): Promise<string[]> => {
    const answer = await fetch(`${url}/operator/status`, { headers: asOperator })
    return status.parse(await answer.json()).troubles
  }
  /** All good ones are looked at twice from now on. */
  const untilLookedAt = async (): Promise<void> => {
    for (const path of looks.keys()) if (/^\/\d/.test(path)) looks.delete(path)
    await until(
      'all good ones are looked at again, and again',
      () => Array.from({ length: each }, (_, index) => looksAt(`/${index}`)).every((count) => count >= 2),
      60_000,
    )
  }

  it('tells of each hostile one in time, and checks the good ones as if they were alone', async (t) => {
    for (let index = 0; index < each; index += 1) {
      const way = hostileWays[index % hostileWays.length] ?? 'hangs'
      await Promise.all([
        watch(`${way} ${index}`, `http://127.0.0.1:${hostile[way]}/`, way === 'sends a large JSON' ? asJson : {}),
        watch(`good ${index}`, `http://127.0.0.1:${good.port}/${index}`),
      ])
    }
    const servicePid = perigee.child.pid ?? assert.fail('it has no pid')
    const probers = proberPid(servicePid)
    const starvation = watchStarvation([process.pid, servicePid, ...(probers === null ? [] : [probers])])
    /** How long each of them was not told, as far as a look each second can know. */
    const untold = new Map<string, number>()
    looks.clear()
    const untilMs = performance.now() + watchedMs
    while (performance.now() < untilMs) {
      for (const { name, current_status: current } of await listed())
        if (!name.startsWith('good') && current !== 'down')
          untold.set(name, performance.now() - (begun.get(name) ?? Infinity))
      await pause(1_000)
      starvation.look()
    }
    const gaps = Array.from(looks.values(), (times) => times.slice(1).map((time, at) => time - (times[at] ?? 0)))
      .flat()
      .toSorted((one, other) => one - other)
    const p99 = gaps[Math.floor(gaps.length * 0.99)] ?? Infinity
    const latest = [...untold].toSorted(([, one], [, other]) => other - one).slice(0, 5)
    const [[, longestUntold] = ['', 0]] = latest
    const isLate = longestUntold >= timeoutMs + slackMs
    const isUneven = p99 >= lateGapMs || gaps.length < each * (watchedMs / intervalMs - 2)
    t.diagnostic(`the last hostile one was not told for ${Math.round(longestUntold)} ms`)
    t.diagnostic(
      `${gaps.length} gaps of the good ones: p99 ${Math.round(p99)} ms, longest ${gaps.at(-1)?.toFixed()} ms`,
    )
    const starved = `other programs kept the processor away in ${Math.round(starvation.share() * 100)} % of the seconds`
    t.diagnostic(starved)
    t.diagnostic(`stalls and checks: ${await figures(/^perigee_(?:prober_stalls|checks)_total.*/gm)}`)
    const isStarved = starvation.share() > maxStarvedShare
    const reason = isStarved && (isLate || isUneven) ? `times are not judged, because ${starved}` : null
    await underFault('200 hostile targets stand beside 200 good ones', async (outcome) => {
      outcome.falseIncidents = await falseIncidents()
      outcome.told = await troubles()
      outcome.skipped = reason
      if (reason !== null) return
      outcome.late = isLate ? latest.map(([name, ms]) => `${name}: not told for ${Math.round(ms)} ms`) : []
      assert.ok(!isUneven, `${gaps.length} gaps, p99 ${p99} ms`)
    })
    if (reason !== null) t.skip(reason)
  })

  it('ends a thread that never ends with an answer, sets its monitor aside and goes on with the others', async (t) => {
    const at = performance.now()
    await watch('endless', `http://127.0.0.1:${good.port}/endless`, asStatus)
    await underFault('a check never ends with an answer', async (outcome) => {
      await until(
        'it is told',
        async () =>
          (await listed()).some(({ name, current_status: current }) => name === 'endless' && current === 'degraded'),
        60_000,
      )
      t.diagnostic(`told after ${Math.round(performance.now() - at)} ms`)
      const looksBefore = looksAt('/endless')
      await untilLookedAt()
      outcome.falseIncidents = await falseIncidents()
      outcome.told = await troubles()
      assert.equal(looksAt('/endless'), looksBefore, 'it is left alone')
      assert.equal(await figures(/^perigee_monitors_set_aside .*/m), 'perigee_monitors_set_aside 1')
      assert.equal(await deaths(), 'perigee_prober_thread_deaths_total 1')
      assert.match(
        perigee.stdout() + perigee.stderr(),
        /A check used up the processor time of its thread, so the thread was ended\./,
      )
    })
  })

  it('starts a thread again that took more memory than it may, and goes on with the others', async () => {
    await watch('greedy', `http://127.0.0.1:${good.port}/greedy`, asStatus)
    await underFault('a prober thread dies of its memory', async (outcome) => {
      await until('its thread is dead', async () => (await deaths()) === 'perigee_prober_thread_deaths_total 2', 60_000)
      assert.match(perigee.stdout() + perigee.stderr(), /A prober thread died and will be restarted\./)
      await untilLookedAt()
      await until('it is looked at again', () => looksAt('/greedy') >= 2)
      outcome.falseIncidents = await falseIncidents()
      outcome.told = await troubles()
    })
  })
})
