// Results as a file: what a spreadsheet and a program read, and where it ends.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ResultRecord, ResultsPage } from '../../web/src/api/monitors.ts'
import { type ExportForm, mostExported, readForExport } from '../../web/src/pages/results/export-text.ts'
import { laneFigures } from '../../web/src/pages/results/lane-figures.ts'

const good: ResultRecord = {
  id: '00000000-0000-8000-8000-000000000001',
  status: 'up',
  status_code: 200,
  latency_ms: 12,
  location_code: 'here',
  checked_at: '2031-03-11T14:00:00.000Z',
  error: null,
  details: {},
  repeats: 1,
  last_checked_at: null,
  latency_max_ms: null,
}

async function textOf(form: ExportForm, pages: readonly ResultRecord[][]): Promise<string> {
  const read = async (limit: number, cursor: string): Promise<ResultsPage> => {
    assert.equal(limit, 500)
    const place = Number(cursor)
    return { data: pages[place] ?? [], next_cursor: place + 1 < pages.length ? String(place + 1) : null }
  }
  return (await readForExport(read, { form, onCount: () => {} })).parts.join('')
}

/** The error as a cell of the file. */
async function cellOf(error: string): Promise<string> {
  const text = await textOf('csv', [[{ ...good, error }]])
  const [begin, end] = ['\r\n2031-03-11T14:00:00.000Z,,here,up,200,12,,1,', `,${good.id},{}\r\n`]
  assert.ok(text.includes(begin) && text.endsWith(end), text)
  return text.slice(text.indexOf(begin) + begin.length, -end.length)
}

describe('results as CSV', () => {
  it('have a head and a line each, over all pages', async () => {
    assert.equal(
      await textOf('csv', [[good], [{ ...good, details: { redirects: 1, final_url: 'x' } }]]),
      'checked_at,last_checked_at,location_code,status,status_code,latency_ms,latency_max_ms,repeats,error,id,details\r\n' +
        `2031-03-11T14:00:00.000Z,,here,up,200,12,,1,,${good.id},{}\r\n` +
        `2031-03-11T14:00:00.000Z,,here,up,200,12,,1,,${good.id},"{""redirects"":1,""final_url"":""x""}"\r\n`,
    )
  })

  const cells: [error: string, cell: string][] = [
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(1)', "'@SUM(1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', `"'\r=1"`],
    ['a=1', 'a=1'],
    ['say "no", twice\nor so', '"say ""no"", twice\nor so"'],
  ]
  for (const [error, cell] of cells)
    it(`hold ${JSON.stringify(error)} as text that no spreadsheet runs`, async () =>
      assert.equal(await cellOf(error), cell))
})

describe('results as JSON', () => {
  it('are one list, over all pages, also where there are none', async () => {
    assert.deepEqual(JSON.parse(await textOf('json', [[good, good], [], [good]])), [good, good, good])
    assert.deepEqual(JSON.parse(await textOf('json', [[]])), [])
  })

  it('end after so many, which is told', async () => {
    const page = Array.from({ length: 500 }, () => good)
    const counts: number[] = []
    const read = async (): Promise<ResultsPage> => ({ data: page, next_cursor: 'more' })
    const { parts, count, isCut } = await readForExport(read, { form: 'json', onCount: (sofar) => counts.push(sofar) })
    assert.deepEqual([count, isCut, counts.length], [mostExported, true, mostExported / 500])
    assert.equal(parts.join('').match(/"checked_at"/g)?.length, mostExported)
  })
})

describe('the figures of a location', () => {
  const phases = { dns_ms: null, connect_ms: null, tls_ms: null, ttfb_ms: null, transfer_ms: null }
  const step = { at: '2031-03-11T14:00:00.000Z', in_maintenance: 0, degraded: 0, failed: 0, phases }

  it('weigh its steps by their checks that were not down', () => {
    const figures = laneFigures([
      { ...step, checks: 3, latency_ms: 10, slowest_ms: 12, phases: { ...phases, ttfb_ms: 6 } },
      { ...step, checks: 3, failed: 2, degraded: 1, latency_ms: 50, slowest_ms: 50 },
      { ...step, checks: 2, failed: 2, latency_ms: null, slowest_ms: null },
    ])
    const means = { mean: 20, slowest: 50, phases: { ...phases, ttfb_ms: 6 } }
    assert.deepEqual(figures, { checks: 8, failed: 4, degraded: 1, ...means })
    assert.deepEqual([laneFigures([]).mean, laneFigures([]).slowest], [null, null])
  })
})
