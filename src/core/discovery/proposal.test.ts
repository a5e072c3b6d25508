import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  distinct,
  keyOf,
  maxProposals,
  plainHost,
  plainPath,
  type Proposal,
  proposalOfRoute,
  type Route,
} from './proposal.ts'

describe('a host of a route', () => {
  const hosts: [text: string, host: string | null][] = [
    [' Shop.Example. ', 'shop.example'],
    ['a', 'a'],
    ['192.0.2.1', '192.0.2.1'],
    [`${'a'.repeat(249)}.com`, `${'a'.repeat(249)}.com`],
    [`${'a'.repeat(250)}.com`, null],
    ['*.shop.example', null],
    ['-shop.example', null],
    ['shop_1.example', null],
    ['', null],
  ]
  for (const [text, host] of hosts)
    it(`"${text.slice(0, 20)}" of ${text.length} letters is ${host === null ? 'none' : 'one'}`, () =>
      assert.equal(plainHost(text), host))
})

describe('a path of a route', () => {
  const paths: [path: string, isPlain: boolean][] = [
    ['/', true],
    ['/a-b_c.d~e/F9', true],
    [`/${'a'.repeat(499)}`, true],
    [`/${'a'.repeat(500)}`, false],
    ['a', false],
    ['/a*', false],
    ['/{id}', false],
    ['', false],
  ]
  for (const [path, isPlain] of paths)
    it(`"${path.slice(0, 20)}" of ${path.length} letters ${isPlain ? 'is' : 'is not'} plain`, () =>
      assert.equal(plainPath(path), isPlain ? path : null))
})

describe('the key of a target', () => {
  const keys: [parts: string[], key: string][] = [
    [['Shop', '', 'Web App'], 'shop-web-app'],
    [['', 'a.example/x'], 'a.example-x'],
    [['_.-a', 'b--'], 'a-b'],
    [['x'.repeat(81)], 'x'.repeat(80)],
    [['x'.repeat(80)], 'x'.repeat(80)],
  ]
  for (const [parts, key] of keys)
    it(`of ${parts.join(' and ').slice(0, 30)} is ${key.slice(0, 30)}`, () => assert.equal(keyOf(...parts), key))
})

describe('a monitor of a route', () => {
  const route: Route = { host: 'a.example', path: '/x', isSecure: true, because: 'a label' }
  const told: [changes: Partial<Route>, name: string, url: string][] = [
    [{}, 'a.example/x', 'https://a.example/x'],
    [{ isSecure: false }, 'a.example/x', 'http://a.example/x'],
    [{ path: '/' }, 'a.example', 'https://a.example/'],
    [{ path: null }, 'a.example', 'https://a.example/'],
  ]
  for (const [changes, name, url] of told)
    it(`with ${JSON.stringify(changes)} watches ${url}`, () => {
      assert.deepEqual(proposalOfRoute({ ...route, ...changes }, 'an object', 'Space'), {
        key: `space-${name.replace('/', '-')}`,
        origin: 'an object',
        because: 'a label',
        fields: { name, kind: 'http', url },
      })
    })
})

function proposal(key: string, fields: Proposal['fields'], origin = 'one'): Proposal {
  return { key, origin, because: 'a label', fields }
}

describe('proposals', () => {
  it('are each target once, and what would take the key of another one is told', () => {
    const first = proposal('a', { url: 'https://a.example' })
    const found = distinct({
      proposals: [
        first,
        proposal('a', { kind: 'http', url: 'https://a.example', name: 'Other' }, 'same target'),
        proposal('a', { url: 'https://b.example' }, 'another target'),
        proposal('a', { kind: 'tcp', url: 'https://a.example' }, 'another kind'),
      ],
      leftOut: [{ origin: 'before', message: 'It was left out.' }],
    })
    assert.deepEqual(found.proposals, [first])
    assert.deepEqual(
      found.leftOut.map(({ origin }) => origin),
      ['before', 'another target', 'another kind'],
    )
  })

  it('are as many as a project holds, and those beyond are told', () => {
    const proposals = Array.from({ length: maxProposals + 1 }, (_, at) => proposal(`k${at}`, { url: `https://a${at}` }))
    const found = distinct({ proposals, leftOut: [] })
    assert.equal(found.proposals.length, maxProposals)
    assert.deepEqual(found.leftOut, [
      { origin: 'one', message: `More than ${maxProposals} monitors are too many for one project.` },
    ])
  })
})
