import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bootstrap } from '#store/installation/bootstrap.ts'
import { createSetUpToken } from '#store/people/set-up-links.ts'
import { testDatabase } from '../../test/support/database.ts'
import { codeOf, password, peopleApi, signIn, statusesOf } from '../../test/support/people.ts'
import { createOwnerWatch } from '#operations/people/owner.ts'
import { ensureOwner } from './owner.ts'

const first = { token: null, plan: 'pro', locations: [{ code: 'local', name: 'This machine' }] }

describe('the set-up link', async () => {
  // With sign-up by invitation, the link is the only way to an account.
  const people = await peopleApi({ services: { signUp: 'invited' } })
  const { database, workspaceId } = people.api
  const link = () => createSetUpToken(database, { workspaceId, now: new Date() })
  const setUp = (token: string, email: string, browser = people.browser()) =>
    browser.auth('POST', '/set-up', { token, email, name: 'Olga', password })

  it('makes whoever opens it an owner, signed in and verified, once', async () => {
    const token = await link()
    const browser = people.browser()
    assert.equal((await browser.auth('POST', '/set-up', { token, email: 'nobody', name: 'O', password })).status, 400)
    assert.equal(
      (await browser.auth('POST', '/set-up', { token, email: 'o@example.com', name: 'O', password: 'short' })).status,
      400,
    )
    const answers = await Promise.all([
      setUp(token, 'Owner@Example.com', browser),
      ...Array.from({ length: 5 }, (_, index) => setUp(token, `other${index}@example.com`)),
    ])
    assert.deepEqual(statusesOf(answers), [200, 400, 400, 400, 400, 400])
    const { rows } = await database.pool.query('select role from members where workspace_id = $1', [workspaceId])
    assert.deepEqual(rows, [{ role: 'owner' }])
    const again = await setUp(token, 'late@example.com')
    assert.deepEqual([again.status, codeOf(again)], [400, 'INVALID_TOKEN'])
  })

  it('is waited for until somebody has opened it', async () => {
    const other = await peopleApi({ services: { signUp: 'invited' } })
    const isAwaited = createOwnerWatch(other.api.database)
    assert.deepEqual([await isAwaited(), await isAwaited()], [true, true])
    const token = await createSetUpToken(other.api.database, { workspaceId: other.api.workspaceId, now: new Date() })
    const browser = other.browser()
    const answer = await browser.auth('POST', '/set-up', { token, email: 'o@example.com', name: 'Olga', password })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual([await isAwaited(), await isAwaited()], [false, false])
  })

  it('opens the workspace it was made for', async () => {
    const browser = people.browser()
    assert.equal((await setUp(await link(), 'second@example.com', browser)).status, 200)
    const account = await browser.api('GET', '/account', { workspace: workspaceId })
    assert.match(account.text, /"plan":"pro"/)
    const other = people.browser()
    assert.equal((await signIn(other, 'second@example.com')).workspaceId, workspaceId)
    const entries = await other.api('GET', '/audit-entries', { workspace: workspaceId })
    assert.match(entries.text, /"kind":"operator","id":null,"name":"Set-up link"},"action":"set_up"/)
  })

  it('ends after 24 hours, and by the next one', async () => {
    const old = await createSetUpToken(database, { workspaceId, now: new Date(Date.now() - 24 * 3_600_000) })
    assert.equal((await setUp(old, 'old@example.com')).status, 400)
    const [one, two] = [await link(), await link()]
    assert.equal((await setUp(one, 'one@example.com')).status, 400)
    assert.equal((await setUp(two, 'two@example.com')).status, 200)
  })

  it('takes over nobody’s account, and is not used up by trying', async () => {
    const token = await link()
    const taken = await setUp(token, 'second@example.com')
    assert.deepEqual([taken.status, codeOf(taken)], [422, 'ACCOUNT_EXISTS'])
    assert.equal((await setUp(token, 'third@example.com')).status, 200)
  })
})

describe('PERIGEE_OWNER_EMAIL and _PASSWORD', async () => {
  it('make the owner once, however many processes start together, and change nothing later', async () => {
    const database = await testDatabase({ maxConnections: 8 })
    const { workspaceId, setUpToken } = await bootstrap(database, { ...first, isOwnerKnown: true, now: new Date() })
    assert.equal(setUpToken, null)
    const owner = { workspaceId, email: 'Root@Example.com', password, now: new Date() }
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => ensureOwner(database, owner)))
    assert.deepEqual(outcomes.toSorted(), ['made', 'present', 'present', 'present'])
    assert.equal(await ensureOwner(database, { ...owner, email: 'other@example.com' }), 'present')
    const { rows } = await database.pool.query(
      `select email, "emailVerified", role from members join people."user" p on p.id = person_id`,
    )
    assert.deepEqual(rows, [{ email: 'root@example.com', emailVerified: true, role: 'owner' }])
  })

  it('let the owner sign in at once', async () => {
    const people = await peopleApi({ services: { signUp: 'invited' }, hasCostlyPasswords: true })
    const { database, workspaceId } = people.api
    await ensureOwner(database, { workspaceId, email: 'root@example.com', password, now: new Date() })
    const browser = people.browser()
    assert.equal((await signIn(browser, 'root@example.com')).workspaceId, workspaceId)
    assert.equal((await browser.api('POST', '/workspaces', { body: { name: 'Second' } })).status, 201)
  })

  it('do not make an owner of somebody who signed up with that address', async () => {
    const people = await peopleApi()
    await people.newcomer('root@example.com')
    const { database, workspaceId } = people.api
    const owner = { workspaceId, email: 'root@example.com', password, now: new Date() }
    assert.equal(await ensureOwner(database, owner), 'taken')
    const { rowCount } = await database.pool.query('select from members where workspace_id = $1', [workspaceId])
    assert.equal(rowCount, 0)
  })
})

describe('the first start', async () => {
  it('makes a set-up link where no owner is configured, and later starts make none', async () => {
    const database = await testDatabase()
    const { workspaceId, setUpToken } = await bootstrap(database, { ...first, now: new Date() })
    assert.match(setUpToken ?? '', /^[\w-]{43}$/)
    assert.equal((await bootstrap(database, { ...first, now: new Date() })).setUpToken, null)
    const { rows } = await database.pool.query('select workspace_id from set_up_links')
    assert.deepEqual(rows, [{ workspace_id: workspaceId }])
  })
})
