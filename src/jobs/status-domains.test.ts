import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { z } from 'zod'
import { type StatusPageRecord, statusPageSchema } from '#core/status-pages/status-page.ts'
import { createNet } from '#net/create-net.ts'
import { addMember } from '#store/people/members.ts'
import { forgetReleased } from '#store/status-pages/page-domains.ts'
import { createWorkspace } from '#store/workspaces/workspaces.ts'
import { dnsServer } from '../../test/support/dns-server.ts'
import { zoneReply } from '../../test/support/dns-zone.ts'
import { testCarriers } from '../../test/support/jobs.ts'
import { refusalOf } from '../../test/support/monitors.ts'
import { peopleApi } from '../../test/support/people.ts'
import { visit } from '../../test/support/status.ts'
import { until } from '../../test/support/until.ts'
import { proveDomains } from './status-domains.ts'

const pageOf = z.object({ data: statusPageSchema })
const dayMs = 86_400_000
const domain = 'status.acme.example'
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** An installation with two workspaces of one person, and a name server with records that a test may add. */
async function installation(signUp: 'open' | 'invited') {
  const people = await peopleApi()
  const { api } = people
  const { database, workspaceId: ours } = api
  const { browser, personId } = await people.newcomer('olivia@example.com', 'Olivia')
  api.services.signUp = signUp
  const theirs = crypto.randomUUID()
  await createWorkspace(database, { id: theirs, name: 'Theirs', plan: 'pro' })
  for (const workspaceId of [ours, theirs])
    await database.transaction((tx) => addMember(tx, { workspaceId, personId, role: 'member', at: new Date() }))
  const zone: Record<string, string[]> = {}
  const server = await dnsServer((name, type) => zoneReply(zone)(name, type))
  const carriers = testCarriers({ net: createNet({ allowPrivate: [], dnsServers: [server.address] }) })
  const ask = (workspace: string, asked: string, body?: unknown) => {
    const [method = '', path = ''] = asked.split(' ')
    return browser.api(method, path, { workspace, ...(body === undefined ? {} : { body }) })
  }
  return {
    api,
    database,
    ours,
    theirs,
    zone,
    server,
    ask,
    make: async (workspace: string, slug: string): Promise<StatusPageRecord> =>
      pageOf.parse((await ask(workspace, 'POST /status-pages', { title: 'Acme', slug, domain })).body).data,
    shown: async (workspace: string, id: string): Promise<StatusPageRecord> =>
      pageOf.parse((await ask(workspace, `GET /status-pages/${id}`)).body).data,
    prove: (afterMs = 0) =>
      proveDomains(
        { database, carriers, log, now: () => new Date(Date.now() + afterMs) },
        new AbortController().signal,
      ),
    isServed: async () =>
      (await visit(api, '/', { host: domain })).text.includes('Acme') &&
      (await visit(api, `/status-domain?domain=${domain}`)).status === 200,
    record: (workspace: string) => ({ name: `_perigee.${domain}`, value: `perigee-workspace=${workspace}` }),
  }
}

describe('the domain of a status page, where strangers sign up', async () => {
  const here = await installation('open')
  const { database, ours, theirs, zone, server, ask, make, shown, prove, isServed, record } = here

  afterEach(async () => {
    for (const key of Object.keys(zone)) delete zone[key]
    await database.pool.query('delete from status_pages')
    await database.pool.query('delete from status_domains_released')
  })

  it('is served only once a record says that it is of this workspace', async () => {
    const page = await make(ours, 'ours')
    assert.deepEqual([page.domain_state, page.domain_record], ['waiting', record(ours)])
    await prove()
    zone[`TXT ${record(ours).name}`] = [record(theirs).value, 'v=spf1 -all']
    await prove(3 * 60_000)
    assert.deepEqual([(await shown(ours, page.id)).domain_state, await isServed()], ['waiting', false])
    zone[`TXT ${record(ours).name}`] = ['v=spf1 -all', record(ours).value]
    const asked = server.questions.length
    await prove(4 * 60_000)
    assert.equal(server.questions.length, asked, 'it was looked up a minute before')
    await prove(6 * 60_000)
    await until('the page to be there', isServed)
    const proven = await shown(ours, page.id)
    assert.deepEqual([proven.domain_state, proven.domain_record], ['proven', null])
    assert.equal((await ask(ours, `PATCH /status-pages/${page.id}`, { title: 'Acme Ltd', domain })).status, 200)
    assert.equal((await shown(ours, page.id)).domain_state, 'proven')
  })

  it('is kept from nobody by whoever only says that it is theirs', async () => {
    const squatted = await make(theirs, 'theirs')
    const page = await make(ours, 'ours')
    zone[`TXT ${record(ours).name}`] = [record(ours).value]
    await prove()
    assert.deepEqual(
      [(await shown(ours, page.id)).domain_state, (await shown(theirs, squatted.id)).domain_state],
      ['proven', 'waiting'],
    )
    zone[`TXT ${record(ours).name}`] = [record(theirs).value]
    await prove(3 * 60_000)
    assert.equal((await shown(theirs, squatted.id)).domain_state, 'waiting')
    const another = await ask(theirs, 'POST /status-pages', { title: 'More', slug: 'more', domain })
    assert.deepEqual(refusalOf(another), [422, 'validation_failed', 'domain'])
    const renamed = await ask(theirs, `PATCH /status-pages/${squatted.id}`, { title: 'Renamed', domain })
    assert.equal(pageOf.parse(renamed.body).data.domain_state, 'waiting')
  })

  it('is proven anew when it is another one', async () => {
    const page = await make(ours, 'ours')
    zone[`TXT ${record(ours).name}`] = [record(ours).value]
    await prove()
    const changed = await ask(ours, `PATCH /status-pages/${page.id}`, { domain: 'other.acme.example' })
    assert.equal(pageOf.parse(changed.body).data.domain_state, 'waiting')
    await until('the page to be gone', async () => !(await isServed()))
  })

  for (const [how, giveUp] of [
    ['its page is deleted', (id: string) => ask(theirs, `DELETE /status-pages/${id}`)],
    ['its page has another one', (id: string) => ask(theirs, `PATCH /status-pages/${id}`, { domain: null })],
  ] as const)
    it(`is nobody else's for thirty days after ${how}`, async () => {
      const page = await make(theirs, 'theirs')
      const waiting = await make(ours, 'ours')
      zone[`TXT ${record(theirs).name}`] = [record(theirs).value, record(ours).value]
      // Whichever of both is first: the other workspace has to be it here.
      await database.pool.query('update status_pages set domain_checked_at = now() where id = $1', [waiting.id])
      await prove()
      assert.equal((await shown(theirs, page.id)).domain_state, 'proven')
      await giveUp(page.id)
      await prove(3 * 60_000)
      assert.equal((await shown(ours, waiting.id)).domain_state, 'waiting')
      const again = await ask(ours, 'POST /status-pages', { title: 'More', slug: 'more', domain })
      assert.deepEqual(refusalOf(again), [422, 'validation_failed', 'domain'])
      assert.equal(await forgetReleased(database, new Date(Date.now() + 29 * dayMs)), 0)
      await prove(31 * dayMs)
      assert.equal((await shown(ours, waiting.id)).domain_state, 'proven')
      assert.equal(await forgetReleased(database, new Date(Date.now() + 31 * dayMs)), 1)
    })

  it('comes back to who gave it up', async () => {
    const page = await make(ours, 'ours')
    zone[`TXT ${record(ours).name}`] = [record(ours).value]
    await prove()
    await ask(ours, `DELETE /status-pages/${page.id}`)
    const again = await make(ours, 'again')
    await prove()
    assert.equal((await shown(ours, again.id)).domain_state, 'proven')
  })
})

describe('the domain of a status page, where people are invited', async () => {
  const { api, database, ours, theirs, ask, make, isServed } = await installation('invited')

  it('that waited when strangers could sign up is proven with the next change', async () => {
    api.services.signUp = 'open'
    const page = await make(ours, 'waiting')
    api.services.signUp = 'invited'
    assert.equal(page.domain_state, 'waiting')
    const changed = await ask(ours, `PATCH /status-pages/${page.id}`, { title: 'Acme Ltd' })
    assert.equal(pageOf.parse(changed.body).data.domain_state, 'proven')
    await ask(ours, `DELETE /status-pages/${page.id}`)
  })

  it('needs no record, and is of one page', async () => {
    const page = await make(ours, 'ours')
    assert.deepEqual([page.domain_state, page.domain_record, await isServed()], ['proven', null, true])
    const refused = await ask(theirs, 'POST /status-pages', { title: 'More', slug: 'more', domain })
    assert.deepEqual(refusalOf(refused), [422, 'validation_failed', 'domain'])
    await ask(ours, `PATCH /status-pages/${page.id}`, { domain: null })
    const lately = await ask(theirs, 'POST /status-pages', { title: 'More', slug: 'more', domain })
    assert.deepEqual(refusalOf(lately), [422, 'validation_failed', 'domain'])
    await database.pool.query(`update status_domains_released set released_at = now() - interval '31 days'`)
    assert.equal((await make(theirs, 'more')).domain_state, 'proven')
  })
})
