import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { unstableAlertOf } from '../../../test/support/alerts.ts'
import { wordingOf } from './wording.ts'

const publicUrl = 'https://status.example'

describe('the words of an alert that a monitor is unstable', () => {
  const { data, ...rest } = unstableAlertOf('monitor.unstable', { name: 'Shop' })

  it('say how often it changed, how it is, and when the next alert comes', () => {
    const { tone, headline, lead, facts } = wordingOf({ ...rest, data }, { publicUrl })
    assert.deepEqual([tone, headline], ['warning', 'Unstable: Shop'])
    assert.equal(
      lead,
      'Shop keeps going down and coming back: 5 changes within 20 min. It is down now. You get no further alerts for its outages until its state has stayed the same for 20 min.',
    )
    assert.deepEqual(
      facts.map(({ label }) => label),
      ['Changes', 'Since', 'Address'],
    )
  })

  it('say that it is up, where the last change was that', () => {
    const monitor = { ...data.monitor, current_status: 'degraded' as const }
    assert.match(wordingOf({ ...rest, data: { ...data, monitor } }, { publicUrl }).lead, / It is up now\. /)
  })

  it('say at the end how long it was so', () => {
    const { tone, headline, lead } = wordingOf(unstableAlertOf('monitor.unstable_ended', { name: 'Shop' }), {
      publicUrl,
    })
    assert.equal(tone, 'good')
    assert.match(headline, /^Stable again: Shop \(was unstable for .+\)$/)
    assert.match(lead, /^Shop has been up for 20 min without an outage\. It was unstable for .+\.$/)
  })

  it('say why it ended without that', () => {
    const over = unstableAlertOf('monitor.unstable_ended', { name: 'Shop' })
    const closed = { ...over, data: { ...over.data, closed: 'The monitor was paused.' } }
    const { tone, lead } = wordingOf(closed, { publicUrl })
    assert.equal(tone, 'plain')
    assert.match(lead, /^The monitor was paused\. Until then, Shop was unstable for .+\.$/)
  })
})
