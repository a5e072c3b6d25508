import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { type DnsReply, dnsServer } from '../../../test/support/dns-server.ts'
import { zoneReply } from '../../../test/support/dns-zone.ts'
import { createResolver, type Resolution } from './resolve.ts'

function failureOf(resolution: Resolution): { code: string; message: string } {
  assert.equal(resolution.ok, false)
  const { phase, code, message } = resolution.failure
  assert.equal(phase, 'dns')
  return { code, message }
}

describe('the resolver', async () => {
  const zone: Record<string, DnsReply> = {
    'both.example': { addresses: ['93.184.216.34', '2606:2800:220:1::1'], ttlSeconds: 300 },
    'four.example': { addresses: ['93.184.216.34'], ttlSeconds: 30 },
    'brief.example': { addresses: ['93.184.216.34'], ttlSeconds: 0 },
    'empty.example': { addresses: [] },
    'broken.example': 'servfail',
    'refused.example': 'refused',
    'silent.example': 'silent',
  }
  const server = await dnsServer((name) => zone[name] ?? 'nxdomain')
  let now = 0
  const create = (): ReturnType<typeof createResolver> =>
    createResolver({ servers: [server.address], timeoutMs: 1000, tries: 1, hostsPath: '/nonexistent', now: () => now })
  const resolver = create()
  const asked = (): number => server.questions.length

  it('finds the addresses of both families', async () => {
    const resolution = await resolver.resolve('Both.Example.', { isFresh: true })
    assert.deepEqual(resolution, { ok: true, addresses: ['2606:2800:220:1::1', '93.184.216.34'] })
  })

  const failures = [
    ['missing.example', 'dns_not_found', 'The name missing.example does not exist (NXDOMAIN)'],
    ['empty.example', 'dns_no_address', 'The name empty.example has no address (neither A nor AAAA)'],
    ['broken.example', 'dns_server_failed', 'The name server could not resolve broken.example (SERVFAIL)'],
    ['refused.example', 'dns_refused', 'The name server refused to resolve refused.example (REFUSED)'],
    ['silent.example', 'dns_timed_out', 'Looking up the name silent.example timed out: no name server answered'],
    [`${'a'.repeat(64)}.example`, 'dns_bad_name', `"${'a'.repeat(64)}.example" cannot be a host name`],
  ] as const
  for (const [name, code, message] of failures)
    it(`says "${message}"`, async () =>
      assert.deepEqual(failureOf(await resolver.resolve(name, { isFresh: true })), { code, message }))

  const ofOne: [name: string, family: 4 | 6, found: string[] | string][] = [
    ['both.example', 4, ['93.184.216.34']],
    ['both.example', 6, ['2606:2800:220:1::1']],
    ['four.example', 6, 'dns_no_address: The name four.example has no IPv6 address (no AAAA)'],
    ['empty.example', 4, 'dns_no_address: The name empty.example has no IPv4 address (no A)'],
    ['missing.example', 4, 'dns_not_found: The name missing.example does not exist (NXDOMAIN)'],
    ['localhost', 4, ['127.0.0.1']],
    ['localhost', 6, ['::1']],
  ]
  for (const [name, family, found] of ofOne)
    it(`finds for IPv${family} of ${name} ${String(found)}`, async () => {
      const resolution = await resolver.resolve(name, { isFresh: true, family })
      const told = resolution.ok ? resolution.addresses : `${resolution.failure.code}: ${resolution.failure.message}`
      assert.deepEqual(told, found)
    })

  it('asks for no addresses of the family that is not wanted', async () => {
    const before = server.questions.length
    await create().resolve('both.example', { isFresh: true, family: 4 })
    assert.equal(server.questions.length, before + 1)
  })

  it('does not take one family for the other while the wanted one is silent', async () => {
    const half = await dnsServer((_, type) => (type === 'AAAA' ? 'silent' : { addresses: ['93.184.216.34'] }))
    const impatient = createResolver({ servers: [half.address], timeoutMs: 300, tries: 1, hostsPath: '/nonexistent' })
    const found = failureOf(await impatient.resolve('half.example', { isFresh: true, family: 6 }))
    assert.equal(found.code, 'dns_timed_out')
  })

  it('does not wait for a family that stays silent while the other has answered', async () => {
    const half = await dnsServer((_, type) => (type === 'AAAA' ? 'silent' : { addresses: ['93.184.216.34'] }))
    const patient = createResolver({ servers: [half.address], timeoutMs: 15_000, tries: 1, hostsPath: '/nonexistent' })
    const startedAt = performance.now()
    assert.deepEqual(await patient.resolve('half.example', { isFresh: true }), {
      ok: true,
      addresses: ['93.184.216.34'],
    })
    assert.ok(performance.now() - startedAt < 10_000)
  })

  it('shares equal look-ups that are under way', async () => {
    const before = asked()
    await Promise.all(Array.from({ length: 20 }, () => resolver.resolve('four.example', { isFresh: true })))
    assert.equal(asked() - before, 2)
  })

  it('asks again for a fresh answer and uses a recent one otherwise, as long as it is valid', async () => {
    const own = create()
    const count = async (isFresh: boolean, name = 'four.example'): Promise<number> => {
      const before = asked()
      await own.resolve(name, { isFresh })
      return asked() - before
    }
    assert.equal(await count(true), 2)
    assert.equal(await count(false), 0)
    assert.equal(await count(true), 2)
    now += 6_000
    assert.equal(await count(false), 1, 'the missing AAAA was valid for 5 s only')
    now += 24_500
    assert.equal(await count(false), 2, 'the A was valid for its 30 s')
    assert.equal(await count(false, 'both.example'), 2)
    now += 59_000
    assert.equal(await count(false, 'both.example'), 0)
    now += 2_000
    assert.equal(await count(false, 'both.example'), 2, 'nothing is valid for more than 60 s')
    assert.equal(await count(false, 'brief.example'), 2)
    assert.equal(await count(false, 'brief.example'), 1, 'a TTL of 0 is not kept')
  })

  it('prefers the hosts file', async () => {
    const before = asked()
    assert.deepEqual(await resolver.resolve('localhost', { isFresh: true }), {
      ok: true,
      addresses: ['::1', '127.0.0.1'],
    })
    assert.equal(asked(), before)
  })

  it('takes a name with a single address from the hosts file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'perigee-resolve-'))
    after(() => rmSync(folder, { recursive: true }))
    const hostsPath = join(folder, 'hosts')
    writeFileSync(hostsPath, '10.0.0.1 router\n')
    const before = asked()
    const own = createResolver({ servers: [server.address], hostsPath, now: () => now })
    assert.deepEqual(await own.resolve('Router.', { isFresh: true }), { ok: true, addresses: ['10.0.0.1'] })
    assert.equal(asked(), before)
  })

  it('finds the places of a service in the order in which to try them', async () => {
    const { address } = await dnsServer(
      zoneReply({ 'SRV _a._tcp.example': ['20 99 1 last.example', '10 5 2 second.example.', '10 50 3 first.example'] }),
    )
    const own = createResolver({ servers: [address], hostsPath: '/nonexistent' })
    assert.deepEqual(await own.resolveService('_a._tcp.example'), {
      ok: true,
      records: [
        { target: 'first.example', port: 3, priority: 10, weight: 50 },
        { target: 'second.example', port: 2, priority: 10, weight: 5 },
        { target: 'last.example', port: 1, priority: 20, weight: 99 },
      ],
    })
    const missing = await own.resolveService('_b._tcp.example')
    assert.equal(missing.ok ? null : missing.failure.code, 'dns_not_found')
  })

  it('asks the name servers of the machine where none are given', () => {
    for (const servers of [{}, { servers: [] }]) assert.ok(createResolver(servers))
  })

  it('refuses a name server that is no address', () => {
    assert.throws(() => createResolver({ servers: ['not an address'] }))
  })
})
