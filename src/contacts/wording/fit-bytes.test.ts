import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fitBundle, fitBytes, fitWording } from './fit-bytes.ts'
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

describe('fitWording', () => {
  it('leaves 15 characters of each text, however little room there is', () => {
    const { headline, lead, facts } = fitWording({ ...wordingOf('a'.repeat(900)), lead: 'b'.repeat(16) }, () => false)
    assert.deepEqual([headline, lead], ['Down: Shop', `${'b'.repeat(14)}…`])
    assert.deepEqual(facts, [
      { label: 'Cause', value: `${'a'.repeat(14)}…` },
      { label: 'Address', value: 'https://shop.e…' },
    ])
  })

  it('stops as soon as it fits', () =>
    assert.equal(
      fitWording(wordingOf('a'.repeat(900)), ({ facts }) => (facts[0]?.value.length ?? 0) <= 500).facts[0]?.value
        .length,
      500,
    ))
})

describe('fitBundle', () => {
  const alerts = Array.from({ length: 50 }, (_, index) => ({ label: `A${index}`, value: 'down' }))
  const bundleOf = (count: number): Wording => ({
    ...wordingOf('x'),
    facts: alerts.slice(0, count),
    bundle: { alerts: alerts.slice(0, count), total: count },
  })
  /** How many alerts are named where there is room for so many facts, of which the last one tells of the others. */
  const namedOf = (count: number, room: number): number =>
    fitBundle(bundleOf(count), ({ facts }) => facts.length <= room).facts.filter(({ label }) => label !== 'And').length

  it('names as many alerts as fit, by these numbers', () => {
    const rooms = [50, 49, 41, 40, 31, 21, 16, 11, 8, 6, 4, 3, 2, 1]
    assert.deepEqual(
      rooms.map((room) => namedOf(50, room)),
      [50, 40, 40, 30, 30, 20, 15, 10, 7, 5, 3, 2, 1, 1],
    )
  })

  it('names fewer than there are', () => {
    assert.deepEqual([namedOf(10, 9), namedOf(2, 1), namedOf(1, 0)], [7, 1, 1])
  })

  it('names the first ones, and says how many more there are', () => {
    const { facts } = fitBundle(bundleOf(5), ({ facts: all }) => all.length <= 3)
    assert.deepEqual(facts, [...alerts.slice(0, 2), { label: 'And', value: '3 more' }])
  })
})
