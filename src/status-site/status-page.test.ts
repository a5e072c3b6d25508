import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { StatusModel } from '#core/status-pages/status-model.ts'
import { createTexts } from '#core/language/texts.ts'
import { createStatusAssets } from './status-assets.ts'
import type { StatusPlace } from './status-frame.ts'
import { renderStatusJson } from './status-json.ts'
import { renderStatusPage } from './status-page.ts'
import { pageTexts } from './status-text.ts'

const at = new Date('2026-11-21T10:00:00Z')
const place: StatusPlace = {
  base: '/status/acme',
  url: 'https://perigee.example/status/acme',
  canSubscribe: true,
  assets: createStatusAssets(),
  i18n: pageTexts(createTexts()),
}

function modelOf(more: Partial<StatusModel> = {}): StatusModel {
  return {
    id: '6f1d4c0a-94b5-4f5e-8f3e-0a6f5f1d2c22',
    slug: 'acme',
    title: 'Acme',
    description: '',
    homepage: null,
    domain: null,
    theme: 'auto',
    history: '90_days',
    responseCharts: true,
    createdAt: at,
    at,
    standing: { tone: 'good', is: 'operational' },
    sections: [],
    running: [],
    ended: [],
    announcements: [],
    endedAnnouncements: [],
    maintenance: [],
    maintenanceNews: [],
    ...more,
  }
}

describe('a status page as HTML', () => {
  it('says so where nothing happened', () => {
    const html = renderStatusPage(modelOf(), place)
    assert.match(html, /There were none in the last 14 days/)
    assert.doesNotMatch(html, /Announcements|Current incidents|Planned maintenance/)
  })

  it('has planned work between what happens and what is', () => {
    const work = {
      id: '0b0e7f0e-3c1c-4a58-9d0c-6d1f3f5a1c11',
      title: 'New <disks>',
      description: 'See https://example.com/disks',
      startsAt: new Date('2026-11-22T01:00:00Z'),
      endsAt: new Date('2026-11-22T03:00:00Z'),
      createdAt: at,
      monitors: ['Shop & co', 'Mail'],
    }
    const html = renderStatusPage(modelOf({ maintenance: [work] }), place)
    assert.match(html, /<h2>Planned maintenance<\/h2>\s*<article[^>]*><div><h3>New &lt;disks&gt;<\/h3>/)
    assert.match(html, /22 Nov 2026, 01:00 UTC<\/time> to <time[^>]*>22 Nov 2026, 03:00 UTC/)
    assert.match(html, /Shop &amp; co, Mail/)
    const { maintenance } = JSON.parse(renderStatusJson(modelOf({ maintenance: [work] }), place))
    assert.equal(maintenance[0].starts_at, '2026-11-22T01:00:00.000Z')
  })

  it('offers no form where no mail leaves', () => {
    assert.match(renderStatusPage(modelOf(), place), /<form/)
    assert.doesNotMatch(renderStatusPage(modelOf(), { ...place, canSubscribe: false }), /<form|mail/)
  })

  it('says how long a monitor is watched instead of 90 days that have not passed', () => {
    const bars = Array.from({ length: 90 }, (_, index) => {
      const day = new Date(at.getTime() - (89 - index) * 86_400_000).toISOString().slice(0, 10)
      const checks = index === 89 ? 3 : 0
      return { from: day, to: day, tone: checks > 0 ? 'up' : 'none', checks, failed: 0, degraded: 0 } as const
    })
    const beginningOf = (watchedSince: Date): string | undefined => {
      const monitor = {
        id: 'm',
        name: 'Shop',
        state: 'up',
        downSince: null,
        response: null,
        showsResponse: false,
      } as const
      const sections = [{ name: '', monitors: [{ ...monitor, days: [], bars, watchedSince }] }]
      const html = renderStatusPage(modelOf({ sections }), place)
      return /<div class="a"><span>([^<]+)</.exec(html)?.[1]
    }
    assert.equal(beginningOf(minutesAgo(0.5)), 'Watched for less than a minute')
    assert.equal(beginningOf(minutesAgo(3)), 'Watched for 3 min')
    assert.equal(beginningOf(minutesAgo(2 * 1440)), 'Watched for 2 d')
    assert.equal(beginningOf(minutesAgo(90 * 1440)), '90 days ago')
  })

  it('keeps to the look that its owner chose', () => {
    assert.match(renderStatusPage(modelOf({ theme: 'dark' }), place), /<html lang="en" data-theme="dark">/)
    assert.match(renderStatusPage(modelOf(), place), /<html lang="en">/)
  })

  it('draws gaps in response times, and a quarter-hour that stands alone', () => {
    const averagesMs = [100, 100, 200, null, 50, null, ...Array.from({ length: 91 }, () => null)]
    const response = { averagesMs, averageMs: 112, fastestMs: 50, slowestMs: 200 }
    const monitor = {
      id: 'm',
      name: 'Shop',
      state: 'up',
      downSince: null,
      watchedSince: null,
      bars: null,
      days: [],
    } as const
    const sections = [{ name: '', monitors: [{ ...monitor, days: [], response, showsResponse: true }] }]
    const html = renderStatusPage(modelOf({ sections }), place)
    assert.match(html, /<path d="M-2 30V14h3l1-11V30zM4 30V20h1V30z"\/>/)
    assert.match(html, /112 ms, 50–200 ms/)
  })

  it('is below 60 kB with twenty monitors that failed on a day each week', () => {
    const bars = Array.from({ length: 90 }, (_, index) => {
      const day = new Date(at.getTime() - (89 - index) * 86_400_000).toISOString().slice(0, 10)
      const failed = index % 7 === 0 ? 11 : 0
      return { from: day, to: day, tone: failed > 0 ? 'near' : 'up', checks: 1440, failed, degraded: 0 } as const
    })
    const averagesMs = Array.from({ length: 97 }, (_, index) => 100 + ((index * 37) % 60))
    const response = { averagesMs, averageMs: 130, fastestMs: 100, slowestMs: 159 }
    const monitors = Array.from({ length: 20 }, (_, index) => ({
      id: `m${index}`,
      name: `Monitor number ${index}`,
      state: 'up' as const,
      downSince: null,
      watchedSince: null,
      bars,
      response,
      showsResponse: true,
      days: [],
    }))
    const html = renderStatusPage(modelOf({ sections: [{ name: 'All', monitors }] }), place)
    assert.ok(Buffer.byteLength(html) < 60_000, `${Buffer.byteLength(html)} bytes`)
  })
})

function minutesAgo(minutes: number): Date {
  return new Date(at.getTime() - minutes * 60_000)
}
