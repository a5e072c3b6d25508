import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { StatusModel } from '#core/status-pages/status-model.ts'
import { uptimeBars } from '#core/status-pages/status-bars.ts'
import { createTexts } from '#core/language/texts.ts'
import { accentStyle, createStatusAssets, findAccentStyle } from './status-assets.ts'
import type { StatusPlace } from './status-frame.ts'
import { renderStatusJson } from './status-json.ts'
import { renderStatusPage } from './status-page.ts'
import { pageTexts } from '#core/status-pages/page-texts.ts'

const at = new Date('2026-11-21T10:00:00Z')
const place: StatusPlace = {
  base: '/status/acme',
  url: 'https://perigee.example/status/acme',
  canSubscribe: true,
  assets: createStatusAssets(),
  i18n: pageTexts(createTexts()),
  language: 'en',
  chosen: null,
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
    accent: null,
    layout: 'list',
    logo: null,
    favicon: null,
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
    signedUntil: null,
    ...more,
  }
}

describe('a status page as HTML', () => {
  it('says so where nothing happened', () => {
    const html = renderStatusPage(modelOf(), place)
    assert.match(html, /There were none in the last 14 days/)
    assert.doesNotMatch(html, /Announcements|Current incidents|Planned maintenance/)
  })

  it('says until when history is signed, and the whole root in the page for programs', () => {
    assert.doesNotMatch(renderStatusPage(modelOf(), place), /History signed/)
    const model = modelOf({ signedUntil: { day: '2026-11-20', hash: '0123456789abcdef'.repeat(4) } })
    assert.match(
      renderStatusPage(model, place),
      /<a href="[^"]*acme\.json">History signed until 2026-11-20, root 0123456789abcdef<\/a>/,
    )
    const { signed_until: told } = Object(JSON.parse(renderStatusJson(model, place)))
    assert.deepEqual(told, model.signedUntil)
  })

  it('has what is wrong before what is announced', () => {
    const incident = { id: '1', startedAt: at, resolvedAt: null, posts: [], monitorName: 'Shop' }
    const announcement = { id: '2', title: 'We move', body: 'Soon.', postedAt: at, endsAt: null, editedAt: null }
    const html = renderStatusPage(modelOf({ running: [incident], announcements: [announcement] }), place)
    assert.ok(html.indexOf('Current incidents') < html.indexOf('Announcements'))
  })

  it('offers feeds and webhooks in words where no mail can be sent', () => {
    assert.doesNotMatch(renderStatusPage(modelOf(), place), /feed reader/)
    const html = renderStatusPage(modelOf(), { ...place, canSubscribe: false })
    assert.doesNotMatch(html, /<form/)
    assert.match(html, /Add one of these feeds to a feed reader/)
    assert.match(html, /can also add your webhook/)
  })

  it('has a logo, an icon and an accent where they are chosen', () => {
    const hash = 'a'.repeat(32)
    const logo = { hash, mediaType: 'image/png', width: 480, height: 240, size: 9, alt: 'Acme & co' } as const
    const looks = { logo, favicon: { ...logo, mediaType: 'image/webp' }, accent: '#ffcc00' } as const
    const html = renderStatusPage(modelOf(looks), place)
    assert.match(
      html,
      /<img class="logo" src="\/status\/acme\/images\/a{32}\.png" alt="Acme &amp; co" width="480" height="240">/,
    )
    assert.match(html, /<link rel="icon" href="\/status\/acme\/images\/a{32}\.webp" type="image\/webp">/)
    const { name, text } = accentStyle('#ffcc00')
    assert.ok(html.includes(`href="/status-assets/${name}"`))
    assert.match(text, /^:root\{--link:#896e00\}/)
    assert.equal(findAccentStyle(name)?.text, text)
    assert.equal(findAccentStyle('accent-ffcc00-aaaaaaaaaaaa.css'), null)
    const pictures = { logo: 'data:image/png;base64,AA', favicon: null }
    assert.match(renderStatusPage(modelOf(looks), { ...place, pictures }), /src="data:image\/png;base64,AA"/)
  })

  it('has monitors side by side in the compact form, without response times', () => {
    const response = { averagesMs: [1, 2], averageMs: 2, fastestMs: 1, slowestMs: 3 }
    const shown = {
      name: 'Shop',
      state: 'down',
      downSince: at,
      watchedSince: at,
      response,
      showsResponse: true,
    } as const
    const days = [{ date: '2026-11-21', checks: 10, up: 9, down: 1, restricted: 0, latencySumMs: 0, latencyCount: 0 }]
    const bars = uptimeBars({ since: '2026-11-21', days, periods: [] }, { history: '90_days', now: at })
    const sections = [{ name: '', monitors: [{ ...shown, id: '1', bars, days }] }]
    const compact = renderStatusPage(modelOf({ layout: 'compact', sections }), place)
    assert.match(compact, /<ul class="c g">/)
    assert.match(compact, /Down since/)
    assert.match(compact, /<summary>90\.00.% uptime<\/summary>/)
    assert.match(compact, /Bars show the last 90 days, the oldest first\./)
    assert.doesNotMatch(compact, /in the last 24 hours/)
    assert.match(renderStatusPage(modelOf({ sections }), place), /in the last 24 hours/)
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

  it('draws nothing of the days before a monitor was watched', () => {
    const bars = Array.from({ length: 90 }, (_, index) => {
      const day = new Date(at.getTime() - (89 - index) * 86_400_000).toISOString().slice(0, 10)
      const checks = index === 85 || index === 89 ? 3 : 0
      return { from: day, to: day, tone: checks > 0 ? 'up' : 'none', checks, failed: 0, degraded: 0 } as const
    })
    const drawn = (watchedSince: Date | null): string[] => {
      const monitor = { id: 'm', name: 'Shop', state: 'up', downSince: null, response: null } as const
      const shown = { ...monitor, showsResponse: false, days: [], bars, watchedSince }
      const html = renderStatusPage(modelOf({ sections: [{ name: '', monitors: [shown] }] }), place)
      return [...html.matchAll(/<path[^>]* d=[^>]*><title>[^<]*/g)].map(([path]) => path)
    }
    assert.deepEqual(drawn(minutesAgo(4 * 1440)), [
      '<path class=w d=M0,0H339><title>24 Aug to 16 Nov: not watched yet',
      '<path d=M340,0H343><title>17 Nov: 100 %',
      '<path class=n d=M344,0H355><title>18 to 20 Nov: no checks',
      '<path d=M356,0H359><title>21 Nov: 100 %',
    ])
    assert.equal(drawn(null)[0], '<path class=n d=M0,0H339><title>24 Aug to 16 Nov: no checks')
  })

  it('draws no line of response times until there are two', () => {
    const none = Array.from({ length: 95 }, () => null)
    const one = withResponses([...none, null, 120])
    assert.match(one, /<div class="r"><p>Response .*120 ms<\/p><\/div>/)
    assert.match(withResponses([...none, 120, 120]), /<div class="r"><svg[^>]*><path d="M95 30V3h3V30z"\/>/)
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

  it('is below 61 kB with twenty monitors that failed on a day each week', () => {
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
    assert.ok(Buffer.byteLength(html) < 61_000, `${Buffer.byteLength(html)} bytes`)
  })
})

/** A page with a monitor that answered in these times. */
function withResponses(averagesMs: (number | null)[]): string {
  const response = { averagesMs, averageMs: 120, fastestMs: 120, slowestMs: 120 }
  const monitor = { id: 'm', name: 'Shop', state: 'up', downSince: null, watchedSince: null, bars: null } as const
  const sections = [{ name: '', monitors: [{ ...monitor, days: [], response, showsResponse: true }] }]
  return renderStatusPage(modelOf({ sections }), place)
}

function minutesAgo(minutes: number): Date {
  return new Date(at.getTime() - minutes * 60_000)
}
