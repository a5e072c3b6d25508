// The metrics of monitors as Prometheus reads them: its own checks of the formats, a real server that scrapes them, and
// the queries of the dashboard and of docs/metrics.md.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { type Exposition, roomFor } from '#core/language/exposition.ts'
import { describeIncidents, describeMonitors, describeResponses, type MeasuredMonitor } from '#core/monitor-metrics.ts'
import { metricForms } from '#operations/overview/monitor-metrics.ts'
import { toTextContent } from '../../src/http/text-forms.ts'
import { httpServer } from '../support/http-server.ts'
import { scratchFolder } from '../support/peers/daemon.ts'
import { findProgram } from '../support/peers/program.ts'
import { openMetricsFamilies, promtool, startPrometheus } from '../support/peers/prometheus.ts'
import { until } from '../support/until.ts'

const token = 'pgk_token'
const absent = ['prometheus', 'promtool'].filter((program) => findProgram(program) === null)
const skip = absent.length > 0 ? `${absent.join(', ')} not installed` : false
const hourMs = 3_600_000

const whole: MeasuredMonitor = {
  key: 1,
  id: '0b6c1f4e-3f55-4d6e-9d7f-2a8c5f1b7e10',
  name: 'Shop "A" \\ B {}, ü\nx',
  kind: 'http',
  tags: ['shop', 'Größe "1"'],
  state: 'up',
  intervalSeconds: 60,
  locationCount: 1,
  checkedAtMs: Date.now() - 1234,
  certificateEndsMs: Date.now() + 24 * hourMs,
  domainEndsMs: Date.now() + 99 * 24 * hourMs,
  incident: null,
  windows: [
    { checks: 3, down: 1 },
    { checks: 3, down: 0 },
    { checks: 3, down: 3 },
  ],
  today: { up: 1000, down: 3, degraded: 2 },
  newest: [{ location: 'amsterdam', isUp: true, latencyMs: 123 }],
}
const shownName = 'Shop "A" \\ B {}, ü x'
const monitors: MeasuredMonitor[] = [
  whole,
  {
    ...whole,
    key: 2,
    id: '1b6c1f4e-3f55-4d6e-9d7f-2a8c5f1b7e10',
    name: 'Mail',
    kind: 'smtp',
    tags: ['workshop', 'Shop'],
    state: 'down',
    incident: { status: 'open', startedAtMs: Date.now() - hourMs },
    newest: [{ location: 'amsterdam', isUp: false, latencyMs: null }],
  },
  {
    ...whole,
    key: 3,
    id: '2b6c1f4e-3f55-4d6e-9d7f-2a8c5f1b7e10',
    name: 'Backup',
    kind: 'heartbeat',
    tags: ['workshop'],
    state: 'unknown',
  },
]

function expositionOf(measured: readonly MeasuredMonitor[]): Exposition {
  const room = roomFor(10_000)
  room.add(describeIncidents(measured))
  for (const family of describeMonitors(measured)) room.add(family)
  room.add(describeResponses(measured, new Map([[1, { counts: [0, 1, 2, 0, 5, 0, 1], sumMs: 765 }]])))
  room.leaveOut('perigee_monitor_example', 7)
  return room.exposition()
}

function textFor(accept: string): string {
  return toTextContent({ status: 200, body: expositionOf(monitors) }, metricForms, accept).text ?? ''
}

function file(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')
}

function blocksOf(language: string): string[] {
  return Array.from(
    file('docs/metrics.md').matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms')),
    ([, block = '']) => block,
  )
}

describe('the metrics of monitors, read by Prometheus', { skip }, async () => {
  const asked: string[] = []
  const { port } = await httpServer(({ url, headers }, response) => {
    if (url !== '/api/v1/metrics' || headers.authorization !== `Bearer ${token}`)
      return void response.writeHead(401).end()
    asked.push(headers.accept ?? '')
    const content = toTextContent({ status: 200, body: expositionOf(monitors) }, metricForms, headers.accept ?? '')
    response.writeHead(content.status, content.headers).end(content.text)
  })
  const prometheus = await startPrometheus({ port, path: '/api/v1/metrics', token })
  const namesIn = async (expression: string): Promise<string[]> =>
    (await prometheus.query(expression)).map(({ metric }) => metric['name'] ?? '').toSorted()

  it('are in its text format, without a complaint', () => {
    assert.equal(promtool(['check', 'metrics'], textFor('text/plain')), '')
  })

  it('are in OpenMetrics, for the reader that is its reference', () => {
    const families = openMetricsFamilies(textFor('application/openmetrics-text'))
    const own = expositionOf(monitors).map(({ name, type, unit, samples }) => [name, type, unit ?? '', samples])
    assert.deepEqual(families, own)
  })

  it('are stored as they are told', async () => {
    await until('two readings', () => asked.length > 2)
    assert.match(asked[0] ?? '', /^application\/openmetrics-text/)
    const up = await prometheus.query('perigee_monitor_up')
    const told = up.map(({ metric, value }) => [metric['name'], metric['kind'], value])
    assert.deepEqual(
      new Set(told.map((one) => JSON.stringify(one))),
      new Set([JSON.stringify(['Mail', 'smtp', 0]), JSON.stringify([shownName, 'http', 1])]),
    )
    const [shop] = await prometheus.query(`perigee_monitor_info{monitor_id="${whole.id}"}`)
    assert.equal(shop?.metric['tags'], ',shop,größe "1",')
    const [sum] = await prometheus.query(`perigee_monitor_response_seconds_sum{monitor_id="${whole.id}"}`)
    assert.equal(sum?.value, 0.765)
    const [median] = await prometheus.query(
      `histogram_quantile(0.5, perigee_monitor_response_seconds_bucket{monitor_id="${whole.id}"})`,
    )
    assert.ok(median !== undefined && median.value > 0.05 && median.value <= 0.1, String(median?.value))
  })

  it('are found by whole tags', async () => {
    assert.deepEqual(await namesIn('perigee_monitor_info{tags=~".*,shop,.*"}'), ['Mail', shownName])
    assert.deepEqual(
      await namesIn('perigee_monitor_up == 1 and on (monitor_id) perigee_monitor_info{tags=~".*,shop,.*"}'),
      [shownName],
    )
  })

  for (const block of blocksOf('yaml'))
    it('are read by the configuration of docs/metrics.md', () => {
      const folder = scratchFolder('prometheus-docs')
      const tokenFile = join(folder, 'token')
      writeFileSync(tokenFile, token)
      const path = join(folder, 'prometheus.yml')
      writeFileSync(path, block.replace('/etc/prometheus/perigee-token', tokenFile))
      assert.match(promtool(['check', 'config', path], ''), /SUCCESS/)
    })

  const dashboard = z
    .looseObject({
      panels: z.array(
        z.looseObject({ title: z.string(), targets: z.array(z.looseObject({ expr: z.string() })).default([]) }),
      ),
    })
    .parse(JSON.parse(file('deploy/grafana/monitors.json')))
  const queries = [
    ...blocksOf('promql').map((expression) => ['docs/metrics.md', expression] as const),
    ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ]
  for (const [title, expression] of queries)
    it(`answer the query of "${title}": ${expression.slice(0, 60)}`, async () => {
      const written = expression
        .replaceAll('$__rate_interval', '10s')
        .replaceAll('$kind', '.*')
        .replaceAll('$name', '.*')
        .replaceAll('$tag', '')
      await until(`an answer to ${written}`, async () => (await prometheus.query(written)).length > 0)
    })
})
