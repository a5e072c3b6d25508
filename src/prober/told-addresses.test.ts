import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createToldAddresses } from './told-addresses.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const check = { monitorId: 'm', version: 1, kind: 'http' } as const
const isShown = (): boolean => true
const [first, second] = ['203.0.113.1', '203.0.113.2'] as const

/** What is told of checks of one monitor a minute apart, as `minute address`. */
function toldOf(minutes: number, addressOf: (minute: number) => string): string[] {
  let nowMs = 0
  const told = createToldAddresses({ now: () => nowMs, isShown })
  return Array.from({ length: minutes }, (_, minute) => minute).flatMap((minute) => {
    nowMs = minute * minuteMs
    const address = told.toTell(check, addressOf(minute))
    return address === null ? [] : [`${minute} ${address}`]
  })
}

describe('the address at which a target was reached', () => {
  it('is told with the first check, and then once a day', () => {
    assert.deepEqual(
      toldOf(3 * 1440, () => first),
      [`0 ${first}`, `1440 ${first}`, `2880 ${first}`],
    )
  })

  it('is told when it is another one, an hour apart, and not again when it comes back', () => {
    const told = toldOf(1440, (minute) => (minute % 2 === 0 ? first : second))
    assert.deepEqual(told, [`0 ${first}`, `61 ${second}`])
  })

  it('of a name that leads to ever others is told once an hour', () => {
    assert.equal(toldOf(1440, (minute) => `10.0.${minute >> 8}.${minute % 256}`).length, 24)
  })

  it('is told again of another version of the monitor', () => {
    const told = createToldAddresses({ now: () => 0, isShown })
    const tells = [1, 1, 2, 2].map((version) => told.toTell({ ...check, version }, first))
    assert.deepEqual(tells, [first, null, first, null])
  })

  it('is not told of more monitors than fit, until others are due again', () => {
    let nowMs = 0
    const told = createToldAddresses({ now: () => nowMs, isShown, limit: 2 })
    const tell = (monitorId: string): boolean => told.toTell({ ...check, monitorId }, first) !== null
    assert.deepEqual([tell('one'), tell('two'), tell('three'), tell('two')], [true, true, false, false])
    nowMs = hourMs
    assert.equal(tell('three'), false)
    nowMs = dayMs
    assert.deepEqual([tell('three'), tell('four'), tell('one')], [true, true, false])
  })

  it('is told in one spelling, of checks that dial their target, where the address is shown', () => {
    const told = createToldAddresses({ now: () => 0, isShown: (address) => address !== second })
    const cases = [
      ['http', '::ffff:203.0.113.1', first],
      ['ping', '2001:DB8::7', '2001:db8::7'],
      ['smtp', 'fe80::1%eth0', null],
      ['tcp', second, null],
      ['tcp', null, null],
      ['dns', first, null],
      ['domain', first, null],
      ['cloud_status', first, null],
      ['page_speed', first, null],
    ] as const
    for (const [place, [kind, dialled, address]] of cases.entries())
      assert.equal(told.toTell({ monitorId: `${place}`, version: 1, kind }, dialled), address, kind)
  })
})
