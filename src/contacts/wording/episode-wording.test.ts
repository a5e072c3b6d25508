import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { degradedAlertOf, slowAlertOf } from '../../../test/support/alerts.ts'
import { wordingOf } from './wording.ts'

const publicUrl = 'https://perigee.example'
const link = {
  label: 'Open the monitor',
  url: 'https://perigee.example/monitors/0b0e7f0e-3c1c-4a58-9d0c-6d1f3f5a1c11',
}

describe('what an alert says of an episode', () => {
  it('is what the monitor shows, since when, and that it is up', () =>
    assert.deepEqual(wordingOf(degradedAlertOf('monitor.degraded'), { publicUrl }), {
      tone: 'warning',
      headline: 'Degraded: Shop API',
      lead: 'Shop API is up, but degraded.',
      facts: [
        { label: 'Cause', value: 'Took 2317 ms, more than 2000 ms.' },
        { label: 'Since', value: '2026-11-21 10:00:00 UTC' },
        { label: 'Seen from', value: 'fra' },
        { label: 'Address', value: 'https://shop.example/health' },
      ],
      link,
      acknowledge: null,
    }))

  it('is how long it was degraded, once it is over', () =>
    assert.deepEqual(wordingOf(degradedAlertOf('monitor.degraded_ended'), { publicUrl }), {
      tone: 'good',
      headline: 'No longer degraded: Shop API (was degraded for 4 min)',
      lead: 'Shop API is no longer degraded. It was degraded for 4 min.',
      facts: [
        { label: 'From', value: '2026-11-21 10:00:00 UTC' },
        { label: 'Until', value: '2026-11-21 10:04:00 UTC' },
        { label: 'Seen from', value: 'fra' },
        { label: 'Address', value: 'https://shop.example/health' },
      ],
      link,
      acknowledge: null,
    }))

  const closed = 'The monitor was paused.'
  const degraded = degradedAlertOf('monitor.degraded_ended')
  const slow = slowAlertOf('monitor.slow_ended')
  for (const [how, alert] of [
    ['degraded', { ...degraded, data: { ...degraded.data, closed } }],
    ['slow', { ...slow, data: { ...slow.data, closed } }],
  ] as const)
    it(`is what closed it, where that is not that it is no longer ${how}`, () => {
      const { tone, headline, lead } = wordingOf(alert, { publicUrl })
      const was = `Shop API was ${how} for 4 min`
      assert.deepEqual([tone, headline, lead], ['plain', `Closed: ${was}`, `${closed} Until then, ${was}.`])
    })

  it('is what it took beside what is usual', () =>
    assert.deepEqual(wordingOf(slowAlertOf('monitor.slow'), { publicUrl }), {
      tone: 'warning',
      headline: 'Slow: Shop API',
      lead: 'Shop API is up, but slower than usual. It took 2317 ms; at this time of day, 95 % of checks take up to 206 ms.',
      facts: [
        { label: 'Response time', value: '2317 ms' },
        { label: 'Usual at this time of day', value: 'up to 206 ms' },
        { label: 'Slow from', value: '618 ms' },
        { label: 'Since', value: '2026-11-21 10:00:00 UTC' },
        { label: 'Seen from', value: 'fra' },
        { label: 'Address', value: 'https://shop.example/health' },
      ],
      link,
      acknowledge: null,
    }))

  it('is how long it was slow, once it is over', () => {
    const { tone, headline, lead } = wordingOf(slowAlertOf('monitor.slow_ended'), { publicUrl })
    assert.deepEqual(
      [tone, headline, lead],
      [
        'good',
        'Back to its usual speed: Shop API (was slow for 4 min)',
        'Shop API is back to its usual speed. It was slow for 4 min.',
      ],
    )
  })
})
