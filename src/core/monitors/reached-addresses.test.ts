import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { dayMs } from '#core/language/utc-day.ts'
import {
  keptMs,
  maxReached,
  newAddressMs,
  nextReached,
  refreshMs,
  rotatingMs,
  type ReachedAddresses,
} from './reached-addresses.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

type Seen = { address: string; atMs: number }

/** Plays checks; tells what is remembered at the end, and the checks that wrote. */
function play(checks: Iterable<Seen>): { known: ReachedAddresses | null; written: Seen[] } {
  let known: ReachedAddresses | null = null
  const written: Seen[] = []
  for (const seen of checks) {
    const next = nextReached(known, seen)
    if (next === null) continue
    known = next
    written.push(seen)
  }
  return { known, written }
}

/** A check a minute, from the beginning of a day on. */
function* everyMinute(days: number, addressOf: (minute: number) => string): Generator<Seen> {
  for (let minute = 0; minute < days * 1440; minute += 1) yield { address: addressOf(minute), atMs: minute * minuteMs }
}

const names = ({ known }: { known: ReachedAddresses | null }): string[] =>
  known?.addresses.map(({ address }) => address) ?? []

describe('the addresses that a location reached', () => {
  it('are written twice a day while they stay the same', () => {
    const played = play(everyMinute(10, () => 'a'))
    assert.equal(played.written.length, 20)
    assert.deepEqual([names(played), played.known?.isRotating], [['a'], false])
  })

  it('are up to four, the new ones an hour apart', () => {
    const played = play(everyMinute(1, (minute) => 'abcd'.charAt(minute % 4)))
    assert.deepEqual(names(played).toSorted(), ['a', 'b', 'c', 'd'])
    assert.equal(played.known?.isRotating, false)
    assert.equal(played.written.length, 8)
    const [first, second] = played.written
    assert.equal((second?.atMs ?? 0) - (first?.atMs ?? 0), hourMs + minuteMs)
  })

  it('rotate where there are more, and are then written once a day', () => {
    const played = play(everyMinute(30, (minute) => `address ${minute}`))
    assert.equal(played.known?.isRotating, true)
    assert.equal(names(played).length, maxReached)
    assert.equal(played.written.length, 5 + 29)
  })

  it('rotate no more when but three were reached in a week', () => {
    const rotated = play(everyMinute(1, (minute) => `address ${minute}`)).known
    let known = rotated
    const endOf = (addresses: string[]): number | null => {
      for (let minute = 1440; minute < 20 * 1440; minute += 1) {
        const address = addresses[minute % addresses.length] ?? ''
        known = nextReached(known, { address, atMs: minute * minuteMs }) ?? known
        if (known?.isRotating === false) return minute * minuteMs
      }
      return null
    }
    assert.equal(endOf(['a', 'b', 'c', 'd']), null)
    known = rotated
    const endMs = endOf(['a'])
    assert.ok(endMs !== null && endMs >= keptMs && endMs < keptMs + dayMs, String(endMs))
  })

  it('leave a server that moved after a week', () => {
    const moved = everyMinute(9, (minute) => (minute < 1440 ? 'old' : 'new'))
    assert.deepEqual(names(play(moved)), ['new'])
  })

  it('are written as soon as it is time', () => {
    const known = { addresses: [{ address: 'a', seenMs: 0 }], changedMs: 0, isRotating: false }
    const times: [isRotating: boolean, address: string, ms: number][] = [
      [false, 'a', refreshMs],
      [true, 'a', refreshMs],
      [false, 'b', newAddressMs],
      [true, 'b', rotatingMs],
    ]
    for (const [isRotating, address, ms] of times)
      assert.deepEqual(
        [ms - 1, ms].map((atMs) => nextReached({ ...known, isRotating }, { address, atMs }) !== null),
        [false, true],
      )
  })

  it('leave what was not reached for a week', () => {
    const known = { addresses: [{ address: 'a', seenMs: 0 }], changedMs: 0, isRotating: false }
    const [before, then] = [keptMs - 1, keptMs].map((atMs) =>
      names({ known: nextReached(known, { address: 'b', atMs }) }),
    )
    assert.deepEqual([before, then], [['a', 'b'], ['b']])
  })

  it('are what a plain model says, and written no oftener, whatever is reached when', () => {
    const pause = fc.oneof(fc.integer({ min: 0, max: 2 * hourMs }), fc.integer({ min: 0, max: 2 * dayMs }))
    const step = fc.record({ address: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'), afterMs: pause })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const written: Seen[] = []
        let known: ReachedAddresses | null = null
        let atMs = 0
        for (const { address, afterMs } of steps) {
          atMs += afterMs
          const next = nextReached(known, { address, atMs })
          assert.equal(next !== null, isWritten(known, { address, atMs }))
          if (next === null) continue
          known = next
          written.push({ address, atMs })
          assert.deepEqual({ ...next, changedMs: 0 }, modelOf(written))
        }
      }),
    )
  })
})

function isWritten(known: ReachedAddresses | null, { address, atMs }: Seen): boolean {
  if (known === null) return true
  const same = known.addresses.find((each) => each.address === address)
  if (same !== undefined) return atMs - same.seenMs >= 12 * hourMs
  return atMs - known.changedMs >= (known.isRotating ? 24 : 1) * hourMs
}

/** Of all that was ever written, without forgetting anything on the way. */
function modelOf(written: readonly Seen[]): ReachedAddresses | null {
  const last = written.at(-1)
  if (last === undefined) return null
  let isRotating = false
  for (const [place, { atMs }] of written.entries()) {
    const count = withinAWeek(written.slice(0, place + 1), atMs).length
    isRotating = count > maxReached || (isRotating && count === maxReached)
  }
  return { addresses: withinAWeek(written, last.atMs).slice(-maxReached), changedMs: 0, isRotating }
}

function withinAWeek(written: readonly Seen[], atMs: number): { address: string; seenMs: number }[] {
  const latest = new Map<string, number>()
  for (const each of written) {
    latest.delete(each.address)
    latest.set(each.address, each.atMs)
  }
  return Array.from(latest, ([address, seenMs]) => ({ address, seenMs })).filter(({ seenMs }) => atMs - seenMs < keptMs)
}
