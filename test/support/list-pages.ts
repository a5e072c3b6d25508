import assert from 'node:assert/strict'
import { z } from 'zod'
import { apiRoot } from '../../src/http/api-routes.ts'
import type { Answer, TestApi } from './api.ts'

/** A list, or a page of one, whatever members its items have. */
export const partsSchema = z.object({
  data: z.array(z.record(z.string(), z.unknown())),
  next_cursor: z.string().nullable().optional(),
})

/** All pages from this one on, by their cursors; `afterEach` is awaited before the next page is asked for. */
export async function pagesOf(
  api: TestApi,
  first: string,
  afterEach: (page: Answer) => Promise<void> = async () => {},
): Promise<Answer[]> {
  const pages: Answer[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const answer: Answer = await api.get(cursor === '' ? first : `${first}&cursor=${cursor}`)
    assert.equal(answer.status, 200, answer.text)
    pages.push(answer)
    await afterEach(answer)
    cursor = partsSchema.parse(answer.body).next_cursor ?? null
  }
  return pages
}

/** Where the `Link` of a page leads (RFC 8288), below the root of the API; null on the last page. */
export function nextAddress({ headers }: Answer): string | null {
  const link = headers.get('link')
  if (link === null) return null
  const [, address = ''] = /^<([^>]+)>; rel="next"$/.exec(link) ?? []
  const url = new URL(address)
  assert.ok(url.pathname.startsWith(`${apiRoot}/`), link)
  return url.pathname.slice(apiRoot.length) + url.search
}
