import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createRegistrationSource } from '#kinds/domain/registration-source.ts'
import type { LookUp, RegistrationSource } from '#kinds/domain/registration.ts'
import { type TestApi, testApi } from '../../../test/support/api.ts'
import { addContact } from '../../../test/support/engine.ts'
import { alertsIn, membersOf, noMembers } from '../../../test/support/expiries.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { playRegistry } from '../../../test/support/registry.ts'
import { tellExpiries } from './expiry-alerts.ts'
import { lookUpDomains, nameDomains } from './expiry-domains.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const end = new Date('2027-01-01T04:00:00Z')
const beforeEnd = (days: number): Date => new Date(end.getTime() - days * dayMs)

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** A registry that tells the same of all domains, and what it was asked. */
type Registry = { asked: string[]; answer: LookUp }

function registered(expiresAt: string | null): LookUp {
  const registration = { isRegistered: true, expiresAt, registrar: null, statuses: [] }
  return { ok: true, registration, source: 'rdap', server: 'rdap.example' }
}

const refused: LookUp = { ok: false, problem: 'Connection refused' }

type Bench = {
  api: TestApi
  registry: Registry
  logged: string[]
  /** Runs the chores so many days before the end; says how many alerts were told. */
  runAt: (days: number) => Promise<number>
}

async function bench(): Promise<Bench> {
  const api = await testApi({ maxConnections: 5 })
  await addContact(api.database, api.workspaceId)
  const registry: Registry = { asked: [], answer: registered(end.toISOString()) }
  const source: RegistrationSource = async (domain) => {
    registry.asked.push(domain)
    return registry.answer
  }
  const logged: string[] = []
  const write = (message: string): number => logged.push(message)
  const log = { debug: write, info: write, warn: write, error: write }
  const { signal } = new AbortController()
  return {
    api,
    registry,
    logged,
    runAt: async (days) => {
      const parts = { database: api.database, log, now: () => beforeEnd(days) }
      await nameDomains(parts, signal)
      await lookUpDomains(parts, source, signal)
      return tellExpiries(parts)
    },
  }
}

const shop = 'https://www.shop.com/health'
const shown = { ...noMembers, domain_name: 'shop.com', domain_expires_at: end.toISOString() }

describe('the look-up of domains', { concurrency: 4 }, () => {
  it('asks once a day for all monitors of a domain, and all show what it found', async () => {
    const { api, registry, runAt } = await bench()
    const one = await createMonitor(api, { url: shop })
    const other = await createMonitor(api, { kind: 'api', url: 'https://api.shop.com/v1' })
    assert.deepEqual(await membersOf(api, one.id), noMembers)
    await runAt(100)
    for (const { id } of [one, other]) assert.deepEqual(await membersOf(api, id), shown)
    await runAt(99.1)
    const late = await createMonitor(api, { url: 'https://shop.com' })
    await runAt(99.05)
    assert.deepEqual(await membersOf(api, late.id), shown, 'what is known serves a new monitor')
    assert.deepEqual(registry.asked, ['shop.com'])
    await runAt(99)
    assert.deepEqual(registry.asked, ['shop.com', 'shop.com'])
  })

  it('is made by one process only when several come at once', async () => {
    const { api, registry, runAt } = await bench()
    for (let index = 0; index < 40; index += 1)
      await createMonitor(api, { url: `https://a.shop-${index % 20}.com/${index}` })
    await Promise.all([runAt(100), runAt(100), runAt(100)])
    assert.equal(registry.asked.length, 20)
    assert.equal(new Set(registry.asked).size, 20)
  })

  it('passes over addresses, names that no registry sells, and monitors that want no alerts', async () => {
    const { api, registry, runAt } = await bench()
    for (const url of ['https://192.0.2.1', 'https://[2001:db8::1]', 'https://printer.local', 'http://localhost:3000'])
      await createMonitor(api, { url })
    await createMonitor(api, { url: 'https://nas.home.arpa' })
    await createMonitor(api, { url: shop, expiry_alerts: false })
    await createMonitor(api, { kind: 'tcp', url: 'shop.com:25' })
    const paused = await createMonitor(api, { url: 'https://other.com' })
    await api.post(`/monitors/${paused.id}/pause`)
    await runAt(100)
    assert.deepEqual(registry.asked, [])
    await api.post(`/monitors/${paused.id}/resume`)
    await runAt(99.9)
    assert.deepEqual(registry.asked, ['other.com'])
  })

  it('rests while every monitor of the domain is paused, and forgets a domain without monitors', async () => {
    const { api, registry, runAt } = await bench()
    const { id } = await createMonitor(api, { url: shop })
    await runAt(100)
    await api.post(`/monitors/${id}/pause`)
    await runAt(98)
    assert.equal(registry.asked.length, 1)
    const domains = async () => (await api.database.query.selectFrom('domains').select('name').execute()).length
    assert.equal(await domains(), 1)
    await api.request('DELETE', `/monitors/${id}`)
    await runAt(96)
    assert.equal(await domains(), 0)
  })

  it('is tried again later and later when it fails, keeps what was known, and alerts nobody', async () => {
    const { api, registry, logged, runAt } = await bench()
    const { id } = await createMonitor(api, { url: shop })
    await runAt(100)
    registry.answer = refused
    const askedAt: number[] = []
    for (let hours = 24; hours <= 72; hours += 0.5) {
      const before = registry.asked.length
      assert.equal(await runAt(100 - hours / 24), 0)
      if (registry.asked.length > before) askedAt.push(hours)
    }
    assert.deepEqual(askedAt, [24, 25, 27, 31, 39, 55])
    assert.deepEqual(await membersOf(api, id), shown)
    assert.equal(logged.length, 6)
  })

  it('is made again when the process that had begun it died', async () => {
    const { api, registry, runAt } = await bench()
    await createMonitor(api, { url: shop })
    const dying = new AbortController()
    const parts = { database: api.database, log: silent, now: () => beforeEnd(100) }
    await nameDomains(parts, dying.signal)
    const hanging = lookUpDomains(parts, () => new Promise(() => dying.abort()), dying.signal)
    await hanging
    await runAt(100 - 0.3 / 24)
    assert.deepEqual(registry.asked, [], 'it is still claimed')
    await runAt(100 - 0.5 / 24)
    assert.deepEqual(registry.asked, ['shop.com'])
  })

  it('follows a monitor to another domain', async () => {
    const { api, registry, runAt } = await bench()
    const { id } = await createMonitor(api, { url: shop })
    await runAt(100)
    await api.request('PATCH', `/monitors/${id}`, { body: { name: 'Shop', url: 'https://www.other.co.uk' } })
    assert.deepEqual(await membersOf(api, id), noMembers)
    await runAt(100)
    assert.deepEqual(registry.asked, ['shop.com', 'other.co.uk'])
    assert.deepEqual(await membersOf(api, id), { ...shown, domain_name: 'other.co.uk' })
  })

  it('shows no end where the registry publishes none, or knows nothing of the domain', async () => {
    const { api, registry, runAt } = await bench()
    const { id } = await createMonitor(api, { url: shop })
    registry.answer = registered(null)
    assert.equal(await runAt(5), 0)
    assert.deepEqual(await membersOf(api, id), { ...noMembers, domain_name: 'shop.com' })
  })

  it('takes an end in a year that nobody can write down', async () => {
    const { api, registry, runAt } = await bench()
    const { id } = await createMonitor(api, { url: shop })
    registry.answer = registered('+020000-01-01T00:00:00.000Z')
    assert.equal(await runAt(5), 0)
    assert.equal((await membersOf(api, id)).domain_expires_at, '9999-12-31T00:00:00.000Z')
  })

  it('asks RDAP and WHOIS as the domain kind does', async () => {
    const { api, runAt } = await bench()
    const { id } = await createMonitor(api, { url: shop })
    const registry = await playRegistry({
      bootstrap: (_request, response) => {
        response.end(JSON.stringify({ services: [[['com'], [`http://127.0.0.1:${registry.rdapPort}/com`]]] }))
      },
      rdap: (_request, response) => {
        const events = [{ eventAction: 'expiration', eventDate: end.toISOString() }]
        response.end(JSON.stringify({ objectClassName: 'domain', ldhName: 'shop.com', events }))
      },
    })
    const parts = { database: api.database, log: silent, now: () => beforeEnd(100) }
    const { signal } = new AbortController()
    await nameDomains(parts, signal)
    await lookUpDomains(parts, createRegistrationSource(registry.net), signal)
    assert.deepEqual(registry.asked, ['rdap /dns.json', 'rdap /com/domain/shop.com'])
    assert.deepEqual(await membersOf(api, id), shown)
    assert.equal(await runAt(100), 0)
  })
})

describe('the alerts of a domain', { concurrency: 4 }, () => {
  it('come at 30, 14, 7, 3 and 1 days, each right after a look-up, and none after the end', async () => {
    const { api, runAt } = await bench()
    await createMonitor(api, { url: shop })
    const toldAt: number[] = []
    for (let hours = 35 * 24; hours >= -48; hours -= 5) if ((await runAt(hours / 24)) > 0) toldAt.push(hours / 24)
    assert.deepEqual(toldAt.map(Math.ceil), [30, 14, 7, 3, 1])
    assert.deepEqual(
      await daysTold(api),
      [30, 14, 7, 3, 1].map((days) => ['domain.expiring', days]),
    )
  })

  it('name the domain and its end', async () => {
    const { api, runAt } = await bench()
    const { id, name } = await createMonitor(api, { url: shop })
    assert.equal(await runAt(10), 1)
    assert.deepEqual(await alertsIn(api.database), [
      {
        type: 'domain.expiring',
        timestamp: '2026-12-22T04:00:00.000Z',
        data: {
          monitor: { id, name, kind: 'http', url: shop, current_status: 'pending' },
          incident: null,
          result: null,
          expires_at: '2027-01-01T04:00:00.000Z',
          days_left: 10,
          seen_at: '2026-12-22T04:00:00.000Z',
          domain_name: 'shop.com',
        },
      },
    ])
  })

  it('do not come when the domain was renewed an hour before', async () => {
    const { api, registry, runAt } = await bench()
    const { id } = await createMonitor(api, { url: shop })
    assert.equal(await runAt(7.5), 1)
    const renewed = '2028-01-01T04:00:00.000Z'
    registry.answer = registered(renewed)
    assert.equal(await runAt(7), 0)
    assert.equal((await membersOf(api, id)).domain_expires_at, renewed)
    for (const days of [3, 1, -334]) assert.equal(await runAt(days), 0)
    assert.equal(await runAt(-335), 1, 'and begin anew a year later')
  })

  it('come a day late from what was known when the registry does not answer', async () => {
    const { api, registry, runAt } = await bench()
    await createMonitor(api, { url: shop })
    assert.equal(await runAt(8), 1)
    registry.answer = refused
    for (const days of [7, 6.5, 6.1]) assert.equal(await runAt(days), 0)
    assert.equal(await runAt(6), 1)
  })

  it('come once where the end is told by turns with and without its time of day', async () => {
    const { api, registry, runAt } = await bench()
    await createMonitor(api, { url: shop })
    const told: number[] = []
    for (let half = 64; half >= 1; half -= 1) {
      registry.answer = registered(half % 4 < 2 ? end.toISOString() : '2027-01-01T00:00:00.000Z')
      if ((await runAt(half / 2)) > 0) told.push(half / 2)
    }
    assert.equal(told.length, 5, told.join())
  })

  it('come once for a domain that had ended when it was first read', async () => {
    const { api, runAt } = await bench()
    await createMonitor(api, { url: shop })
    assert.equal(await runAt(-2), 1)
    for (const days of [-3, -4, -40, -80]) assert.equal(await runAt(days), 0)
    assert.deepEqual(await daysTold(api), [['domain.expiring', -2]])
  })
})

async function daysTold({ database }: TestApi): Promise<unknown[]> {
  return (await alertsIn(database)).map(({ type, data }) => [type, 'days_left' in data && data.days_left])
}
