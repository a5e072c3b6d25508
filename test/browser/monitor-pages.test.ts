// The monitor list as its pages come, while the live stream tells changes, without a browser.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { QueryClient } from '@tanstack/react-query'
import fc from 'fast-check'
import type { LiveMessage, OverviewPage } from '../../web/src/api/overview.ts'
import { readPages } from '../../web/src/pages/monitors/monitors-pages.ts'
import { type MonitorList, listOf } from '../../web/src/pages/monitors/monitors-rows.ts'
import { withMessage } from '../../web/src/pages/monitors/monitors-told.ts'
import { liveRow, overviewRow } from '../support/overview.ts'

const today = '2026-11-22'
const startMs = 1_795_000_000_000
const queryKey = ['overview']

/** Pages with these monitors, one second after the other; a monitor is called as its id is. */
function pagesOf(names: readonly (readonly string[])[], begunMs = startMs): OverviewPage[] {
  return names.map((ids, place) => ({
    at: begunMs + place * 1000,
    today,
    horizon: String(place),
    monitors: ids.map((id) =>
      overviewRow({ id, name: id, tags: [], checkedAt: begunMs, latencyMs: 10, spark: '10:_' }),
    ),
    groups: ids.filter((id) => id.startsWith('group')).map((id) => [id, names.flat()]),
    incidents: [],
    quiet_since: null,
    next_cursor: place === names.length - 1 ? null : String(place + 1),
  }))
}

function told(at: number, ids: readonly string[], more: Partial<LiveMessage> = {}): LiveMessage {
  const monitors = ids.map((id) =>
    liveRow({ id, name: id, state: 'down', checkedAt: at, latencyMs: null, bar: 'd5000' }),
  )
  return { at, today, total: 4, monitors, is_partial: false, incidents: null, ...more }
}

type Reading = { known?: MonitorList; onAsked?: (place: number, client: QueryClient) => void }

/** Reads them all; `onAsked` is called while the page of that place is on its way. */
async function readAll(pages: readonly OverviewPage[], { known, onAsked }: Reading = {}) {
  const client = new QueryClient()
  const shown: number[] = []
  if (known !== undefined) client.setQueryData(queryKey, known)
  client.getQueryCache().subscribe(() => {
    const rows = client.getQueryData<MonitorList>(queryKey)?.rows.length
    if (rows !== undefined && shown.at(-1) !== rows) shown.push(rows)
  })
  const ending = new AbortController()
  const [first] = pages
  if (first === undefined) throw new Error('There is a first page.')
  const read = async (cursor: string): Promise<OverviewPage> => {
    onAsked?.(Number(cursor), client)
    return pages[Number(cursor)] ?? assert.fail('no such page')
  }
  const list = await readPages(first, read, { client, queryKey, signal: ending.signal })
  return { list, shown, client }
}

function hear(client: QueryClient, message: LiveMessage): boolean {
  const known = client.getQueryData<MonitorList>(queryKey) ?? assert.fail('nothing is shown')
  const { list, isWhole } = withMessage(known, message, true)
  client.setQueryData(queryKey, list)
  return isWhole
}

const statesOf = ({ rows }: MonitorList): string => rows.map(({ id, state }) => `${id} ${state}`).join(', ')

describe('the pages of the monitor list', () => {
  it('are together what one page of all is, however they are cut', () =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.stringMatching(/^(?:group|shop)\d{1,3}$/), { minLength: 1, maxLength: 40 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 12 })),
        async (names, sizes) => {
          const cut: string[][] = []
          for (let left = names; left.length > 0; left = left.slice(cut.at(-1)?.length))
            cut.push(left.slice(0, sizes.next().value ?? 1))
          const { list, client } = await readAll(pagesOf(cut))
          const [all] = pagesOf([names])
          const whole = listOf(all ?? assert.fail('one page'))
          assert.deepEqual([...list.groupsOf], [...whole.groupsOf])
          assert.deepEqual({ ...list, groupsOf: null }, { ...whole, groupsOf: null })
          if (cut.length > 1) assert.deepEqual(client.getQueryData(queryKey), list)
        },
      ),
      { numRuns: 50 },
    ))

  it('are shown from the first on, and then whenever there is twice as much', async () => {
    const { list, shown } = await readAll(pagesOf([['f'], ['e'], ['d'], ['c'], ['b'], ['a']]))
    assert.deepEqual(shown, [1, 2, 4, 6])
    assert.equal(list.rows.map(({ id }) => id).join(''), 'abcdef')
  })

  it('leave a list that is complete as it is until they are', async () => {
    const { list: known } = await readAll(pagesOf([['a'], ['b'], ['gone']]))
    const again = pagesOf([['a'], ['b'], ['c'], ['new']], startMs + 60_000)
    const { list, shown } = await readAll(again, { known })
    assert.deepEqual(shown, [3, 4])
    assert.deepEqual(statesOf(list), 'a up, b up, c up, new up')
    assert.deepEqual([list.at, list.isComplete], [startMs + 60_000, true])
  })

  it('are brought up to what was told since they were so, and not back to what was told before', async () => {
    const { list } = await readAll(pagesOf([['a'], ['b', 'c', 'd']]), {
      onAsked: (_, client) => {
        assert.ok(hear(client, told(startMs + 500, ['a', 'b'])))
        assert.ok(hear(client, told(startMs + 1500, ['c'])))
      },
    })
    assert.equal(statesOf(list), 'a down, b up, c down, d up')
  })

  it('are brought up to it as well while an older list is still shown', async () => {
    const { list: known } = await readAll(pagesOf([['a'], ['b'], ['c'], ['d']]))
    const again = pagesOf([['a'], ['b'], ['c'], ['d']], startMs + 60_000)
    const { list } = await readAll(again, {
      known,
      onAsked: (place, client) => {
        if (place === 3) hear(client, told(startMs + 62_500, ['a', 'd']))
        else hear(client, told(startMs + 59_000 + place, ['b']))
      },
    })
    assert.equal(statesOf(list), 'a down, b up, c up, d up')
  })

  it('give no reason to read again by what is still to come', async () => {
    const { list } = await readAll(pagesOf([['a'], ['b']]), {
      onAsked: (_, client) => {
        assert.equal(hear(client, told(startMs + 1, ['b', 'unknown'], { total: 9 })), true)
        assert.equal(hear(client, told(startMs + 2, [], { is_partial: true })), false)
        assert.equal(hear(client, told(startMs + 3, [], { today: '2026-11-23' })), false)
      },
    })
    // The page asks again when the number that was told last is another one in the end.
    assert.deepEqual([list.isComplete, list.total, list.rows.length], [true, 4, 2])
    assert.equal(withMessage(list, told(startMs + 5000, ['unknown'], { total: 2 })).isWhole, false)
  })

  it('end where nobody looks any more, and leave what is shown', async () => {
    const client = new QueryClient()
    const ending = new AbortController()
    const pages = pagesOf([['a'], ['b'], ['c'], ['d']])
    const asked: string[] = []
    const read = async (cursor: string): Promise<OverviewPage> => {
      asked.push(cursor)
      if (cursor === '2') ending.abort()
      return pages[Number(cursor)] ?? assert.fail('no such page')
    }
    const first = pages[0] ?? assert.fail('a first page')
    const reading = readPages(first, read, { client, queryKey, signal: ending.signal })
    await assert.rejects(reading, { name: 'AbortError' })
    assert.deepEqual(asked, ['1', '2'])
    const left = client.getQueryData<MonitorList>(queryKey)
    assert.deepEqual([left?.isComplete, left?.rows.length], [false, 2])
  })
})
