import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { StartError } from '#store/database/start-error.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import { testApi } from '../../test/support/api.ts'
import { changeClosing } from './workspace-closing.ts'

describe('perigee workspace revoke and restore', async () => {
  const api = await testApi()
  const change = (verb: 'revoke' | 'restore', workspaceId: string): Promise<string> =>
    changeClosing(api.database, { verb, workspaceId }, new Date())

  it('tell the operator what became of the workspace', async () => {
    const { workspaceId, token } = await api.addWorkspace()
    await createMonitor(api, {}, token)
    assert.equal(await change('revoke', workspaceId), 'The workspace "Another" is revoked; 1 monitor is paused.\n')
    assert.equal((await api.get('/account', { token })).status, 401)
    await assert.rejects(change('revoke', workspaceId), new StartError('The workspace "Another" is already closed.'))
    assert.equal(await change('restore', workspaceId), 'The workspace "Another" is open again; 1 monitor is resumed.\n')
    await assert.rejects(change('restore', workspaceId), new StartError('The workspace "Another" is open.'))
  })

  it('name a workspace that there is not', async () =>
    assert.rejects(change('revoke', randomUUID()), /There is no workspace .* List them with/))
})
