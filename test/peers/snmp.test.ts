import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Verdict } from '#core/results/result.ts'
import { snmp } from '#kinds/snmp/snmp.ts'
import { checkOnce } from '../support/check.ts'
import { skipReason } from '../support/peers/daemon.ts'
import { snmpCommunity, snmpObjects, snmpUsers, startSnmpd } from '../support/peers/snmpd.ts'

const skip = skipReason(['snmpd', 'snmpget'])
const byCommunity = { community: snmpCommunity }
const asFull = { version: '3', ...snmpUsers.full } as const

describe('an snmp monitor at snmpd', { skip }, async () => {
  const agent = await startSnmpd()

  it('is up by a community, and tells for how long the agent has run', async () => {
    const { status, error, details } = await check(byCommunity)
    assert.deepEqual([status, error, details['value_type']], ['up', null, 'TimeTicks'])
    const ticks = Number(agent.get(['-v', '2c', '-c', snmpCommunity, '-Ot'], '1.3.6.1.2.1.1.3.0'))
    const seconds = Number(details['uptime_seconds'])
    assert.ok(seconds <= ticks / 100 && seconds > ticks / 100 - 5, `${seconds} s, ${ticks} ticks`)
  })

  for (const [name, user] of Object.entries(snmpUsers))
    it(`is up as the user ${name} of version 3`, async () => {
      const { status, error, phases } = await check({ version: '3', ...user, oid: snmpObjects.number })
      assert.deepEqual([status, error], ['up', null])
      assert.ok(phases.ttfbMs !== null && phases.transferMs !== null)
    })

  it('reads what snmpget reads', async () => {
    const { number, negative, unsigned, text, octets, objectId } = snmpObjects
    const expected: [oid: string, value: string, type: string][] = [
      [number, '42', 'Integer32'],
      [negative, '-300', 'Integer32'],
      [unsigned, '4000000000', 'Gauge32'],
      [text, 'grün', 'OCTET STRING'],
      [octets, '0x001b4411', 'OCTET STRING'],
      [objectId, '1.3.6.1.4.1.311.4294967295', 'OBJECT IDENTIFIER'],
    ]
    for (const access of [byCommunity, asFull])
      for (const [oid, value, type] of expected) {
        const { error, details } = await check({ ...access, oid, expected_value: value })
        assert.deepEqual([oid, error, details['value_type']], [oid, null, type])
        const other = await check({ ...access, oid, expected_value: `${value}0` })
        assert.equal(other.error, 'The variable has another value than the expected one')
      }
    const access = ['-v', '2c', '-c', snmpCommunity]
    assert.deepEqual(
      [number, negative, unsigned].map((oid) => agent.get(access, oid)),
      ['42', '-300', '4000000000'],
    )
  })

  it('compares numbers', async () => {
    const oid = snmpObjects.negative
    assert.equal((await check({ ...byCommunity, oid, min_value: -300, max_value: -300 })).status, 'up')
    const { status, error } = await check({ ...byCommunity, oid, max_value: -300.5 })
    assert.deepEqual([status, error], ['degraded', 'The variable is a larger number than -300.5'])
    const text = await check({ ...byCommunity, oid: snmpObjects.octets, min_value: 0 })
    assert.deepEqual([text.status, text.error], ['down', 'The variable is no number'])
  })

  it('is told that there is no such variable', async () => {
    for (const access of [byCommunity, asFull])
      assert.equal(
        (await check({ ...access, oid: snmpObjects.missing })).error,
        'The agent has no such variable, or does not show it',
      )
  })

  it('is told what is wrong with a user', async () => {
    const oid = snmpObjects.number
    const cases: [options: Record<string, unknown>, error: string][] = [
      [{ ...asFull, username: 'eve' }, 'The agent does not know the user'],
      [
        { ...asFull, auth_password: 'another secret' },
        'The agent does not accept the password, or authenticates by another protocol',
      ],
      [
        { ...asFull, auth_protocol: 'SHA-1' },
        'The agent does not accept the password, or authenticates by another protocol',
      ],
      [
        { version: '3', ...snmpUsers.open, auth_password: 'first secret' },
        'The agent has no keys of this user for what is authenticated or encrypted',
      ],
      [{ ...asFull, priv_password: undefined }, 'The agent refuses the question: authorizationError, error 16'],
    ]
    for (const [options, error] of cases) assert.equal((await check({ ...options, oid })).error, error)
  })

  it('times out where the agent is silent', async () => {
    assert.match(
      String((await check({ community: 'another' }, 500)).error),
      /^Timed out after 500 ms while .*: agents are silent to those who do not know the community$/,
    )
    assert.match(
      String((await check({ ...asFull, priv_password: 'another secret' }, 500)).error),
      /^Timed out after 500 ms while .*: agents are silent to those who do not know the password for encryption$/,
    )
  })

  function check(options: Record<string, unknown>, timeoutMs = 5000): Promise<Verdict> {
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
    return checkOnce(snmp, { url: `127.0.0.1:${agent.port}`, options: given, timeoutMs })
  }
})
