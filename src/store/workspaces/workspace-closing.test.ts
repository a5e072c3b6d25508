import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { agentsAt, alice, textOf } from '../../../test/support/agents.ts'
import { engineBench, failing, only } from '../../../test/support/engine.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { until } from '../../../test/support/until.ts'
import { restoreWorkspace, revokeWorkspace } from './workspace-closing.ts'

const quick = { interval_seconds: 10, failure_threshold: 1, locations: ['amsterdam'] }

describe('a workspace that is revoked', async () => {
  const bench = await engineBench()
  const { api, database } = bench
  const agents = agentsAt(api, null)
  const statusOf = async (id: string) =>
    database.query
      .selectFrom('monitors')
      .select(['status', 'pause_reason'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()

  it('ends its tokens and agents, stops its checks, and starts them again when it is restored', async () => {
    const { workspaceId, token } = await api.addWorkspace()
    const { body } = await agents.identity({ type: 'service_auth', login_hint: alice.email })
    await agents.complete(body['claim'], { workspaceId })
    const { body: granted } = await agents.poll(textOf(body, 'claim_token'))
    const agentToken = textOf(granted, 'access_token')
    const running = await createMonitor(api, quick, token)
    const paused = await createMonitor(api, { ...quick, name: 'Paused' }, token)
    await api.post(`/monitors/${paused.id}/pause`, undefined, { token })
    await bench.answer(only(await bench.taken(running.id, ['amsterdam'])), failing)
    const incidents = () =>
      database.query.selectFrom('incidents').selectAll().where('monitor_id', '=', running.id).execute()
    await until('an incident', async () => (await incidents()).length === 1)
    assert.equal(await agents.account(agentToken), 200)

    assert.equal(await revokeWorkspace(database, { workspaceId, at: new Date() }), 1)
    assert.equal(await agents.account(token), 401)
    assert.equal(await agents.account(agentToken), 401)
    assert.equal((await agents.exchange(textOf(granted, 'identity_assertion'))).body['error'], 'invalid_grant')
    assert.deepEqual(await statusOf(running.id), { status: 'paused', pause_reason: 'workspace_revoked' })
    assert.equal((await incidents())[0]?.status, 'resolved')
    // No notice reaches the engine: it compares sums with the table every ten seconds.
    await until('the engine to let go of it', async () => bench.engine.watching === 0, 30_000)
    assert.equal(await revokeWorkspace(database, { workspaceId, at: new Date() }), null, 'it is closed already')

    assert.equal(await restoreWorkspace(database, { workspaceId, at: new Date() }), 1)
    assert.deepEqual(await statusOf(running.id), { status: 'enabled', pause_reason: null })
    assert.deepEqual(await statusOf(paused.id), { status: 'paused', pause_reason: null }, 'its owner had paused it')
    assert.equal(await agents.account(token), 401, 'tokens stay ended')
    assert.equal(await restoreWorkspace(database, { workspaceId, at: new Date() }), null, 'it is open')
    const entries = await database.query
      .selectFrom('audit_entries')
      .select(['action', 'actor_kind'])
      .where('workspace_id', '=', workspaceId)
      .where('actor_kind', '=', 'operator')
      .orderBy('position')
      .execute()
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['revoke_workspace', 'restore_workspace'],
    )
  })

  it('is not the same as one that was taken over, which stays closed', async () => {
    const { body } = await agents.identity({ type: 'anonymous' })
    const workspace = body['workspace']
    assert.ok(typeof workspace === 'object' && workspace !== null && 'id' in workspace)
    const workspaceId = String(workspace.id)
    const started = await agents.claim({ claim_token: textOf(body, 'claim_token'), email: alice.email })
    await agents.complete(started.body['claim_attempt'])
    assert.equal(await restoreWorkspace(database, { workspaceId, at: new Date() }), null)
    assert.equal(await revokeWorkspace(database, { workspaceId, at: new Date() }), null)
  })
})
