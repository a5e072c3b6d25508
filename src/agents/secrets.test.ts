import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { agentsAt, publicUrl, readBlock, textOf } from '../../test/support/agents.ts'
import { startIssuer } from '../../test/support/issuer.ts'
import { createNet } from '#net/create-net.ts'
import { dumpOf, findSecrets } from '../../test/support/secret-search.ts'
import { password, peopleApi } from '../../test/support/people.ts'

describe('the secrets of agents and people', async () => {
  const issuer = await startIssuer(publicUrl)
  const net = createNet({ allowPrivate: 'all' })
  const people = await peopleApi({
    services: {
      agentIssuers: [{ issuer: issuer.issuer, jwksUri: issuer.jwksUri, name: 'Acme' }],
      carriers: { net, sendMail: () => assert.fail('operations send no mail here') },
    },
  })
  const agents = agentsAt(people.api, null)

  it('stand in no table and in no line of the log', async () => {
    const secrets: Record<string, string> = { password }
    const alice = await people.newcomer('alice@example.com', 'Alice')
    // Signed with the secret key: without its signature a session's token opens nothing.
    for (const [cookie, value] of alice.browser.cookies) secrets[`cookie ${cookie}`] = decodeURIComponent(value)
    const complete = async (block: unknown): Promise<void> => {
      const { userCode, attemptToken } = readBlock(block)
      const body = { claim_attempt_token: attemptToken, user_code: userCode }
      const done = await alice.browser.api('POST', '/claim-attempt/complete', { workspace: alice.workspaceId, body })
      assert.equal(done.status, 200, done.text)
    }
    const note = (what: string, body: Record<string, unknown>): void => {
      for (const member of ['claim_token', 'identity_assertion', 'access_token'])
        if (typeof body[member] === 'string') secrets[`${what} ${member}`] = body[member]
      const block = body['claim'] ?? body['claim_attempt']
      if (block !== undefined) {
        secrets[`${what} attempt token`] = readBlock(block).attemptToken
        secrets[`${what} user code`] = readBlock(block).userCode
      }
    }
    const asked = await agents.identity({ type: 'service_auth', login_hint: 'alice@example.com' })
    note('named', asked.body)
    await complete(asked.body['claim'])
    const granted = await agents.poll(textOf(asked.body, 'claim_token'))
    note('granted', granted.body)
    await agents.account(textOf(granted.body, 'access_token'))
    const assertion = await issuer.assertion(new Date())
    secrets['provider assertion'] = assertion
    const vouched = await agents.vouched(assertion)
    note('vouched', vouched.body)
    const anonymous = await agents.identity({ type: 'anonymous' })
    note('anonymous', anonymous.body)
    note('exchanged', (await agents.exchange(textOf(anonymous.body, 'identity_assertion'))).body)
    const started = await agents.claim({
      claim_token: textOf(anonymous.body, 'claim_token'),
      email: 'alice@example.com',
    })
    note('started', started.body)
    await complete(started.body['claim_attempt'])
    note('moved', (await agents.poll(textOf(anonymous.body, 'claim_token'))).body)
    assert.ok(Object.keys(secrets).length > 18, Object.keys(secrets).join(', '))

    const places: Record<string, string> = {
      ...(await dumpOf(people.api.database.pool)),
      log: JSON.stringify([people.log, people.logged, people.api.errors]),
    }
    assert.ok(Object.keys(places).length > 25)
    assert.ok(places['public.agent_registrations']?.includes('alice@example.com'), 'the dump shows what there is')
    const named = new Map(Object.entries(secrets).map(([what, secret]) => [secret, what]))
    assert.deepEqual(findSecrets(named, places), [])
  })
})
