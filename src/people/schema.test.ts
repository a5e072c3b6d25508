import assert from 'node:assert/strict'
import { it } from 'node:test'
import { getMigrations } from 'better-auth/db/migration'
import { testApi } from '../../test/support/api.ts'
import { createAuth } from './auth.ts'
import { authKeysOf } from './auth-keys.ts'

it('our migration gives better-auth the tables and columns that it wants', async () => {
  const { services, frame } = await testApi()
  const unasked = { countSignIn: assert.fail, countPassword: assert.fail, countMail: assert.fail }
  const limits = { ...unasked, countAccount: assert.fail, countMailbox: assert.fail }
  const log = { debug: () => {}, warn: () => {}, error: () => {} }
  const auth = createAuth(
    { ...services, limits, admission: frame.admission, log, now: () => new Date() },
    authKeysOf(services.secrets, null),
  )
  const { toBeCreated, toBeAdded } = await getMigrations(auth.options)
  assert.deepEqual({ toBeCreated, toBeAdded }, { toBeCreated: [], toBeAdded: [] })
})
