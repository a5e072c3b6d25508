import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { codeOf, password, peopleApi, statusesOf } from '../../../test/support/people.ts'

const listed = z.object({ data: z.array(z.object({ id: z.uuid(), email: z.string(), role: z.string() })) })

describe('members and invitations', async () => {
  const people = await peopleApi()
  const owner = await people.newcomer('owner@example.com', 'Olga')
  const workspace = owner.workspaceId
  const as = ({ browser }: typeof owner) => ({
    call: (method: string, path: string, body?: unknown) =>
      browser.api(method, path, { workspace, ...(body === undefined ? {} : { body }) }),
  })
  const { call } = as(owner)
  const members = async () => listed.parse((await call('GET', '/members')).body).data
  const invite = async (email: string, role = 'member') => {
    const answer = await call('POST', '/invitations', { email, role })
    assert.equal(answer.status, 201, answer.text)
    const letter = await people.mailTo(email.toLowerCase(), /You have been invited/)
    assert.equal(letter.path, '/invitation')
    return { letter, token: letter.parameters.get('token') ?? '' }
  }

  it('an invitation by mail makes a member of the person who has the address, once', async () => {
    const guest = await people.newcomer('guest@example.com', 'Gus')
    const thief = await people.newcomer('thief@example.com')
    const { token, letter } = await invite('Guest@Example.com', 'viewer')
    assert.match(letter.mail, /owner@example\.com has invited you/)
    const accept = ({ browser }: typeof guest) => browser.api('POST', '/invitations/accept', { body: { token } })
    const stolen = await accept(thief)
    assert.deepEqual([stolen.status, codeOf(stolen)], [403, 'wrong_person'])
    assert.equal((await as(guest).call('GET', '/monitors')).status, 401)
    const answers = await Promise.all([accept(guest), accept(guest), accept(guest)])
    assert.deepEqual(statusesOf(answers), [200, 404, 404])
    assert.equal((await as(guest).call('GET', '/monitors')).status, 200)
    assert.deepEqual(
      (await members()).map(({ email, role }) => [email, role]),
      [
        ['owner@example.com', 'owner'],
        ['guest@example.com', 'viewer'],
      ],
    )
    const own = await guest.browser.api('GET', '/workspaces')
    assert.match(own.text, /"role":"owner".*"role":"viewer"/)
  })

  it('an invitation signs up whoever has no account, without another mail', async () => {
    const { token } = await invite('new@example.com')
    const browser = people.browser()
    const shown = await browser.auth('POST', '/invitation', { token })
    assert.deepEqual(shown.body, {
      email: 'new@example.com',
      role: 'member',
      workspace: 'My workspace',
      invited_by: 'owner@example.com',
      has_account: false,
    })
    const weak = await browser.auth('POST', '/invitation/sign-up', { token, name: 'Nina', password: 'short' })
    assert.equal(weak.status, 400)
    const signedUp = await browser.auth('POST', '/invitation/sign-up', { token, name: 'Nina', password })
    assert.equal(signedUp.status, 200, signedUp.text)
    const own = await browser.api('GET', '/workspaces')
    assert.match(
      own.text,
      new RegExp(`^{"data":\\[{"id":"${workspace}","name":"My workspace","plan":"free","role":"member"}\\]}$`),
    )
    assert.equal(
      (await people.browser().auth('POST', '/sign-in/email', { email: 'new@example.com', password })).status,
      200,
    )
    assert.equal((await browser.auth('POST', '/invitation', { token })).status, 404)
    assert.equal((await browser.auth('POST', '/invitation/sign-up', { token, name: 'Nina', password })).status, 404)
  })

  it('an invitation ends by another one, by being revoked, and after 7 days', async () => {
    const shown = (token: string) => people.browser().auth('POST', '/invitation', { token })
    const first = await invite('ends@example.com')
    const second = await invite('ends@example.com')
    assert.deepEqual([(await shown(first.token)).status, (await shown(second.token)).status], [404, 200])
    const waiting = await call('GET', '/invitations')
    const [one, ...others] = listed.parse(waiting.body).data
    assert.deepEqual([one?.email, others.length], ['ends@example.com', 0])
    assert.doesNotMatch(waiting.text, new RegExp(second.token))
    const { browser: stranger, workspaceId: elsewhere } = await people.newcomer('revoker@example.com')
    assert.equal((await stranger.api('DELETE', `/invitations/${one?.id}`, { workspace: elsewhere })).status, 404)
    assert.equal((await call('DELETE', `/invitations/${one?.id}`)).status, 204)
    assert.equal((await call('DELETE', `/invitations/${one?.id}`)).status, 404)
    assert.equal((await shown(second.token)).status, 404)
    const third = await invite('ends@example.com')
    await people.api.database.pool.query(`update invitations set expires_at = now() - interval '1 second'`)
    assert.equal((await shown(third.token)).status, 404)
    assert.deepEqual(listed.parse((await call('GET', '/invitations')).body).data, [])
  })

  it('an invitation is refused to members, to what is no address, and beyond three mails a day to a mailbox', async () => {
    const refused = await call('POST', '/invitations', { email: 'OWNER@example.com', role: 'member' })
    assert.deepEqual([refused.status, codeOf(refused)], [422, 'validation_failed'])
    assert.equal((await call('POST', '/invitations', { email: 'nobody', role: 'member' })).status, 422)
    assert.equal((await call('POST', '/invitations', { email: 'a@example.com', role: 'king' })).status, 422)
    for (let count = 0; count < 3; count += 1) await invite('often@example.com')
    const often = await call('POST', '/invitations', { email: 'often@example.com', role: 'member' })
    assert.deepEqual([often.status, codeOf(often)], [429, 'rate_limited'])
  })

  it('the last owner neither leaves nor becomes less, also when two go at once', async () => {
    const crowd = await people.newcomer('crowd@example.com')
    const other = await people.newcomer('other@example.com')
    const space = crowd.workspaceId
    const leave = (who: typeof crowd) => who.browser.api('DELETE', `/members/${who.personId}`, { workspace: space })
    const alone = await leave(crowd)
    assert.deepEqual([alone.status, codeOf(alone)], [422, 'last_owner'])
    const demotion = await crowd.browser.api('PATCH', `/members/${crowd.personId}`, {
      workspace: space,
      body: { role: 'viewer' },
    })
    assert.deepEqual([demotion.status, codeOf(demotion)], [422, 'last_owner'])
    await crowd.browser.api('POST', '/invitations', {
      workspace: space,
      body: { email: 'other@example.com', role: 'owner' },
    })
    const { parameters } = await people.mailTo('other@example.com', /You have been invited/)
    const body = { token: parameters.get('token') ?? '' }
    assert.equal((await other.browser.api('POST', '/invitations/accept', { body })).status, 200)
    const answers = await Promise.all([leave(crowd), leave(other)])
    assert.deepEqual(statusesOf(answers), [204, 422])
    const left = await people.api.database.pool.query('select role from members where workspace_id = $1', [space])
    assert.deepEqual(left.rows, [{ role: 'owner' }])
  })

  it('nobody is found who is not there', async () => {
    assert.equal((await call('PATCH', `/members/${randomUUID()}`, { role: 'viewer' })).status, 404)
    assert.equal((await call('DELETE', `/members/${randomUUID()}`)).status, 404)
  })
})
