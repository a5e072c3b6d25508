import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { advisoryKeysOf, findCatalogEntry, resolveSoftware, softwareCatalog } from './software-catalog.ts'
import { ecosystems, productKey } from './software-name.ts'

describe('the catalogue', () => {
  it('has at least 150 products, each under a key and a name of its own', () => {
    assert.ok(softwareCatalog.length >= 150)
    assert.equal(new Set(softwareCatalog.map(({ key }) => key)).size, softwareCatalog.length)
    assert.equal(new Set(softwareCatalog.map(({ name }) => name.toLowerCase())).size, softwareCatalog.length)
    for (const { key } of softwareCatalog) assert.match(key, /^[a-z\d][a-z\d.-]{0,39}$/)
  })

  it('finds each by its key, its name and its other names, and no other name twice', () => {
    for (const entry of softwareCatalog)
      for (const text of [entry.key, entry.name, entry.name.toUpperCase(), ...entry.aliases])
        assert.deepEqual(resolveSoftware(` ${text} `), { product: entry.key, name: entry.name }, text)
  })

  it('names other products by the keys that their advisories have', () => {
    for (const { key, advisoryKeys } of softwareCatalog)
      for (const other of advisoryKeys) {
        const [ecosystem = '', ...name] = other.split(':')
        const known = ecosystems.find((each) => each === ecosystem)
        if (known !== undefined) assert.equal(productKey(known, name.join(':')), other, key)
        else assert.match(other, /^bitnami:[a-z\d-]+$/)
      }
  })
})

describe('the name of software', () => {
  const told: [text: string, product: string | null, name?: string][] = [
    ['nginx', 'nginx', 'nginx'],
    [' NGINX ', 'nginx', 'nginx'],
    ['Apache', 'apache-http-server', 'Apache HTTP Server'],
    ['httpd', 'apache-http-server', 'Apache HTTP Server'],
    ['node', 'nodejs', 'Node.js'],
    ['postgres', 'postgresql', 'PostgreSQL'],
    ['joomla', 'joomla', 'Joomla!'],
    ['npm:lodash', 'npm:lodash', 'lodash'],
    ['NPM:lodash', 'npm:lodash', 'lodash'],
    ['pypi:Zope.Interface', 'pypi:zope-interface', 'Zope.Interface'],
    ['maven:org.example:a', 'maven:org.example:a', 'org.example:a'],
    ['cpe:f5:nginx', 'cpe:f5:nginx', 'f5:nginx'],
    ['cpe:f5:*', null],
    ['cpe:f5', null],
    ['npm:', null],
    ['npm:a b', null],
    ['rpm:bash', null],
    ['lodash', null],
    ['', null],
    ['__proto__', null],
    ['constructor', null],
  ]
  for (const [text, product, name] of told)
    it(`${JSON.stringify(text)} is ${product}`, () =>
      assert.deepEqual(resolveSoftware(text), product === null ? null : { product, name }))

  it('is told of any text', () => {
    fc.assert(fc.property(fc.string(), (text) => assert.ok(resolveSoftware(text) === null || text.trim() !== '')))
  })
})

describe('the advisories of a product', () => {
  it('are those of all its names', () => {
    assert.deepEqual(advisoryKeysOf('nginx').slice(0, 2), ['nginx', 'bitnami:nginx'])
    assert.ok(advisoryKeysOf('nginx').includes('cpe:f5:nginx'))
    assert.ok(advisoryKeysOf('django').includes('pypi:django'))
    assert.deepEqual(advisoryKeysOf('npm:lodash'), ['npm:lodash'])
    assert.equal(findCatalogEntry('npm:lodash'), null)
  })
})
