import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { writeSetting } from '#store/installation/settings.ts'
import { peopleApi } from '../../test/support/people.ts'

for (const sendsMail of [true, false])
  describe(`GET /installation with ${sendsMail ? 'a' : 'no'} mail server`, async () => {
    const people = await peopleApi({ services: { sendsMail } })
    const { browser, workspaceId: workspace } = await people.newcomer('owner@example.com')

    it('tells an owner so', async () => {
      const answer = await browser.api('GET', '/installation', { workspace })
      assert.deepEqual(
        [answer.status, answer.body],
        [200, { data: { sends_mail: sendsMail, troubles: [], has_private_target_choice: false } }],
      )
    })
  })

describe('the troubles of an installation', async () => {
  const troubles = ['No engine is running, so nothing is checked.']
  const people = await peopleApi({ services: { readTroubles: async () => troubles } })
  const operator = await people.newcomer('operator@example.com')
  const tenant = await people.newcomer('tenant@example.com')
  await writeSetting(people.api.database, 'owner_workspace', operator.workspaceId)

  it('are told to the owner of the workspace that it began with', async () => {
    const { body } = await operator.browser.api('GET', '/installation', { workspace: operator.workspaceId })
    assert.deepEqual(body, { data: { sends_mail: true, troubles, has_private_target_choice: false } })
  })

  it('are kept from the owner of another workspace', async () => {
    const { body } = await tenant.browser.api('GET', '/installation', { workspace: tenant.workspaceId })
    assert.deepEqual(body, { data: { sends_mail: true, troubles: [], has_private_target_choice: false } })
  })
})
