import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, it } from 'node:test'
import { checkOnce } from '../../../test/support/check.ts'
import { amazon, google, statuspage } from '../../../test/support/cloud-reports.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { answering, rawServer } from '../../../test/support/raw-server.ts'
import { noPhases } from '#core/results/result.ts'
import type { CloudIncident, CloudReport } from './cloud-report.ts'
import { sourcesOf } from './cloud-source.ts'
import { cloudStatus, judgeCloud } from './cloud-status.ts'

describe('the place of a status report', () => {
  const cases: [string, string[]][] = [
    ['https://status.example.com', ['https://status.example.com/api/v2/summary.json', 'https://status.example.com/']],
    ['https://a.example/status', ['https://a.example/status', 'https://a.example/api/v2/summary.json']],
    ['https://a.example/?p=1', ['https://a.example/?p=1', 'https://a.example/api/v2/summary.json']],
    ['https://a.example/api/v2/summary.json', ['https://a.example/api/v2/summary.json']],
    ['https://a.example/history.rss?x', ['https://a.example/history.rss?x']],
    ['https://a.example/en/status/feed/', ['https://a.example/en/status/feed/']],
    ['https://status.cloud.google.com/', ['https://status.cloud.google.com/incidents.json']],
    ['https://health.aws.amazon.com/health/status', ['https://health.aws.amazon.com/public/currentevents']],
    ['https://status.aws.amazon.com/rss/ec2-us-east-1.rss', ['https://status.aws.amazon.com/rss/ec2-us-east-1.rss']],
    ['https://azure.status.microsoft/en-us/status', ['https://azure.status.microsoft/en-us/status/feed/']],
  ]
  for (const [target, expected] of cases)
    it(`of ${target}`, () =>
      assert.deepEqual(
        sourcesOf(new URL(target)).map(({ href }) => href),
        expected,
      ))
})

const figures = { statusCode: 200, latencyMs: 5, phases: noPhases }

describe('the verdict about a report', () => {
  const calm: CloudReport = { indicator: 'none', components: null, incidents: [] }
  const page: CloudReport = {
    indicator: 'critical',
    components: [
      { name: 'API', impact: 'minor' },
      { name: 'Web', impact: 'none' },
      { name: 'Mail', impact: 'critical' },
    ],
    incidents: [
      { name: 'Slow', impact: 'minor', components: ['API'], text: '' },
      { name: 'Mail lost', impact: 'critical', components: ['Mail'], text: '' },
    ],
  }
  const feed: CloudReport = {
    indicator: 'major',
    components: null,
    incidents: [{ name: 'Outage in Ohio', impact: 'major', components: [], text: 'Outage in Ohio\nof DNS' }],
  }
  type Options = { components?: string[]; down_on?: 'minor' | 'major' | 'critical' }
  const cases: [CloudReport, Options, status: string, error: string | null, indicator: string][] = [
    [calm, {}, 'up', null, 'none'],
    [page, {}, 'down', 'The status page reports a critical outage: "Slow", "Mail lost"', 'critical'],
    [page, { components: ['web'] }, 'up', null, 'none'],
    [page, { components: ['API'] }, 'degraded', 'The status page reports a minor problem of API: "Slow"', 'minor'],
    [
      page,
      { components: [' api '], down_on: 'minor' },
      'down',
      'The status page reports a minor problem of API: "Slow"',
      'minor',
    ],
    [
      page,
      { components: ['Mail'], down_on: 'critical' },
      'down',
      'The status page reports a critical outage of Mail: "Mail lost"',
      'critical',
    ],
    [page, { components: ['Web', 'Fax'] }, 'down', 'Component "Fax" not found on the status page', 'none'],
    [feed, { down_on: 'critical' }, 'degraded', 'The status page reports a major outage: "Outage in Ohio"', 'major'],
    [feed, { components: ['ohio'] }, 'down', 'The status page reports a major outage: "Outage in Ohio"', 'major'],
    [feed, { components: ['dns'] }, 'down', 'The status page reports a major outage: "Outage in Ohio"', 'major'],
    [feed, { components: ['Oregon'] }, 'up', null, 'none'],
    [{ ...calm, indicator: 'major' }, {}, 'down', 'The status page reports a major outage', 'major'],
  ]
  for (const [report, options, status, error, indicator] of cases)
    it(`${status} for ${JSON.stringify(options)} where ${report.indicator} is reported`, () => {
      const verdict = judgeCloud({ ...figures, report }, { options: { down_on: 'major', ...options } })
      assert.deepEqual([verdict.status, verdict.error, verdict.details['indicator']], [status, error, indicator])
    })

  it('lists what goes on with the components it is about', () => {
    const { details } = judgeCloud(
      { ...figures, report: page },
      { options: { components: ['Mail'], down_on: 'major' } },
    )
    assert.deepEqual(details, { indicator: 'critical', incidents: [{ name: 'Mail lost', impact: 'critical' }] })
  })

  it('names five of the components that have a problem', () => {
    const names = Array.from({ length: 7 }, (_, index) => `N${index}`)
    const components = names.map((name) => ({ name, impact: 'major' as const }))
    const report: CloudReport = { indicator: 'major', components, incidents: [] }
    const { error } = judgeCloud({ ...figures, report }, { options: { components: names, down_on: 'major' } })
    assert.equal(error, 'The status page reports a major outage of N0, N1, N2, N3, N4')
  })

  it('names three incidents and lists ten', () => {
    const names = Array.from({ length: 12 }, (_, index) => `N${index}`)
    const incidents = names.map((name): CloudIncident => ({ name, impact: 'major', components: [], text: '' }))
    const { error, details } = judgeCloud(
      { ...figures, report: { ...feed, incidents } },
      { options: { down_on: 'major' } },
    )
    assert.equal(error, 'The status page reports a major outage: "N0", "N1", "N2" and 9 more')
    assert.ok(Array.isArray(details['incidents']) && details['incidents'].length === 10)
  })

  /** What is told of incidents of these names. */
  function toldOf(names: string[]): string | null {
    const incidents = names.map((name): CloudIncident => ({ name, impact: 'major', components: [], text: '' }))
    return judgeCloud({ ...figures, report: { ...feed, incidents } }, { options: { down_on: 'major' } }).error
  }

  it('names three incidents where there are no more, each by a hundred letters', () => {
    const three = ['A', 'B', 'x'.repeat(101)]
    const text = `The status page reports a major outage: "A", "B", "${'x'.repeat(100)}"`
    assert.deepEqual([toldOf(three), toldOf([...three, 'D'])], [text, `${text} and 1 more`])
  })
})

describe('a check of kind cloud_status', async () => {
  const seen: string[] = []
  let page = statuspage('none', { API: 'operational' })
  const now = new Date().toUTCString()
  const feed = `<?xml version="1.0" encoding="ISO-8859-1"?><rss><channel><item><title>Outage in Z\xfcrich</title><pubDate>${now}</pubDate></item></channel></rss>`
  const answers: Record<string, (response: ServerResponse) => unknown> = {
    '/api/v2/summary.json': (response) => response.end(JSON.stringify(page)),
    '/incidents.json': (response) => response.end(JSON.stringify([{ ...google[0], begin: '2020-01-01T00:00:00Z' }])),
    '/currentevents': (response) => response.end(Buffer.from(`\ufeff${JSON.stringify(amazon)}`, 'utf16le').swap16()),
    '/history.rss': (response) => response.end(Buffer.from(feed, 'latin1')),
    '/status/feed': (response) => response.end('<rss><channel><title>Azure Status</title></channel></rss>'),
    '/page': (response) =>
      response.end(
        '<!doctype html><html><head><link rel="alternate" type="application/rss+xml" href="/history.rss"></head>',
      ),
    '/gone.json': (response) => response.writeHead(503).end('{}'),
    '/last-good.json': (response) => response.writeHead(299).end(JSON.stringify(page)),
    '/first-bad.json': (response) => response.writeHead(300).end(JSON.stringify(page)),
    '/odd.json': (response) => response.end('{"status":"ok"}'),
    '/huge.json': (response) => response.end(`[${'{},'.repeat(2_000_000)}{}]`),
    '/silent.json': () => undefined,
    '/moved': (response) => response.writeHead(302, { location: '/history.rss' }).end(),
  }
  const handler = (request: IncomingMessage, response: ServerResponse): void => {
    seen.push(request.url ?? '')
    const answer = answers[request.url ?? '']
    if (answer === undefined) response.writeHead(404).end('<html>Not here</html>')
    else answer(response)
  }
  const { port } = await httpServer(handler)
  const origin = `http://127.0.0.1:${port}`
  const plain = await httpServer((request, response) =>
    request.url === '/' ? answers['/page']?.(response) : handler(request, response),
  )

  it('finds the summary of a page', async () => {
    page = statuspage('major', { API: 'major_outage', Web: 'operational' })
    const verdict = await checkOnce(cloudStatus, { url: `${origin}/` })
    assert.deepEqual(
      [verdict.status, verdict.statusCode, verdict.error, verdict.details],
      [
        'down',
        200,
        'The status page reports a major outage: "Errors"',
        { indicator: 'major', incidents: [{ name: 'Errors', impact: 'major' }] },
      ],
    )
    assert.ok(Number.isInteger(verdict.latencyMs) && Number.isInteger(verdict.phases.ttfbMs))
    const web = await checkOnce(cloudStatus, { url: `${origin}/`, options: { components: ['Web'] } })
    assert.deepEqual([web.status, web.details], ['up', { indicator: 'none', incidents: [] }])
    page = statuspage('none', { API: 'operational' })
    assert.equal((await checkOnce(cloudStatus, { url: `${origin}/` })).status, 'up')
    assert.equal((await checkOnce(cloudStatus, { url: `${origin}/somewhere` })).status, 'up')
  })

  it('finds the feed of a page that has no summary', async () => {
    delete answers['/api/v2/summary.json']
    seen.length = 0
    const verdict = await checkOnce(cloudStatus, { url: `http://127.0.0.1:${plain.port}/` })
    assert.equal(verdict.error, 'The status page reports a major outage: "Outage in Zürich"')
    assert.deepEqual(seen, ['/api/v2/summary.json', '/history.rss'])
    const { error } = await checkOnce(cloudStatus, { url: `${origin}/page` })
    assert.equal(error, verdict.error)
  })

  const found: [path: string, status: string, error: RegExp | null][] = [
    ['/incidents.json', 'down', /: "Elevated latency in us-central1"$/],
    ['/currentevents', 'down', /a critical outage: "Increased API error rates"$/],
    ['/status/feed', 'up', null],
    ['/last-good.json', 'up', null],
    ['/moved', 'down', /Zürich/],
  ]
  for (const [path, status, error] of found)
    it(`reads ${path}`, async () => {
      const verdict = await checkOnce(cloudStatus, { url: `${origin}${path}` })
      assert.equal(verdict.status, status, verdict.error ?? '')
      if (error === null) assert.equal(verdict.error, null)
      else assert.match(verdict.error ?? '', error)
    })

  const lost: [path: string, error: RegExp, statusCode: number | null][] = [
    ['/', /^The status page answered with HTTP status 404$/, 404],
    ['/gone.json', /^The status page answered with HTTP status 503$/, 503],
    ['/first-bad.json', /^The status page answered with HTTP status 300$/, 300],
    ['/odd.json', /^No status report was found/, 200],
    ['/huge.json', /^The status report is longer than 4 MiB$/, 200],
    ['/silent.json', /^Timed out after 1000 ms while waiting for the answer$/, null],
  ]
  for (const [path, error, statusCode] of lost)
    it(`is down with the reason for ${path}`, async () => {
      const verdict = await checkOnce(cloudStatus, { url: `${origin}${path}`, timeoutMs: 1000 })
      assert.deepEqual([verdict.status, verdict.statusCode, verdict.details], ['down', statusCode, {}])
      assert.match(verdict.error ?? '', error)
    })

  it('tells the monitor’s headers to its own host alone', async () => {
    const told: string[] = []
    const answer = (body: string) =>
      httpServer((request, response) => {
        told.push(`${request.url} ${String(request.headers['x-secret'] ?? 'nothing')}`)
        response.end(request.url === '/feed.rss' ? feed : body)
      })
    const other = await answer('')
    const link = `<link rel="alternate" type="application/rss+xml" href="http://127.0.0.1:${other.port}/feed.rss">`
    const first = await answer(`<!doctype html><html><head>${link}</head>`)
    await checkOnce(cloudStatus, { url: `http://127.0.0.1:${first.port}/page`, requestHeaders: { 'x-secret': 'told' } })
    assert.deepEqual(told, ['/page told', '/api/v2/summary.json told', '/feed.rss nothing'])
  })

  const raw: [what: string, bytes: string, error: RegExp][] = [
    ['garbage', '\u0000\u0001garbage', /HTTP/],
    ['a cut answer', 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"status":', /cut short/],
    ['half a report', 'HTTP/1.1 200 OK\r\n\r\n{"status":{"indicator":"none"', /^No status report/],
    ['half a feed', 'HTTP/1.1 200 OK\r\n\r\n<rss><channel><item><title>x</title></item>', /^No status report/],
  ]
  for (const [what, bytes, error] of raw)
    it(`is down with the reason for ${what}`, async () => {
      const server = await rawServer(answering(bytes))
      const verdict = await checkOnce(cloudStatus, { url: `http://127.0.0.1:${server.port}/a.json` })
      assert.equal(verdict.status, 'down')
      assert.match(verdict.error ?? '', error)
    })

  it('is down with the reason when nobody answers', async () => {
    const verdict = await checkOnce(cloudStatus, { url: `http://127.0.0.1:${await freePort()}/` })
    assert.match(verdict.error ?? '', /^Connection refused by /)
  })

  it('ends at its deadline when an answer has no end', async () => {
    const server = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n[')
      const timer = setInterval(() => socket.write(' '), 20)
      socket.once('close', () => clearInterval(timer))
    })
    const verdict = await checkOnce(cloudStatus, { url: `http://127.0.0.1:${server.port}/a.json`, timeoutMs: 600 })
    assert.equal(verdict.error, 'Timed out after 600 ms while reading the answer')
  })
})

describe('the options of cloud_status', () => {
  const good = [
    {},
    { components: [] },
    { components: ['API'], down_on: 'critical' },
    { components: ['A', 'x'.repeat(200)] },
  ]
  for (const options of good)
    it(`take ${JSON.stringify(options).slice(0, 50)}`, () => assert.ok(cloudStatus.options.safeParse(options).success))
  const bad: [unknown, string][] = [
    [{ components: 'API' }, 'components'],
    [{ components: [''] }, 'components.0'],
    [{ components: ['x'.repeat(201)] }, 'components.0'],
    [{ components: Array.from({ length: 51 }, () => 'a') }, 'components'],
    [{ down_on: 'none' }, 'down_on'],
    [{ url: 'https://a.example' }, ''],
  ]
  for (const [options, path] of bad)
    it(`refuse ${JSON.stringify(options).slice(0, 50)}`, () =>
      assert.equal(cloudStatus.options.safeParse(options).error?.issues[0]?.path.join('.'), path))

  it('have a web address as their target', () => {
    assert.equal(
      cloudStatus.targetProblem('https://status.example.com', () => false),
      null,
    )
    assert.match(cloudStatus.targetProblem('status.example.com', () => false) ?? '', /scheme/)
  })
})
