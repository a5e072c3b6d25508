import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { addPage } from '../../../test/support/status.ts'
import { peopleApi } from '../../../test/support/people.ts'

const checked = z.object({ data: z.strictObject({ url: z.string(), problem: z.string().nullable() }) })

describe('the address of a status page, while it is typed', async () => {
  const people = await peopleApi()
  const { browser, workspaceId: workspace } = await people.newcomer('owner@example.com')
  const { database, workspaceId: foreign } = people.api
  const own = await addPage(database, { workspaceId: workspace, slug: 'ours' })
  await addPage(database, { workspaceId: foreign, slug: 'draft', visibility: 'draft' })
  const check = (asked: Record<string, string>) =>
    browser.api('GET', `/status-addresses?${new URLSearchParams(asked).toString()}`, { workspace })

  for (const [slug, page, problem] of [
    ['free', null, null],
    ['ours', null, 'Is already used by another status page.'],
    ['ours', own.id.toUpperCase(), null],
    ['draft', own.id, 'Is already used by another status page.'],
    ['api', null, 'Is reserved.'],
    ['-a-', null, 'Must have 3 to 63 of a-z, 0-9 and -, with a letter or digit at both ends.'],
    ['', null, 'Must have 3 to 63 of a-z, 0-9 and -, with a letter or digit at both ends.'],
  ] as const)
    it(`${slug === '' ? 'nothing' : slug}${page === null ? '' : ' of a page'}: ${problem ?? 'can be had'}`, async () => {
      const answer = await check({ slug, ...(page === null ? {} : { page }) })
      assert.deepEqual(checked.parse(answer.body).data, { url: `http://perigee.test/status/${slug}`, problem })
    })

  it('is refused where it cannot be asked for', async () => {
    for (const wrong of [{}, { slug: 'x'.repeat(201) }, { slug: 'free', page: 'one' }])
      assert.equal((await check(wrong)).status, 422, JSON.stringify(wrong))
  })
})
