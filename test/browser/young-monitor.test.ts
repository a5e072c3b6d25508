// The first minutes of monitors: what their figures, bars and charts say of the time that has passed.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { httpServer } from '../support/http-server.ts'
import { until } from '../support/until.ts'
import { rangeSince, sinceWatched, watchedInsteadOfBars } from '../../web/src/parts/watched.ts'
import { password, see, signIn, startConsole } from './support/console.ts'
import { callerOf, workspaceIdOf } from './support/workspace-calls.ts'

const email = 'owner@example.com'
/** The least that an answer takes. */
const answersAfterMs = 250

const detailSchema = z.object({
  results: z.array(z.object({ status: z.string(), latency_ms: z.number().nullable() })),
  uptime: z.object({ average_latency_ms: z.number().nullable() }),
})

describe('the range of a chart', () => {
  const minutes = Array.from({ length: 60 }, (_, index) => 6000 + index * 60)
  const cases: [title: string, sinceMs: number | null, from: number][] = [
    ['is whole for what has been watched for longer', 1_000_000, 6000],
    ['is whole where that is not known', null, 6000],
    ['begins with the step in which it was watched first', 7_230_000, 7200],
    ['has some steps before, for what is watched since a moment', 9_540_000, 9420],
  ]
  for (const [title, sinceMs, from] of cases)
    it(title, () => assert.deepEqual(rangeSince(minutes, { sinceMs, stepSeconds: 60 }), [from, 9540]))

  it('is never longer than its steps', () =>
    assert.deepEqual(rangeSince([6000, 6060], { sinceMs: 6_060_000, stepSeconds: 60 }), [6000, 6060]))
})

describe('days of a monitor', () => {
  const days: Parameters<typeof sinceWatched>[0] = [
    { date: '2031-03-01', state: 'none', share: 0 },
    { date: '2031-03-02', state: 'none', share: 0 },
    { date: '2031-03-03', state: 'up', share: 0 },
    { date: '2031-03-04', state: 'none', share: 0 },
  ]
  const statesSince = (since: string | null): string =>
    sinceWatched(days, since === null ? null : Date.parse(since))
      .map(({ state }) => state)
      .join(' ')

  it('without checks are told from days before it was watched', () => {
    assert.equal(statesSince('2031-03-02T23:59:00Z'), 'before none up none')
    assert.equal(statesSince('2030-01-01T00:00:00Z'), 'none none up none')
    assert.equal(statesSince(null), 'before before up before')
  })
})

describe('90 bars of days', () => {
  const firstMs = Date.parse('2031-03-01T00:00:00Z')
  for (const now of ['2031-05-29T00:00:00Z', '2031-05-29T23:59:59Z'])
    it(`have all passed for a monitor that was watched since the first of them, at ${now}`, () =>
      assert.equal(watchedInsteadOfBars(firstMs, Date.parse(now)), null))
})

describe('a new monitor whose answers are all too late', async () => {
  const service = await startConsole({ PERIGEE_OWNER_EMAIL: email, PERIGEE_OWNER_PASSWORD: password })
  const { visitor, inspect, complaints, origin } = service
  const target = await httpServer((_request, response) => setTimeout(() => response.end('Late'), answersAfterMs))
  const { page } = await visitor()
  await signIn(page, email)
  await see(page, 'Monitors')
  const call = callerOf(page)
  const { id } = await call('POST', '/monitors', {
    name: 'Slow',
    kind: 'http',
    url: `http://127.0.0.1:${target.port}/`,
    interval_seconds: 10,
    check_options: { max_latency_ms: 100 },
  })
  await call('POST', '/status-pages', {
    slug: 'slow',
    title: 'Slow things',
    sections: [{ name: '', monitors: [{ monitor_id: id, name: null }] }],
  })
  const figures = page.getByRole('region', { name: 'Figures' })

  it('shows its first checks as they come', async () => {
    await page.goto(`/monitors/${id}`)
    const first = page.getByRole('list', { name: 'First checks' })
    await first.getByText('Degraded').waitFor()
    // The second check may have come, too: a page is slow on a busy machine.
    await first.getByText(/^[\d,]+ ms/).waitFor()
    await page.getByText('Every location has checked it.').waitFor()
    await first.getByText(/^[\d,]+ ms · [\d,]+ ms/).waitFor()
    await inspect(page, 'monitor, first checks')
  })

  it('has figures of all its checks', async () => {
    const headers = { 'X-Perigee-Workspace': await workspaceIdOf(page) }
    const read = async (): Promise<z.infer<typeof detailSchema>> =>
      detailSchema.parse(await (await page.request.get(`/api/v1/monitors/${id}`, { headers })).json())
    await until('two checks', async () => (await read()).results.length >= 2, 60_000)
    const { results, uptime } = await read()
    assert.ok(results.every(({ status }) => status === 'degraded'))
    assert.ok((uptime.average_latency_ms ?? 0) >= answersAfterMs)
    await page.goto(`/monitors/${id}`)
    await page.getByText('Degraded', { exact: true }).first().waitFor()
    await figures.getByText(/^Uptime, watched for /).waitFor()
    assert.ok(millisecondsIn(await figures.innerText()) >= answersAfterMs)
    assert.match(await figures.innerText(), /100(\.00)? %/)
  })

  it('has a chart and bars of the time since it is watched', async () => {
    const range = page.getByRole('group', { name: 'Range' })
    assert.equal(await range.getByRole('button', { name: '1 hour', pressed: true }).count(), 1)
    await page.getByRole('img', { name: /^Response time, .*This machine [\d,]+ to [\d,]+ ms/ }).waitFor()
    const bars = page.getByRole('slider', { name: /^The last 90 days: 1 day with checks/ })
    await bars.press('Home')
    assert.match((await bars.getAttribute('aria-valuetext')) ?? '', /: not watched yet$/)
    await bars.blur()
    await inspect(page, 'monitor, new')
    await page.goto('/monitors')
    await page.getByText(/^watched for /).waitFor()
    await inspect(page, 'monitors, new')
  })

  it('is told by its badges and its status page as it is', async () => {
    assert.equal(nameOf(await badge('state.svg')), 'Slow: Degraded')
    assert.match(nameOf(await badge('uptime.svg')), /^Slow uptime, watched for .*: 100 %$/)
    const response = await badge('response.svg')
    assert.ok(millisecondsIn(nameOf(response)) >= answersAfterMs, nameOf(response))
    // Neither good nor bad, other than the state.
    assert.notEqual(colourOf(response), colourOf(await badge('uptime.svg')))
    const reader = await (await visitor()).context.newPage()
    await reader.goto('/status/slow')
    await reader.getByText('Degraded').first().waitFor()
    assert.ok(millisecondsIn(await reader.getByText(/^Response/).innerText()) >= answersAfterMs)
    await reader.getByText(/^Watched for /).waitFor()
    assert.equal(await reader.locator('.r svg').count(), 0)
    await inspect(reader, 'status page, new monitor')
  })

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))

  async function badge(path: string): Promise<string> {
    return (await fetch(`${origin}/status/slow/badge/${id}/${path}`)).text()
  }
})

function nameOf(svg: string): string {
  return /<title>(.*)<\/title>/.exec(svg)?.[1] ?? ''
}

/** The colour behind the value of a badge. */
function colourOf(svg: string): string {
  return svg.match(/fill="(#\w+)"/g)?.[1] ?? ''
}

/** The first number of milliseconds in a text; 0 where there is none. */
function millisecondsIn(text: string): number {
  return Number(/([\d,]+) ms/.exec(text)?.[1]?.replaceAll(',', '') ?? 0)
}
