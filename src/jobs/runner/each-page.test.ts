import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Pages, eachPage } from './each-page.ts'

const ids = Array.from({ length: 23 }, (_, index) => `id ${String(index).padStart(2, '0')}`)

type Seen = { done: string[]; asked: (string | null)[]; failed: string[] }

/** All ids, four a page, worked on in pairs; a failing id fails its pair. */
function pagesOf(
  failing: readonly string[],
  changes: Partial<Pages<string>> = {},
): { pages: Pages<string>; seen: Seen } {
  const seen: Seen = { done: [], asked: [], failed: [] }
  const pages: Pages<string> = {
    limit: 4,
    list: async (after) => {
      seen.asked.push(after)
      return ids.filter((id) => after === null || id > after).slice(0, 4)
    },
    idOf: (id) => id,
    split: (page) => [page.slice(0, 2), page.slice(2)].filter(({ length }) => length > 0),
    work: async (items) => {
      if (items.some((item) => failing.includes(item))) throw new Error('no')
      seen.done.push(...items)
    },
    onFailure: (id) => seen.failed.push(id),
    ...changes,
  }
  return { pages, seen }
}

const signal = new AbortController().signal

describe('a list that is worked on page by page', () => {
  it('is worked on whole, and each page is asked for once', async () => {
    const { pages, seen } = pagesOf([])
    await eachPage(pages, signal)
    assert.deepEqual(seen, { done: ids, asked: [null, 'id 03', 'id 07', 'id 11', 'id 15', 'id 19'], failed: [] })
  })

  it('loses nothing to an item that fails, which is told of', async () => {
    const failing = ['id 00', 'id 05', 'id 22']
    const { pages, seen } = pagesOf(failing)
    await eachPage(pages, signal)
    assert.deepEqual(
      seen.done,
      ids.filter((id) => !failing.includes(id)),
    )
    assert.deepEqual(seen.failed, failing)
  })

  it('is given up when five in a row fail', async () => {
    const { pages, seen } = pagesOf(ids)
    await assert.rejects(eachPage(pages, signal), /^Error: no$/)
    assert.deepEqual(seen.failed, ids.slice(0, 4))
  })

  it('ends where its signal says so', async () => {
    const stopping = new AbortController()
    const { pages, seen } = pagesOf([], { onFailure: assert.fail })
    const work = async (items: string[]): Promise<void> => {
      await pages.work(items)
      if (items.includes('id 05')) stopping.abort()
    }
    await eachPage({ ...pages, work }, stopping.signal)
    assert.deepEqual(seen.done, ids.slice(0, 6))
  })
})
