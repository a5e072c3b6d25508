import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fitBytes } from './fit-bytes.ts'
import type { Wording } from './wording.ts'

const wordingOf = (value: string): Wording => ({
  tone: 'bad',
  headline: 'Down: Shop',
  lead: 'Shop is down.',
  facts: [
    { label: 'Cause', value },
    { label: 'Address', value: 'https://shop.example/' },
  ],
  link: null,
  acknowledge: null,
})
const bodyOf = ({ facts }: Wording) => facts.map(({ value }) => value).join('\n')

describe('fitBytes', () => {
  it('leaves a message alone that fits, to the byte', () => {
    const body = `${'a'.repeat(100)}\nhttps://shop.example/`
    assert.equal(fitBytes(wordingOf('a'.repeat(100)), body.length, bodyOf), body)
  })

  it('cuts the longest texts first, and keeps all facts', () => {
    const body = fitBytes(wordingOf('a'.repeat(900)), 300, bodyOf)
    assert.equal(body, `${'a'.repeat(249)}…\nhttps://shop.example/`)
  })

  it('counts bytes and cuts no character in two', () => {
    const body = fitBytes(wordingOf('😀'.repeat(400)), 700, bodyOf)
    assert.ok(Buffer.byteLength(body) <= 700)
    assert.ok(body.isWellFormed())
  })
})
