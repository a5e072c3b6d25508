import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { peopleApi } from '../../test/support/people.ts'

for (const sendsMail of [true, false])
  describe(`GET /installation with ${sendsMail ? 'a' : 'no'} mail server`, async () => {
    const people = await peopleApi({ services: { sendsMail } })
    const { browser, workspaceId: workspace } = await people.newcomer('owner@example.com')

    it('tells an owner so', async () => {
      const answer = await browser.api('GET', '/installation', { workspace })
      assert.deepEqual([answer.status, answer.body], [200, { data: { sends_mail: sendsMail } }])
    })
  })
