import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { createSetUpToken } from '#store/people/set-up-links.ts'
import { type Browser, password, peopleApi } from '../../../test/support/people.ts'

const invited = z.object({ link: z.string().optional() })
const states = z.object({ data: z.array(z.object({ confirmation_url: z.string().nullable() })) })
const workspaces = z.object({ data: z.array(z.object({ id: z.uuid() })) })

for (const sendsMail of [true, false])
  describe(`links of mails in an installation that sends ${sendsMail ? 'mail' : 'none'}`, async () => {
    const people = await peopleApi({ services: { sendsMail } })
    const { api } = people
    const setUp = async (): Promise<Browser> => {
      const token = await createSetUpToken(api.database, { workspaceId: api.workspaceId, now: new Date() })
      const browser = people.browser()
      const answer = await browser.auth('POST', '/set-up', { token, email: 'olga@example.com', name: 'Olga', password })
      assert.equal(answer.status, 200, answer.text)
      return browser
    }
    const owner = await setUp()
    const join = async (email: string): Promise<Browser> => {
      const answer = await owner.api('POST', '/invitations', {
        workspace: api.workspaceId,
        body: { email, role: 'member' },
      })
      assert.equal(answer.status, 201, answer.text)
      const { parameters } = await people.mailTo(email, /You have been invited/)
      const browser = people.browser()
      const token = parameters.get('token') ?? ''
      assert.equal((await browser.auth('POST', '/invitation/sign-up', { token, name: 'Mia', password })).status, 200)
      return browser
    }

    it(`are ${sendsMail ? 'not ' : ''}shown to an owner of the installation, in any workspace of the owner's`, async () => {
      const made = await owner.api('POST', '/workspaces', { body: { name: 'Branch' } })
      assert.equal(made.status, 201, made.text)
      const { data } = workspaces.parse((await owner.api('GET', '/workspaces')).body)
      for (const { id } of data) {
        assert.equal((await invite(owner, id, `guest-${id}@example.com`)) === undefined, sendsMail)
        assert.equal((await askReader(owner, id, `reader-${id}@example.com`)) === null, sendsMail)
      }
      assert.equal(data.length, 2)
    })

    it('are shown to no owner of another workspace', async () => {
      const { browser, workspaceId } = await people.newcomer('other@example.com')
      assert.equal(await invite(browser, workspaceId, 'victim@example.com'), undefined)
      assert.equal(await askReader(browser, workspaceId, 'victim@example.com'), null)
    })

    it('are shown to no member of the installation who is no owner of it, nor to a token', async () => {
      const member = await join('member@example.com')
      assert.equal(await askReader(member, api.workspaceId, 'colleague@example.com'), null)
      const body = { name: 'On call', kind: 'email', destination: 'program@example.com' }
      const { text } = await api.post('/alert-channels', body)
      assert.doesNotMatch(text, /confirm\//)
    })

    if (!sendsMail)
      it('do what the mail would have done, once', async () => {
        const link = (await invite(owner, api.workspaceId, 'new@example.com')) ?? assert.fail('no link')
        const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token')
        const browser = people.browser()
        const joining = { token, name: 'Nina', password }
        assert.equal((await browser.auth('POST', '/invitation/sign-up', joining)).status, 200)
        assert.equal((await browser.api('GET', '/monitors', { workspace: api.workspaceId })).status, 200)
        assert.equal((await people.browser().auth('POST', '/invitation/sign-up', joining)).status, 404)
        const listed = await owner.api('GET', '/invitations', { workspace: api.workspaceId })
        assert.doesNotMatch(listed.text, /token=/)
      })
  })

async function invite(browser: Browser, workspace: string, email: string): Promise<string | undefined> {
  const answer = await browser.api('POST', '/invitations', { workspace, body: { email, role: 'member' } })
  assert.equal(answer.status, 201, answer.text)
  return invited.parse(answer.body).link
}

async function askReader(browser: Browser, workspace: string, destination: string): Promise<string | null> {
  const body = { name: 'On call', kind: 'email', destination }
  assert.equal((await browser.api('POST', '/alert-channels', { workspace, body })).status, 201)
  const { data } = states.parse((await browser.api('GET', '/contact-states', { workspace })).body)
  return data.at(-1)?.confirmation_url ?? null
}
