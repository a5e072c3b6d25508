import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { resultSchema } from '#core/results/result.ts'
import { dayMs } from '#core/language/utc-day.ts'
import { testApi } from '../../../test/support/api.ts'
import { type Checked, addResults, createMonitor, refusalOf } from '../../../test/support/monitors.ts'
import { monitorOperations } from '#operations/monitors/monitors.ts'
import { resultPageOperations } from './result-pages.ts'
import { resultOperations } from './results.ts'

const start = Date.parse('2026-11-21T10:00:00.000Z')
const now = new Date(start + 3_600_000)
const pageSchema = z.strictObject({ data: z.array(resultSchema), next_cursor: z.string().nullable() })
type ResultsPage = z.infer<typeof pageSchema>

/** Each minute from both places: every fifth is degraded in Boston, every seventh down in Amsterdam. */
const checks: Checked[] = Array.from({ length: 30 }, (_, minute) => minute).flatMap((minute) => [
  { at: new Date(start + minute * 60_000), location: 'amsterdam', status: minute % 7 === 0 ? 'down' : 'up' },
  { at: new Date(start + minute * 60_000), location: 'boston', status: minute % 5 === 0 ? 'degraded' : 'up' },
])

describe('the results of a monitor, page by page', async () => {
  const operations = [...monitorOperations, ...resultOperations, ...resultPageOperations]
  const api = await testApi({ operations, now: () => now })
  const { id } = await createMonitor(api, { locations: ['amsterdam', 'boston'] })
  await addResults(api.database, id, checks)
  await addResults(
    api.database,
    id,
    [3, 20, 80].map((days) => ({ at: new Date(start - days * dayMs), location: 'boston', status: 'down' as const })),
  )

  async function page(query: string, of = id): Promise<ResultsPage> {
    const answer = await api.get(`/monitors/${of}/result-pages?${query}`)
    assert.equal(answer.status, 200, answer.text)
    return pageSchema.parse(answer.body)
  }

  async function all(query: string): Promise<ResultsPage['data']> {
    const found: ResultsPage['data'] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const next: ResultsPage = await page(`${query}${cursor === '' ? '' : `&cursor=${cursor}`}`)
      found.push(...next.data)
      cursor = next.next_cursor
    }
    return found
  }

  async function count(query: string): Promise<number> {
    return (await all(`limit=5&${query}`)).length
  }

  it('come newest first, each once, and say the same as the list', async () => {
    const { body } = await api.get(`/monitors/${id}/results?limit=500`)
    const { data } = z.object({ data: z.array(resultSchema) }).parse(body)
    assert.equal(data.length, 63)
    for (const limit of [1, 2, 7, 62, 63, 500]) assert.deepEqual(await all(`limit=${limit}`), data)
  })

  it('are those of a state, a location and a time', async () => {
    assert.equal(await count('status=down'), 8)
    assert.equal(await count('status=down,degraded'), 14)
    assert.equal(await count('location=boston'), 33)
    assert.equal(await count('location=boston&status=down'), 3)
    assert.equal(await count('location=nowhere'), 0)
    assert.equal(await count('since=2026-11-21T10:00:00Z&until=2026-11-21T10:10:00Z'), 20)
    assert.equal(await count('since=2026-11-21T10:10:00Z&location=amsterdam&status=up'), 17)
    assert.equal(await count('until=2026-11-21T10:00:00Z'), 3)
    assert.equal(await count('since=2027-01-01T00:00:00Z'), 0)
    assert.equal(await count('since=2026-11-21T10:10:00Z&until=2026-11-21T10:00:00Z'), 0)
  })

  it('go on behind the last one, whatever was added since', async () => {
    const other = await createMonitor(api, { locations: ['amsterdam', 'boston'] })
    await addResults(api.database, other.id, checks)
    const first = await page('limit=3', other.id)
    await addResults(api.database, other.id, [{ at: new Date(start + 31 * 60_000), location: 'boston' }])
    const second = await page(`limit=2&cursor=${first.next_cursor ?? ''}`, other.id)
    assert.deepEqual(
      [...first.data, ...second.data].map(({ checked_at: at, location_code: code }) => [at.slice(14, 16), code]),
      [
        ['29', 'amsterdam'],
        ['29', 'boston'],
        ['28', 'amsterdam'],
        ['28', 'boston'],
        ['27', 'amsterdam'],
      ],
    )
  })

  it('are refused for what is no filter, and for a cursor of others', async () => {
    const refused = async (query: string): Promise<unknown> =>
      refusalOf(await api.get(`/monitors/${id}/result-pages?${query}`))
    assert.deepEqual(await refused('status=broken'), [400, 'validation_failed', 'status'])
    assert.deepEqual(await refused('location='), [400, 'validation_failed', 'location'])
    assert.deepEqual(await refused('since=yesterday'), [400, 'validation_failed', 'since'])
    assert.deepEqual(await refused('limit=501'), [400, 'validation_failed', 'limit'])
    const { next_cursor: cursor } = await page('limit=1')
    assert.deepEqual(await refused(`cursor=${cursor ?? ''}&status=up`), [400, 'validation_failed', 'cursor'])
    const other = await createMonitor(api)
    const answer = await api.get(`/monitors/${other.id}/result-pages?cursor=${cursor ?? ''}`)
    assert.deepEqual(refusalOf(answer), [400, 'validation_failed', 'cursor'])
  })

  it('are not found of a monitor of another workspace', async () => {
    const { token } = await api.addWorkspace()
    const foreign = await createMonitor(api, {}, token)
    assert.deepEqual(refusalOf(await api.get(`/monitors/${foreign.id}/result-pages`)), [404, 'not_found'])
  })
})
