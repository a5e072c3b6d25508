import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hashPassword } from '#operations/status-pages/page-password.ts'
import { updateStatusPage } from '#store/status-pages/status-pages.ts'
import { testApi } from '../../test/support/api.ts'
import { addImage, addPage, visit } from '../../test/support/status.ts'
import { until } from '../../test/support/until.ts'

describe('a page that is not for everybody', async () => {
  let time = new Date('2026-11-21T10:00:00Z')
  const rates = { signIns: { perMinute: 100, passwordsPerQuarterHour: 5, mailsPerHour: 5 } }
  const api = await testApi({ now: () => time, rates })
  const { database, workspaceId } = api
  const passwordHash = await hashPassword('open sesame')
  const page = await addPage(database, {
    workspaceId,
    slug: 'inside',
    title: 'Inner life',
    visibility: 'password',
    passwordHash,
  })
  const give = (password: string, address = '192.0.2.1') =>
    visit(api, '/status/inside/password', {
      method: 'POST',
      body: new URLSearchParams({ password }).toString(),
      address,
    })

  it('asks for a password and tells nothing before', async () => {
    for (const path of ['', '/history', '/embed']) {
      const { status, text, headers } = await visit(api, `/status/inside${path}`)
      assert.equal(status, 403)
      assert.match(text, /type="password"/)
      assert.doesNotMatch(text, /Inner life/)
      assert.equal(headers.get('cache-control'), 'no-store')
    }
    for (const path of ['.json', '/feed.atom', '/badge.svg']) {
      const { status, text } = await visit(api, `/status/inside${path}`)
      assert.deepEqual([status, text.includes('Inner life')], [404, false], path)
    }
  })

  it('lets in who knows it, until it is another one', async () => {
    const wrong = await give('open sesam')
    assert.deepEqual([wrong.status, cookieOf(wrong)], [403, ''])
    assert.match(wrong.text, /This is not the password/)
    const right = await give('open sesame')
    assert.deepEqual([right.status, right.headers.get('location')], [303, '/status/inside'])
    const [cookie = ''] = right.headers.getSetCookie()
    for (const rule of [/HttpOnly/, /SameSite=Lax/, /Path=\/status\/inside/, /Max-Age=2592000/])
      assert.match(cookie, rule)
    const read = (Cookie: string) => visit(api, '/status/inside', { headers: { Cookie } })
    const inside = await read(cookieOf(right))
    assert.equal(inside.status, 200)
    assert.match(inside.text, /Inner life/)
    assert.equal(inside.headers.get('cache-control'), 'private, no-store')
    const json = await visit(api, '/status/inside.json', { headers: { Cookie: cookieOf(right) } })
    assert.deepEqual([json.status, json.headers.get('access-control-allow-origin')], [200, null])
    for (const forged of [`${cookieOf(right)}x`, cookieOf(right).replace(/=\d/, '=9'), 'perigee_status_x=1'])
      assert.equal((await read(forged)).status, 403, forged)
    const before = time
    time = new Date(time.getTime() + 31 * 86_400_000)
    assert.equal((await read(cookieOf(right))).status, 403)
    time = before
    await database.transaction(async (tx) =>
      updateStatusPage(tx, { ...page, passwordHash: await hashPassword('another one') }),
    )
    await until('the change is seen', async () => (await read(cookieOf(right))).status === 403)
  })

  it('has its pictures behind the password too', async () => {
    const { bytes, hash } = await addImage(database, page, 'logo')
    const address = `/status/inside/images/${hash}.png`
    const stranger = await visit(api, address)
    assert.deepEqual([stranger.status, stranger.headers.get('content-type')], [404, 'text/html; charset=utf-8'])
    const right = await give('another one', '198.51.100.9')
    const see = () => visit(api, address, { headers: { Cookie: cookieOf(right) } })
    await until('the page has its logo', async () => (await see()).status === 200)
    const seen = await see()
    assert.deepEqual([seen.status, seen.headers.get('cache-control')], [200, 'private, no-store'])
    assert.equal(seen.headers.get('content-length'), String(bytes.length))
    const door = await visit(api, '/status/inside')
    assert.deepEqual([door.status, door.text.includes(hash)], [403, false])
  })

  it('lets nobody guess', async () => {
    const tries = []
    for (let count = 0; count < 7; count += 1) tries.push((await give('guess', '198.51.100.7')).status)
    assert.deepEqual(tries, [403, 403, 403, 403, 403, 429, 429])
    assert.equal((await give('another one', '198.51.100.7')).status, 429)
    assert.equal((await give('another one', '198.51.100.8')).status, 303)
  })

  it('is not there as a draft', async () => {
    const draft = await addPage(database, {
      workspaceId,
      slug: 'draft',
      domain: 'draft.example.com',
      visibility: 'draft',
    })
    const { hash } = await addImage(database, draft, 'favicon')
    for (const path of [`/images/${hash}.png`, '', '/embed', '/history', '.json', '/feed.rss', '/badge.svg'])
      assert.equal((await visit(api, `/status/draft${path}`)).status, 404, path)
    assert.equal((await visit(api, '/', { host: draft.domain ?? '' })).status, 404)
    assert.equal((await visit(api, '/status-domain?domain=draft.example.com')).status, 404)
  })
})

function cookieOf({ headers }: { headers: Headers }): string {
  return headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
}
