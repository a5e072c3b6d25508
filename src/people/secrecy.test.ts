import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { createSetUpToken } from '#store/people/set-up-links.ts'
import { password, peopleApi } from '../../test/support/people.ts'
import { dumpOf, findSecrets } from '../../test/support/secret-search.ts'
import { until } from '../../test/support/until.ts'

describe('passwords, tokens and links', async () => {
  const people = await peopleApi()
  const { api, browser, mailTo, newcomer } = people

  it('are in no table and in no line of the log', async () => {
    const secrets = new Map<string, string>([['password', password]])
    const owner = await newcomer('owner@example.com')
    const { workspaceId: workspace } = owner
    const anybody = browser()
    for (const path of ['/sign-in/magic-link', '/request-password-reset'])
      await anybody.auth('POST', path, { email: 'owner@example.com' })
    await anybody.auth('POST', '/sign-up/email', {
      email: 'new@example.com',
      name: 'New',
      password: 'another password',
    })
    await anybody.auth('POST', '/sign-in/email', { email: 'owner@example.com', password: 'mistyped password' })
    secrets.set('another password', 'another password').set('mistyped password', 'mistyped password')
    for (const subject of [/Your sign-in link/, /Choose a new password/])
      secrets.set(subject.source, (await mailTo('owner@example.com', subject)).parameters.get('token') ?? '')
    secrets.set('verification', (await mailTo('new@example.com', /Confirm/)).parameters.get('token') ?? '')
    const call = (path: string, body: unknown) => owner.browser.api('POST', path, { workspace, body })
    const { token } = z
      .object({ token: z.string() })
      .parse((await call('/api-tokens', { name: 'x', scope: 'read' })).body)
    secrets.set('API token', token)
    await call('/invitations', { email: 'guest@example.com', role: 'viewer' })
    secrets.set('invitation', (await mailTo('guest@example.com', /invited/)).parameters.get('token') ?? '')
    secrets.set('set-up link', await createSetUpToken(api.database, { workspaceId: workspace, now: new Date() }))
    const enabled = await owner.browser.auth('POST', '/two-factor/enable', { password })
    const { totpURI, backupCodes } = z
      .object({ totpURI: z.string(), backupCodes: z.array(z.string()) })
      .parse(enabled.body)
    secrets.set('app secret', new URL(totpURI).searchParams.get('secret') ?? '')
    for (const code of backupCodes) secrets.set(`backup code ${code}`, code)
    for (const [name, value] of owner.browser.cookies)
      secrets.set(`cookie ${name}`, value).set(`cookie ${name}, decoded`, decodeURIComponent(value))

    const dump = await dumpOf(api.database.pool)
    const log = JSON.stringify([people.log, people.logged, api.errors])
    assert.match(dump['people."user"'] ?? '', /owner@example\.com/)
    for (const [name, secret] of secrets) assert.ok(secret.length >= 8, name)
    const named = new Map(Array.from(secrets, ([name, secret]) => [secret, name]))
    assert.deepEqual(findSecrets(named, { ...dump, log }), [])
  })

  it('lie sealed in the job queue while a mail waits', async () => {
    people.server.refuse({ message: () => ({ code: 451, text: 'Later' }) })
    const asked = { email: 'waits@example.com', name: 'W', password }
    assert.equal((await browser().auth('POST', '/sign-up/email', asked)).status, 200)
    let payloads: string[] = []
    await until('a mail waits', async () => {
      const statement = 'select payload::text from graphile_worker._private_jobs'
      const { rows } = await api.database.pool.query<{ payload: string }>(statement)
      payloads = rows.map(({ payload }) => payload)
      return payloads.length > 0
    })
    for (const payload of payloads) {
      assert.match(payload, /"notice": ?"person_mail"/)
      assert.doesNotMatch(payload, /waits@example\.com|token/)
    }
    people.server.refuse({})
  })
})
