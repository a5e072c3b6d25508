import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Ecosystem, ecosystems, productKey } from './software-name.ts'

describe('a product key', () => {
  const told: [ecosystem: Ecosystem, name: string, key: string | null][] = [
    ['npm', 'lodash', 'npm:lodash'],
    ['npm', '@babel/core', 'npm:@babel/core'],
    ['npm', 'JSONStream', 'npm:JSONStream'],
    ['npm', '__proto__', 'npm:__proto__'],
    ['npm', 'lodash@1.0.0', null],
    ['npm', '@babel', null],
    ['npm', 'a/b', null],
    ['npm', 'a b', null],
    ['composer', 'Symfony/HTTP-Kernel', 'composer:symfony/http-kernel'],
    ['composer', 'php', null],
    ['pypi', 'Zope.Interface__x', 'pypi:zope-interface-x'],
    ['pypi', 'Django', 'pypi:django'],
    ['pypi', '-a', null],
    ['gem', 'rails', 'gem:rails'],
    ['gem', 'RedCloth', 'gem:RedCloth'],
    ['go', 'github.com/Masterminds/semver/v3', 'go:github.com/Masterminds/semver/v3'],
    ['go', 'stdlib', 'go:stdlib'],
    ['go', './fork', null],
    ['go', 'a//b', null],
    ['maven', 'org.apache.logging.log4j:log4j-core', 'maven:org.apache.logging.log4j:log4j-core'],
    ['maven', 'log4j-core', null],
    ['maven', 'a:b:1.0', null],
    ['maven', '${group}:b', null],
    ['nuget', 'Newtonsoft.Json', 'nuget:newtonsoft.json'],
    ['cargo', 'proc-macro2', 'cargo:proc-macro2'],
    ['wp-plugin', 'Contact-Form-7', 'wp-plugin:contact-form-7'],
    ['wp-theme', 'astra', 'wp-theme:astra'],
    ['cpe', 'F5:nginx', 'cpe:f5:nginx'],
    ['cpe', 'joomla:joomla\\!', 'cpe:joomla:joomla\\!'],
    ['cpe', 'erlang:erlang\\/otp', 'cpe:erlang:erlang\\/otp'],
    ['cpe', 'f5:*', null],
    ['cpe', '*:nginx', null],
    ['cpe', 'f5:-', null],
    ['cpe', '-:nginx', null],
    ['cpe', 'nginx', null],
    ...ecosystems.map((ecosystem): [Ecosystem, string, null] => [ecosystem, '', null]),
    ...ecosystems.map((ecosystem): [Ecosystem, string, null] => [ecosystem, 'a\nb', null]),
    ['npm', 'a'.repeat(301), null],
  ]
  for (const [ecosystem, name, key] of told)
    it(`of ${ecosystem} ${JSON.stringify(name.slice(0, 50))} is ${key}`, () =>
      assert.equal(productKey(ecosystem, name), key))

  it('is the same for the name that a key was made of and for the name in the key', () => {
    const name = fc.stringMatching(/^[\w.@:/\\!-]{1,20}$/)
    fc.assert(
      fc.property(fc.constantFrom(...ecosystems), name, (ecosystem, text) => {
        const key = productKey(ecosystem, text)
        if (key !== null) assert.equal(productKey(ecosystem, key.slice(ecosystem.length + 1)), key)
      }),
      { numRuns: 1000 },
    )
  })
})
