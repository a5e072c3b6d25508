import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import type { MemberRole } from '#core/people/person.ts'
import { addMember } from '#store/people/members.ts'
import type { Answer } from '../../../test/support/api.ts'
import { codeOf, peopleApi } from '../../../test/support/people.ts'
import { operations } from '#operations/index.ts'
import type { AnyOperation } from '#operations/pipeline/operation.ts'

type Who = MemberRole | 'stranger' | 'nobody' | 'write token' | 'read token'

/** How each of these is answered on an operation that would find nothing, or a body it refuses. */
const allowed = 'allowed'
type Verdict = typeof allowed | `${number} ${string}`

describe('who may do what', async () => {
  const people = await peopleApi()
  const { api } = people
  const owner = await people.newcomer('owner@example.com')
  const { workspaceId } = owner
  const [member, viewer, stranger] = [
    await people.newcomer('member@example.com'),
    await people.newcomer('viewer@example.com'),
    await people.newcomer('stranger@example.com'),
  ]
  const join = (personId: string, role: MemberRole) =>
    api.database.transaction((tx) => addMember(tx, { workspaceId, personId, role, at: new Date() }))
  await join(member.personId, 'member')
  await join(viewer.personId, 'viewer')
  const browsers = { owner, member, viewer, stranger }

  const ask = (who: Who, { method, path: pattern, body }: AnyOperation): Promise<Answer> => {
    const path = pattern.replaceAll('{id}', randomUUID())
    // No operation takes this body, so that nothing is changed by asking.
    const request = body === undefined ? {} : { body: { unknown: true } }
    switch (who) {
      case 'nobody':
        return people.browser().api(method, path, { ...request, workspace: workspaceId })
      case 'write token':
      case 'read token':
        return api.request(method, path, { ...request, token: who === 'write token' ? api.token : api.readToken })
      case 'owner':
      case 'member':
      case 'viewer':
      case 'stranger':
        return browsers[who].browser.api(method, path, { ...request, workspace: workspaceId })
    }
  }

  function expected(who: Who, operation: AnyOperation): Verdict {
    const { surface, scope, actsFor } = operation
    const isToken = who === 'write token' || who === 'read token'
    if (who === 'nobody') return actsFor === 'person' ? '401 not_signed_in' : '401 missing_api_key'
    if (isToken && surface === 'console') return '401 session_required'
    if (actsFor === 'person') return allowed
    if (who === 'stranger') return '401 not_a_member'
    if (scope === 'write' && (who === 'read token' || who === 'viewer')) return '403 insufficient_scope'
    if (operation.role === 'owner' && !isToken && who !== 'owner') return '403 insufficient_role'
    return allowed
  }

  // This operation needs neither a body nor an id, so asking would carry it out; another test asks for it.
  const effective = new Set(['delete_workspace'])
  const everybody: Who[] = ['owner', 'member', 'viewer', 'stranger', 'nobody', 'write token', 'read token']
  for (const operation of operations.filter(({ name }) => !effective.has(name)))
    it(`${operation.name} (${operation.method} ${operation.path})`, async () => {
      for (const who of everybody) {
        const answer = await ask(who, operation)
        const verdict = [401, 403].includes(answer.status) ? `${answer.status} ${codeOf(answer)}` : allowed
        assert.equal(verdict, expected(who, operation), `${who}: ${answer.text}`)
      }
    })

  it('is written down: these need an owner, these anybody who may write', () => {
    const inConsole = operations.filter(({ surface, actsFor }) => surface === 'console' && actsFor === 'workspace')
    const names = (role: 'owner' | undefined) =>
      inConsole.filter((operation) => operation.role === role).map(({ name }) => name)
    for (const name of [
      'list_api_tokens',
      'create_api_token',
      'revoke_api_token',
      'change_member_role',
      'create_invitation',
      'list_invitations',
      'revoke_invitation',
      'rename_workspace',
      'delete_workspace',
      'list_audit_entries',
      'read_installation',
    ])
      assert.ok(names('owner').includes(name), name)
    const spending = operations.filter(({ role, surface }) => role === 'owner' && surface === 'api')
    assert.deepEqual(spending.map(({ name }) => name).toSorted(), ['top_up_credit', 'update_billing_details'])
    for (const name of ['list_members', 'remove_member', 'get_plan_terms'])
      assert.ok(names(undefined).includes(name), name)
  })

  it('every operation of the API works with a session as with a token', async () => {
    const monitor = { name: 'Shop', kind: 'http', url: 'https://shop.example' }
    const { browser } = member
    const made = await browser.api('POST', '/monitors', { workspace: workspaceId, body: monitor })
    assert.equal(made.status, 201)
    const listed = await viewer.browser.api('GET', '/monitors', { workspace: workspaceId })
    assert.match(listed.text, /"name":"Shop"/)
    assert.match(listed.headers.get('ratelimit-limit') ?? '', /^\d+$/)
    const own = await member.browser.api('GET', '/monitors', { workspace: member.workspaceId })
    assert.equal(own.text, '{"data":[]}')
  })

  it('a role that was changed counts from the next request on', async () => {
    const other = await people.newcomer('demoted@example.com')
    await join(other.personId, 'owner')
    const tokens = () => other.browser.api('GET', '/api-tokens', { workspace: workspaceId })
    assert.equal((await tokens()).status, 200)
    const change = (role: MemberRole) =>
      owner.browser.api('PATCH', `/members/${other.personId}`, { workspace: workspaceId, body: { role } })
    assert.equal((await change('viewer')).status, 200)
    assert.equal((await tokens()).status, 403)
    assert.equal(
      (await other.browser.api('DELETE', `/members/${member.personId}`, { workspace: workspaceId })).status,
      403,
    )
    assert.equal(
      (await other.browser.api('DELETE', `/members/${other.personId}`, { workspace: workspaceId })).status,
      204,
    )
    assert.equal((await tokens()).status, 401)
  })
})
