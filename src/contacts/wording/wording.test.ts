import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { StatusAlert } from '#core/contacts/alerting.ts'
import { alertOf, statusAlertOf } from '../../../test/support/alerts.ts'
import { linksOf, wordingOf } from './wording.ts'

const context = { publicUrl: 'https://perigee.example' }
const incident = {
  label: 'Open the incident',
  url: 'https://perigee.example/incidents/6f1d4c0a-94b5-4f5e-8f3e-0a6f5f1d2c22',
}
const [from, until] = ['2026-11-21 10:00:00 UTC', '2026-11-21 10:04:00 UTC']
const cause = { label: 'Cause', value: 'The server answered 503.' }
const seenFrom = { label: 'Seen from', value: 'fra' }
const address = { label: 'Address', value: 'https://shop.example/health' }
const ongoing = [cause, { label: 'Since', value: from }, seenFrom, address]
const over = [cause, { label: 'From', value: from }, { label: 'Until', value: until }, seenFrom, address]

/** With other members of its data, or of its incident. */
function changed(
  type: StatusAlert['type'],
  data: Partial<StatusAlert['data']>,
  of: Partial<StatusAlert['data']['incident']> = {},
): StatusAlert {
  const alert = statusAlertOf(type)
  return { ...alert, data: { ...alert.data, ...data, incident: { ...alert.data.incident, ...of } } }
}

describe('the words of an outage', () => {
  const closed = 'The monitor was paused.'
  const cases: [what: string, alert: StatusAlert, tone: string, headline: string, lead: string, facts: object[]][] = [
    ['begins', statusAlertOf('monitor.down'), 'bad', 'Down: Shop API', 'Shop API is down.', ongoing],
    [
      'goes on',
      statusAlertOf('monitor.reminder'),
      'bad',
      'Still down: Shop API (for 4 min)',
      'Shop API has been down for 4 min.',
      ongoing,
    ],
    [
      'is over',
      statusAlertOf('monitor.up'),
      'good',
      'Up again: Shop API (was down 4 min)',
      'Shop API is up again. It was down for 4 min.',
      over,
    ],
    [
      'is over at a time that is not known',
      changed('monitor.up', {}, { resolved_at: null }),
      'good',
      'Up again: Shop API',
      'Shop API is up again.',
      ongoing,
    ],
    [
      'was closed',
      changed('monitor.up', { closed }),
      'plain',
      'Closed: Shop API was down for 4 min',
      `${closed} Until then, Shop API was down for 4 min.`,
      over,
    ],
    [
      'is closed just now',
      changed('monitor.up', { closed }, { resolved_at: null }),
      'plain',
      'Closed: Shop API was down for 4 min',
      `${closed} Until then, Shop API was down for 4 min.`,
      ongoing,
    ],
    [
      'was made by hand, and closed',
      changed('monitor.up', { closed }, { by_hand: true }),
      'plain',
      'Closed: Shop API was down for 4 min',
      `${closed} Until then, Shop API was down for 4 min.`,
      over,
    ],
  ]
  for (const [what, alert, tone, headline, lead, facts] of cases)
    it(`that ${what} are “${headline}”`, () =>
      assert.deepEqual(wordingOf(alert, context), { tone, headline, lead, facts, link: incident, acknowledge: null }))

  it('leave out what nobody saw: a cause, and a place', () =>
    assert.deepEqual(wordingOf(changed('monitor.down', { result: null }, { cause: null }), context).facts, [
      { label: 'Since', value: from },
      address,
    ]))
})

describe('the words of a test', () => {
  it('lead nowhere', () =>
    assert.deepEqual(wordingOf(alertOf('test'), context), {
      tone: 'plain',
      headline: 'Test alert from Perigee',
      lead: 'This is a test. Alerts will reach you here.',
      facts: [],
      link: null,
      acknowledge: null,
    }))
})

describe('the words of a template', () => {
  const { headline, lead, facts } = wordingOf(statusAlertOf('monitor.down'), context)
  const made: [words: { title: string | null; body: string | null }, told: object][] = [
    [
      { title: null, body: null },
      { headline, lead, facts },
    ],
    [
      { title: 'Shop!', body: null },
      { headline: 'Shop!', lead, facts },
    ],
    [
      { title: null, body: 'It is\ndown.' },
      { headline, lead: 'It is\ndown.', facts: [] },
    ],
    [
      { title: 'Shop!', body: 'Down.' },
      { headline: 'Shop!', lead: 'Down.', facts: [] },
    ],
  ]
  for (const [words, told] of made)
    it(`take the place of the built-in ones: ${JSON.stringify(words)}`, () =>
      assert.partialDeepStrictEqual(wordingOf(statusAlertOf('monitor.down'), { ...context, words }), told))
})

describe('the links of an alert', () => {
  const acknowledgeUrl = 'https://perigee.example/incidents/acknowledge/token'
  const acknowledge = { label: 'Acknowledge', url: acknowledgeUrl }
  const runbook = { label: 'Open the runbook', url: 'https://wiki.example/shop' }
  const { monitor } = statusAlertOf('monitor.down').data
  const guided = changed('monitor.down', { monitor: { ...monitor, notes: 'Ask Ann.', runbook_url: runbook.url } })

  it('are, in this order, to acknowledge it, to what it is about and to the runbook', () => {
    const wording = wordingOf(guided, { ...context, acknowledgeUrl })
    assert.deepEqual(linksOf(wording), [acknowledge, incident, runbook])
    assert.deepEqual(wording.facts.at(-1), { label: 'Notes', value: 'Ask Ann.' })
  })

  it('are those that there are', () => {
    assert.deepEqual(linksOf(wordingOf(statusAlertOf('monitor.down'), context)), [incident])
    assert.deepEqual(linksOf(wordingOf(alertOf('test'), context)), [])
    assert.deepEqual(linksOf({ acknowledge, link: null }), [acknowledge])
  })
})
