import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { KeptSession } from '#net/tls/tls.ts'
import { seenCertificate } from '../../../test/support/test-certificates.ts'
import { createSessionMemory } from './session-memory.ts'

function session(bytes: number): KeptSession {
  return { session: Buffer.alloc(bytes), certificate: seenCertificate }
}

describe('the memory of TLS sessions', () => {
  it('keeps what was kept last, and forgets', () => {
    const memory = createSessionMemory()
    const [one, other] = [{}, {}]
    assert.equal(memory.recall(one), null)
    memory.keep(one, { byHost: new Map([['a:443', session(10)]]), inARow: 2 })
    memory.keep(one, { byHost: new Map([['b:443', session(20)]]), inARow: 3 })
    assert.deepEqual(memory.recall(one), { byHost: new Map([['b:443', session(20)]]), inARow: 3 })
    assert.equal(memory.recall(other), null)
    memory.forget(one)
    memory.forget(other)
    assert.deepEqual([memory.recall(one), memory.bytes], [null, 0])
  })

  it('has nothing for another configuration that says the same', () => {
    const memory = createSessionMemory()
    memory.keep({ monitorId: 'a' }, { byHost: new Map([['a:443', session(10)]]), inARow: 0 })
    assert.equal(memory.recall({ monitorId: 'a' }), null)
  })

  it('makes room for new ones, and counts what it has', () => {
    const memory = createSessionMemory(20_000)
    const monitors = Array.from({ length: 50 }, () => ({}))
    for (const each of monitors) {
      memory.keep(each, { byHost: new Map([['a:443', session(2_000)]]), inARow: 0 })
      assert.ok(memory.bytes <= 20_000)
    }
    const known = monitors.map((each) => memory.recall(each) !== null)
    assert.equal(known.lastIndexOf(false) + 1, known.indexOf(true), 'the last ones are there')
    assert.ok(known.filter(Boolean).length >= 5)
    for (const each of monitors) memory.forget(each)
    assert.equal(memory.bytes, 0)
  })

  it('keeps no session that is too large, and none of many hosts', () => {
    const memory = createSessionMemory()
    const [large, wide] = [{}, {}]
    memory.keep(large, { byHost: new Map([['a:443', session(16 * 1024)]]), inARow: 0 })
    assert.equal(memory.recall(large), null)
    const hosts = Array.from({ length: 11 }, (_, index): [string, KeptSession] => [`host${index}:443`, session(10)])
    memory.keep(wide, { byHost: new Map(hosts), inARow: 0 })
    assert.equal(memory.recall(wide)?.byHost.size, 4)
  })
})
