import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { installationSchema } from '#core/people/access.ts'
import { monitorDetailSchema } from '#core/monitors/monitor-detail.ts'
import { type MonitorRecord, monitorInputSchema } from '#core/monitors/monitor.ts'
import { createGuard } from '#net/dial/guard.ts'
import { withOwnNetwork } from '#net/dial/own-network.ts'
import { writeSetting } from '#store/installation/settings.ts'
import { addMember } from '#store/people/members.ts'
import { readCheckConfigurations } from '#store/monitors/monitors.ts'
import { endPrivateTargets } from '#store/monitors/private-targets.ts'
import type { Answer } from '../../../test/support/api.ts'
import { type Browser, peopleApi } from '../../../test/support/people.ts'
import { monitorOf, refusalOf } from '../../../test/support/monitors.ts'

const installationAnswer = z.object({ data: installationSchema })
const own = withOwnNetwork({ allowPrivate: 'none' }, { ownPorts: [] })
const services = {
  isForbiddenAddress: createGuard('none').isForbiddenAddress,
  ownNetwork: createGuard(own.allowPrivate, own),
}

describe('allow_private_target', async () => {
  const people = await peopleApi({ services })
  const { api } = people
  const { database } = api
  const owner = await people.newcomer('owner@example.com')
  const member = await people.newcomer('member@example.com')
  const stranger = await people.newcomer('stranger@example.com')
  const { workspaceId } = api
  await database.transaction((tx) =>
    addMember(tx, { workspaceId, personId: owner.personId, role: 'owner', at: new Date() }),
  )
  await database.transaction((tx) =>
    addMember(tx, { workspaceId, personId: member.personId, role: 'member', at: new Date() }),
  )
  const router = { name: 'Router', url: 'http://192.168.1.1/', allow_private_target: true }

  function asOwner(method: string, path: string, body?: unknown): Promise<Answer> {
    return owner.browser.api(method, path, { workspace: workspaceId, ...(body === undefined ? {} : { body }) })
  }

  async function newRouter(): Promise<MonitorRecord> {
    const answer = await asOwner('POST', '/monitors', router)
    assert.equal(answer.status, 201, answer.text)
    return monitorOf(answer)
  }

  async function mayReachPrivate(id: string): Promise<boolean | undefined> {
    const asked = { location: null, ids: [id] }
    const [configuration] = await readCheckConfigurations(database, api.services.secrets, asked)
    assert.ok(configuration !== undefined)
    return configuration.mayReachPrivate
  }

  it('is an owner’s to set in the console, and reaches the location', async () => {
    const { id, allow_private_target: isAllowed } = await newRouter()
    assert.equal(isAllowed, true)
    assert.equal(await mayReachPrivate(id), true)
    assert.equal((await shown(id)).allow_private_target, true)
  })

  it('is what a quote takes as well', async () => {
    assert.equal((await asOwner('POST', '/monitors/quote', router)).status, 200)
    const { id } = await newRouter()
    const change = { name: 'Router', url: 'http://192.168.1.2/' }
    assert.equal((await asOwner('POST', `/monitors/${id}/quote`, change)).status, 200)
  })

  const others: [who: string, ask: (body: unknown) => Promise<Answer>][] = [
    ['a token', (body) => api.post('/monitors', body)],
    ['another member', (body) => member.browser.api('POST', '/monitors', { workspace: workspaceId, body })],
    [
      'the owner of another workspace',
      (body) => stranger.browser.api('POST', '/monitors', { workspace: stranger.workspaceId, body }),
    ],
  ]
  for (const [who, ask] of others)
    it(`is not for ${who}`, async () => {
      const refused = ['validation_failed', 'allow_private_target', 'url']
      assert.deepEqual(refusalOf(await ask(router)), [422, ...refused])
      assert.equal((await ask({ name: 'Shop', url: 'https://example.com', allow_private_target: false })).status, 201)
    })

  it('admits no address of this machine or link, and none of a cloud’s metadata', async () => {
    for (const host of ['127.0.0.1', '[::1]', '169.254.169.254', '[fe80::1]', '[fd00:ec2::254]']) {
      const answer = await asOwner('POST', '/monitors', { ...router, url: `http://${host}/` })
      assert.deepEqual(refusalOf(answer), [422, 'validation_failed', 'url'], host)
    }
  })

  it('stays when others change something else, or send the record back', async () => {
    const made = await newRouter()
    const { id } = made
    const renamed = await api.request('PATCH', `/monitors/${id}`, { body: { name: 'Gateway', timeout_ms: 5000 } })
    assert.equal(monitorOf(renamed).allow_private_target, true)
    const input = monitorInputSchema.strip().parse(monitorOf(renamed))
    const sentBack = await api.request('PATCH', `/monitors/${id}`, { body: input })
    assert.equal(monitorOf(sentBack).allow_private_target, true)
  })

  it('ends when others set another target', async () => {
    const { id } = await newRouter()
    const refused = await api.request('PATCH', `/monitors/${id}`, { body: { name: 'x', url: 'http://192.168.1.2/' } })
    assert.deepEqual(refusalOf(refused), [422, 'validation_failed', 'url'])
    const moved = await api.request('PATCH', `/monitors/${id}`, { body: { name: 'x', url: 'http://nas.example/' } })
    assert.equal(monitorOf(moved).allow_private_target, false)
    assert.equal(await mayReachPrivate(id), undefined)
    const back = await asOwner('PATCH', `/monitors/${id}`, { name: 'x', allow_private_target: true })
    assert.equal(monitorOf(back).allow_private_target, true)
    const again = await asOwner('PATCH', `/monitors/${id}`, { name: 'x', url: 'http://192.168.1.3/' })
    assert.deepEqual([again.status, monitorOf(again).allow_private_target], [200, true])
  })

  it('is offered to the owner alone', async () => {
    assert.equal(await offers(owner.browser, workspaceId), true)
    assert.equal(await offers(stranger.browser, stranger.workspaceId), false)
  })

  it('is taken back where the installation is not its owner’s alone any more', async () => {
    const { id } = await newRouter()
    const before = await versionOf(id)
    await endPrivateTargets(database)
    assert.equal((await shown(id)).allow_private_target, false)
    assert.ok((await versionOf(id)) > before, 'locations read it anew')
  })

  async function shown(id: string): Promise<MonitorRecord> {
    const { body } = await api.get(`/monitors/${id}`)
    return monitorDetailSchema.parse(body).data
  }

  async function versionOf(id: string): Promise<number> {
    const found = database.query.selectFrom('monitors').select('version').where('id', '=', id)
    return (await found.executeTakeFirstOrThrow()).version
  }
})

describe('allow_private_target where it is not the owner’s to say', async () => {
  const people = await peopleApi({ services: { ...services, ownNetwork: null } })
  const owner = await people.newcomer('owner@example.com')
  await writeSetting(people.api.database, 'owner_workspace', owner.workspaceId)

  it('is refused', async () => {
    const body = { name: 'Router', url: 'http://192.168.1.1/', allow_private_target: true }
    const answer = await owner.browser.api('POST', '/monitors', { workspace: owner.workspaceId, body })
    assert.deepEqual(refusalOf(answer), [422, 'validation_failed', 'allow_private_target', 'url'])
  })
})

async function offers(browser: Browser, workspace: string): Promise<boolean> {
  const { body } = await browser.api('GET', '/installation', { workspace })
  return installationAnswer.parse(body).data.has_private_target_choice
}
