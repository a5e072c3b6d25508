import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseExposition } from '../../../test/support/exposition.ts'
import {
  boundText,
  type Family,
  labelText,
  roomFor,
  sampleName,
  writeOpenMetrics,
  writePrometheus,
} from './exposition.ts'

function family(name: string, type: Family['type'], samples = 1): Family {
  const full = sampleName({ name, type })
  const lines = Array.from({ length: samples }, (_, n) => `${full}{n="${n}"} ${n}\n`).join('')
  return { name, type, unit: name.endsWith('_seconds') ? 'seconds' : null, help: 'A figure.', samples, lines }
}

describe('figures for Prometheus', () => {
  const all = [family('perigee_a', 'info'), family('perigee_b', 'counter'), family('perigee_c_seconds', 'gauge')]

  it('are its text format, in which a family has the name of its samples', () => {
    const { families, value } = parseExposition(writePrometheus(all))
    assert.deepEqual(
      [...families],
      [
        ['perigee_a_info', { type: 'gauge', help: 'A figure.' }],
        ['perigee_b_total', { type: 'counter', help: 'A figure.' }],
        ['perigee_c_seconds', { type: 'gauge', help: 'A figure.' }],
      ],
    )
    assert.equal(value('perigee_b_total{n="0"}'), 0)
  })

  it('are OpenMetrics, with units, the shorter names, and an end', () => {
    assert.equal(
      writeOpenMetrics(all),
      [
        '# TYPE perigee_a info',
        '# HELP perigee_a A figure.',
        'perigee_a_info{n="0"} 0',
        '# TYPE perigee_b counter',
        '# HELP perigee_b A figure.',
        'perigee_b_total{n="0"} 0',
        '# TYPE perigee_c_seconds gauge',
        '# UNIT perigee_c_seconds seconds',
        '# HELP perigee_c_seconds A figure.',
        'perigee_c_seconds{n="0"} 0',
        '# EOF',
        '',
      ].join('\n'),
    )
  })

  it('have labels in which any text may stand', () => {
    assert.equal(labelText({ a: 'x', b: '' }), 'a="x",b=""')
    assert.equal(labelText({ name: 'C:\\x "y"\nz {}, ü' }), String.raw`name="C:\\x \"y\"\nz {}, ü"`)
  })

  it('have bounds that OpenMetrics takes for numbers', () => {
    assert.deepEqual([0.005, 1, 2.5, 30].map(boundText), ['0.005', '1.0', '2.5', '30.0'])
  })
})

describe('room for figures', () => {
  it('is taken by whole families, in their order, and what is left out is named', () => {
    const room = roomFor(5)
    room.add(family('perigee_a', 'gauge', 3))
    room.add(family('perigee_b', 'gauge', 3))
    room.add(family('perigee_c', 'gauge', 2))
    room.leaveOut('perigee_d', 40)
    assert.equal(room.taken, 5)
    const { families, value } = parseExposition(writePrometheus(room.exposition()))
    assert.deepEqual([...families.keys()], ['perigee_a', 'perigee_c', 'perigee_metrics_omitted_samples'])
    assert.equal(value('perigee_metrics_omitted_samples{metric="perigee_b"}'), 3)
    assert.equal(value('perigee_metrics_omitted_samples{metric="perigee_d"}'), 40)
  })

  it('names nothing where all fits, and shows no family without samples', () => {
    const room = roomFor(5)
    room.add(family('perigee_a', 'gauge', 5))
    room.add(family('perigee_b', 'gauge', 0))
    assert.deepEqual(
      room.exposition().map(({ name }) => name),
      ['perigee_a'],
    )
  })
})
