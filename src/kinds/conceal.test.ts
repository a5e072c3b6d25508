import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noPhases, type Verdict } from '#core/results/result.ts'
import { createNet } from '#net/create-net.ts'
import { isInternalAddress } from '#net/dial/guard.ts'
import { checkOnce } from '../../test/support/check.ts'
import { dnsServer } from '../../test/support/dns-server.ts'
import { zoneReply } from '../../test/support/dns-zone.ts'
import { withoutInternalAddresses } from './conceal.ts'
import { checkedKinds } from './checked-kinds.ts'
import { kinds } from './index.ts'
import type { AnyKind } from './kind.ts'

describe('addresses inside', async () => {
  const { address } = await dnsServer(
    zoneReply({
      'A db.corp.example': ['10.20.0.5', '192.0.2.7'],
      'AAAA db.corp.example': 'fd12::5',
      'TXT corp.example': 'v=spf1 ip4:10.20.0.5 -all',
      'A list.example': '127.0.0.1',
      'A 2.0.0.127.list.example': '127.0.0.2',
      'A 5.0.20.10.list.example': '127.0.0.3',
    }),
  )
  const net = createNet({ allowPrivate: 'none', dnsServers: [address] })
  const concealing = withoutInternalAddresses(checkedKinds, isInternalAddress)
  const dns = { ...kinds.dns, ...(await concealing.dns()) }
  const blacklist = { ...kinds.blacklist, ...(await concealing.blacklist()) }

  it('are not told by a check that asks for them', async () => {
    const found = await checkOnce(dns, { url: 'db.corp.example' }, net)
    assert.deepEqual([found.status, found.details['answers']], ['up', ['a private address', '192.0.2.7']])
    const other = { url: 'db.corp.example', options: { record_type: 'AAAA', expected_answer: 'fd00::1' } }
    const { error, details } = await checkOnce(dns, other, net)
    assert.equal(error, 'Expected fd00::1, got a private address')
    assert.deepEqual(details['answers'], ['a private address'])
  })

  it('are still compared with what is expected', async () => {
    const expected = { url: 'db.corp.example', options: { expected_answer: '10.20.0.5' } }
    assert.equal((await checkOnce(dns, expected, net)).status, 'up')
  })

  it('are told where the customer named them, and texts that hold more are left as they are', async () => {
    const listed = { url: '10.20.0.5', options: { dnsbl_zone: 'list.example', lookup: 'host' } }
    const { error } = await checkOnce(blacklist, listed, net)
    assert.equal(error, '10.20.0.5 is listed on list.example (127.0.0.3)')
    const text = await checkOnce(dns, { url: 'corp.example', options: { record_type: 'TXT' } }, net)
    assert.deepEqual(text.details['answers'], ['v=spf1 ip4:10.20.0.5 -all'])
  })

  it('are the affair of no other kind', () => assert.equal(concealing.http, checkedKinds.http))
})

describe('a verdict', () => {
  const net = createNet({ allowPrivate: 'none' })
  /** What is left of the details of a check of `10.20.0.9` that found this. */
  async function shown(details: Record<string, unknown>, error: string | null = null): Promise<Verdict> {
    const check: AnyKind['check'] = () =>
      Promise.resolve({ status: 'up', statusCode: null, latencyMs: null, error, phases: noPhases, details })
    const found = { ...checkedKinds, dns: async () => ({ ...kinds.dns, check }) }
    const dns = await withoutInternalAddresses(found, isInternalAddress).dns()
    return checkOnce({ ...kinds.dns, ...dns }, { url: '10.20.0.9' }, net)
  }

  it('loses addresses inside wherever they stand, but for the one that was named', async () => {
    const { details, error } = await shown(
      { one: '10.20.0.5', list: ['10.20.0.6', { deep: '10.20.0.7 of 10.20.0.9' }], count: 3, none: null, is: false },
      '10.20.0.5 and 192.0.2.7 and 10.20.0.9',
    )
    const hidden = 'a private address'
    const list = [hidden, { deep: `${hidden} of 10.20.0.9` }]
    assert.deepEqual(details, { one: hidden, list, count: 3, none: null, is: false })
    assert.equal(error, `${hidden} and 192.0.2.7 and 10.20.0.9`)
    assert.equal((await shown({})).error, null)
  })
})
