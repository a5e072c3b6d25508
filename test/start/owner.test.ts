import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Perigee, spawnPerigee } from '../support/perigee-process.ts'
import { type ServiceFolder, serviceFolder } from '../support/service-folder.ts'

const password = 'correct horse battery'

describe('the owner of an installation', () => {
  it('signs up by the link that the first start prints, once', async () => {
    const folder = serviceFolder()
    const first = await start(folder)
    const [, link = ''] = await first.perigee.printed(/works once, for 24 hours\): (http:\S+)\n/)
    assert.ok(link.startsWith(`${first.url}/set-up#token=`), link)
    const body = { token: tokenOf(link), email: 'owner@example.com', name: 'Olga', password }
    const answer = await ask(first.url, '/auth/set-up', body)
    assert.deepEqual([answer.status, (await ask(first.url, '/auth/set-up', body)).status], [200, 400])
    const cookie = answer.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ')
    const own = await fetch(`${first.url}/api/v1/workspaces`, {
      headers: { Cookie: cookie, 'X-Perigee-Workspace': 'mine' },
    })
    assert.match(await own.text(), /"name":"Perigee","plan":"pro","role":"owner"/)
    const link2 = (await run(folder, 'workspace', 'setup-link')).trim()
    assert.ok(link2.startsWith(`${first.url}/set-up#token=`), link2)
    const second = { ...body, token: tokenOf(link2), email: 'second@example.com' }
    assert.equal((await ask(first.url, '/auth/set-up', second)).status, 200)
    await stops(first.perigee)
    const again = await start(folder)
    assert.doesNotMatch(again.perigee.stdout(), /set-up/)
    assert.equal((await ask(again.url, '/auth/sign-in/email', { email: 'owner@example.com', password })).status, 200)
    await stops(again.perigee)
  })

  it('is the one that PERIGEE_OWNER_EMAIL and _PASSWORD name', async () => {
    const folder = serviceFolder()
    const environment = { PERIGEE_OWNER_EMAIL: 'Owner@Example.com', PERIGEE_OWNER_PASSWORD: password }
    const { perigee, url } = await start(folder, environment)
    await perigee.printed(/Press Ctrl-C to stop/)
    assert.doesNotMatch(perigee.stdout(), /set-up/)
    assert.equal((await ask(url, '/auth/sign-in/email', { email: 'owner@example.com', password })).status, 200)
    await stops(perigee)
    assert.ok(!`${perigee.stdout()}${perigee.stderr()}`.includes(password))
  })
})

async function start(
  folder: ServiceFolder,
  more: Record<string, string> = {},
): Promise<{ perigee: Perigee; url: string }> {
  const perigee = folder.start({ PERIGEE_PROBER_THREADS: '1', ...more })
  const [, url = ''] = await perigee.printed(/^Perigee is at (http:\/\/127\.0\.0\.1:\d+)$/m)
  return { perigee, url }
}

async function run({ dataFolder }: ServiceFolder, ...args: string[]): Promise<string> {
  const perigee = spawnPerigee({ args, environment: { PERIGEE_DATA_DIR: dataFolder } })
  assert.equal(await perigee.ended(), 0, perigee.stderr())
  return perigee.stdout()
}

async function stops(perigee: Perigee): Promise<void> {
  perigee.child.kill('SIGTERM')
  assert.equal(await perigee.ended(), 0, perigee.stderr())
}

function tokenOf(link: string): string {
  return new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? ''
}

function ask(url: string, path: string, body: Record<string, string>): Promise<Response> {
  const headers = { 'Content-Type': 'application/json', Origin: url }
  return fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body), signal: AbortSignal.timeout(30_000) })
}
