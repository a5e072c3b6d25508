import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { webPath } from '../../test/support/web-addresses.ts'
import { readRobots } from './robots.ts'

const everybody = (...rules: string[]): string => ['User-agent: *', ...rules].join('\n')

describe('robots.txt', () => {
  const told: [text: string, path: string, isAllowed: boolean][] = [
    ['', '/a', true],
    ['<html>not found</html>', '/a', true],
    [everybody('Disallow:'), '/a', true],
    [everybody('Disallow: /'), '/a', false],
    [everybody('Disallow: /a'), '/ab', false],
    [everybody('Disallow: /a/'), '/ab', true],
    [everybody('Disallow: /', 'Allow: /wp-content/'), '/wp-content/x', true],
    [everybody('Allow: /wp-content/', 'Disallow: /'), '/feed/', false],
    [everybody('Allow: /a', 'Disallow: /a'), '/a', true],
    [everybody('Disallow: /*.txt$'), '/a/readme.txt', false],
    [everybody('Disallow: /*.txt$'), '/a/readme.txt?x=1', true],
    [everybody('Disallow: /a*b*c'), '/axxbxxc', false],
    [everybody('Disallow: /a*b*c'), '/axxcxxb', true],
    [everybody('Disallow: /a$'), '/a', false],
    [everybody('Disallow: /a$'), '/ab', true],
    [everybody('Disallow: /*?'), '/a?b', false],
    [everybody('disallow : /a # because'), '/a', false],
    ['User-agent: other\nDisallow: /', '/a', true],
    ['User-agent: other\nUser-agent: perigee\nDisallow: /', '/a', false],
    ['User-agent: *\nDisallow: /\n\nUser-agent: Perigee/1\nDisallow: /b', '/a', true],
    ['User-agent: *\nDisallow: /\r\rUser-agent: perigee\r\nAllow: /', '/a', true],
    ['Disallow: /', '/a', true],
    [everybody('Disallow: /a**'), '/a', false],
  ]
  for (const [text, path, isAllowed] of told)
    it(`${JSON.stringify(text)} ${isAllowed ? 'allows' : 'forbids'} ${path}`, () =>
      assert.equal(readRobots(text, 'Perigee')(path), isAllowed))

  it('is read whatever it says, and quickly', () => {
    const line = fc.oneof(fc.string(), fc.constantFrom('User-agent: *', 'Disallow: /*a*$', 'Allow: /', 'Disallow: ***'))
    fc.assert(
      fc.property(fc.array(line), webPath, (lines, path) => {
        assert.equal(typeof readRobots(lines.join('\n'), 'Perigee')(path), 'boolean')
      }),
    )
    const hostile = everybody(`Disallow: /${'*a'.repeat(500)}$`)
    assert.equal(readRobots(hostile, 'Perigee')(`/${'a'.repeat(400)}b`), true)
  })
})
