import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { editsOf } from '../../../test/support/edited-text.ts'
import { canonicalJson } from '#core/language/canonical-json.ts'
import { addDays } from '#core/language/utc-day.ts'
import { type SigningPair, publicSigningKey, signFor } from './signature.ts'
import { type DayHead, type SignedHead, headHash, headText } from './signed-history.ts'
import {
  type CountersignDecision,
  type CountersignMemory,
  decideCountersign,
  firstMemory,
  withKeys,
  isCountersigned,
  countersignHead,
  countersignMemorySchema,
  countersignatureSchema,
} from './countersign.ts'

/** RFC 8037, appendix A.1: the installation. */
const pair = {
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
}
/** RFC 8032 7.1, the second test: the location. */
const locationPair = {
  d: 'TM0Imyj_ltqdtsNG7BFOD1uKMZ81q6Yk2oz27U-4pvs',
  x: 'PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw',
}
const installation = publicSigningKey(pair.x).kid
const firstDay = '2026-11-20'

function headAfter(before: DayHead | null, root = 'ab'): DayHead {
  return {
    day: before === null ? firstDay : addDays(before.day, 1),
    installation,
    previous: before === null ? null : headHash(before),
    root: root.repeat(32),
    size: 3,
  }
}

function signed(head: DayHead, by: SigningPair = pair): SignedHead {
  const signature = signFor('history-day', by, Buffer.from(headText(head))).toString('hex')
  return { head, key_id: publicSigningKey(by.x).kid, signature }
}

function memoryAfter(memory: CountersignMemory, head: DayHead): CountersignMemory {
  const decision = decideCountersign(memory, signed(head))
  assert.ok(decision.outcome === 'sign', decision.outcome)
  return decision.memory
}

describe('what a location countersigns', () => {
  const fresh = firstMemory([publicSigningKey(pair.x)]) ?? assert.fail()
  const first = headAfter(null)
  const second = headAfter(first)
  const third = headAfter(second)
  const memory = memoryAfter(memoryAfter(fresh, first), second)
  const decided = (head: DayHead, by?: SigningPair): CountersignDecision => decideCountersign(memory, signed(head, by))

  it('signs each day once the day before agrees, and remembers it', () => {
    assert.deepEqual(memory.last, { day: second.day, hash: headHash(second) })
    assert.deepEqual(memoryAfter(memory, third).last, { day: third.day, hash: headHash(third) })
    assert.deepEqual(countersignMemorySchema.parse(JSON.parse(JSON.stringify(memory))), memory)
  })

  it('begins with whichever day it is shown first', () => {
    assert.deepEqual(memoryAfter(fresh, third).last, { day: third.day, hash: headHash(third) })
  })

  it('signs the same head again, because an answer may have been lost', () => {
    assert.deepEqual(memoryAfter(memory, second), memory)
  })

  it('refuses a second head of the day that it has signed', () => {
    const other = headAfter(first, 'cd')
    const hashes = { signed: headHash(second), shown: headHash(other) }
    assert.deepEqual(decided(other), { outcome: 'fork', day: second.day, ...hashes })
    assert.equal(decided({ ...second, size: 4 }).outcome, 'fork')
    assert.equal(decided({ ...second, previous: null }).outcome, 'fork')
  })

  it('refuses a head that names another past', () => {
    const other = headAfter(first, 'cd')
    const hashes = { signed: headHash(second), shown: headHash(other) }
    assert.deepEqual(decided(headAfter(other)), { outcome: 'fork', day: second.day, ...hashes })
    const none = { outcome: 'fork', day: second.day, signed: headHash(second), shown: 'none' }
    assert.deepEqual(decided({ ...third, previous: null }), none)
  })

  it('asks for the days between, and signs none that it has left behind', () => {
    assert.deepEqual(decided(headAfter(third)), { outcome: 'gap', last: second.day })
    assert.deepEqual(decided(first), { outcome: 'past', last: second.day })
    assert.deepEqual(decided(headAfter(null, 'cd')), { outcome: 'past', last: second.day })
  })

  it('takes heads of its installation by the keys that it knows, and no others', () => {
    assert.deepEqual(decided(third, locationPair), { outcome: 'unknown_key' })
    assert.deepEqual(decided({ ...third, installation: publicSigningKey(locationPair.x).kid }), {
      outcome: 'other_installation',
    })
    const wrong = { ...signed(third), signature: signed(second).signature }
    assert.deepEqual(decideCountersign(memory, wrong), { outcome: 'wrong_signature' })
    const renewed = withKeys(memory, [publicSigningKey(locationPair.x), ...memory.keys]) ?? assert.fail()
    assert.equal(decideCountersign(renewed, signed(third, locationPair)).outcome, 'sign')
    assert.deepEqual(renewed.last, memory.last)
  })

  it('takes no keys that are not named by their hash, nor those of another installation', () => {
    const other = publicSigningKey(locationPair.x)
    assert.equal(firstMemory([]), null)
    assert.equal(firstMemory([{ ...other, kid: installation }]), null)
    assert.equal(withKeys(memory, [other]), null)
    assert.equal(withKeys(memory, [{ ...other, kid: 'other' }, ...memory.keys]), null)
  })
})

describe('a countersignature', () => {
  const head = headAfter(headAfter(null))
  const countersignature = countersignHead(head, { pair: locationPair, location: 'amsterdam' })

  it('is of one head and one location', () => {
    assert.ok(isCountersigned(head, countersignature))
    assert.ok(!isCountersigned(head, { ...countersignature, location: 'boston' }))
    assert.ok(!isCountersigned(head, { ...countersignature, key: publicSigningKey(pair.x) }))
    assert.ok(!isCountersigned(head, { ...countersignature, key: { ...countersignature.key, kid: installation } }))
    for (const change of [
      { day: firstDay },
      { installation: 'another' },
      { previous: null },
      { root: 'cd'.repeat(32) },
      { size: 4 },
    ])
      assert.ok(!isCountersigned({ ...head, ...change }, countersignature), JSON.stringify(change))
  })

  it('passes for no signature of the installation, nor the other way round', () => {
    assert.ok(!isCountersigned(head, { ...countersignature, signature: signed(head, locationPair).signature }))
  })

  it('lets none of 1,000 random edits through', () => {
    const text = `${canonicalJson(countersignature)}\n`
    assert.ok(stillHolds(text))
    const unfound = editsOf(text, { count: 1000, seed: 20_261_128 }).filter((edit) => stillHolds(edit.text))
    assert.deepEqual(
      unfound.map(({ what }) => what),
      [],
    )
  })

  /** As every line of an export, it has to be in canonical form. */
  function stillHolds(text: string): boolean {
    try {
      const read = countersignatureSchema.parse(JSON.parse(text))
      return `${canonicalJson(read)}\n` === text && isCountersigned(head, read)
    } catch {
      return false
    }
  }
})
