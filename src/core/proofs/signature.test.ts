import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isSignedFor, publicSigningKey, signFor } from './signature.ts'

/** RFC 8037, appendix A.1. */
const pair = {
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
}
const content = Buffer.from('the root of a day')

describe('a signature', () => {
  it('names its key by the thumbprint of RFC 8037, appendix A.3', () => {
    assert.equal(publicSigningKey(pair.x).kid, 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
  })

  it('is accepted for its purpose, its content and its key', () => {
    const signature = signFor('history-day', pair, content)
    assert.equal(signature.length, 64)
    assert.ok(isSignedFor('history-day', publicSigningKey(pair.x), { content, signature }))
  })

  it('is worth nothing with any bit changed', () => {
    const signature = signFor('history-day', pair, content)
    const key = publicSigningKey(pair.x)
    for (let bit = 0; bit < signature.length * 8; bit += 1)
      assert.ok(!isSignedFor('history-day', key, { content, signature: flipped(signature, bit) }), `bit ${bit}`)
    for (let bit = 0; bit < content.length * 8; bit += 1)
      assert.ok(!isSignedFor('history-day', key, { content: flipped(content, bit), signature }), `bit ${bit}`)
  })

  it('is none of a bare content, another key, or a key that is none', () => {
    const key = publicSigningKey(pair.x)
    const signature = signFor('history-day', pair, content)
    const prefixed = Buffer.concat([Buffer.from('perigee history-day\0'), content])
    assert.ok(!isSignedFor('history-day', key, { content: prefixed, signature }))
    for (const x of [pair.d, 'A'.repeat(43), '', 'x'])
      assert.ok(!isSignedFor('history-day', { ...key, x }, { content, signature }), x)
    assert.ok(!isSignedFor('history-day', key, { content, signature: Buffer.alloc(0) }))
  })
})

function flipped(bytes: Uint8Array, bit: number): Buffer {
  const changed = Buffer.from(bytes)
  const at = Math.floor(bit / 8)
  changed[at] = (changed[at] ?? 0) ^ (1 << (bit % 8))
  return changed
}
