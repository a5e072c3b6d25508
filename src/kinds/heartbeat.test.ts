import assert from 'node:assert/strict'
import { it } from 'node:test'
import { checkOnce } from '../../test/support/check.ts'
import { heartbeat } from './heartbeat.ts'

it('a heartbeat has no options and no target, and nobody checks it', async () => {
  assert.equal(heartbeat.options.safeParse({}).success, true)
  assert.equal(
    heartbeat.targetProblem('anything', () => true),
    null,
  )
  assert.equal(heartbeat.isPassive, true)
  await assert.rejects(checkOnce(heartbeat, { url: '' }), TypeError)
})
