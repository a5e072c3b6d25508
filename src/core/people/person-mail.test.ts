import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { webAddress } from '../../../test/support/web-addresses.ts'
import { consoleLink, localPath } from './person-mail.ts'

describe('a path to go on to after signing in', () => {
  for (const path of ['/', '/claim', '/claim?attempt=1&x=%2F%2Fevil.example', '/monitors/1#bars', '/a//b', '/@evil'])
    it(`may be ${path}`, () => assert.equal(localPath(path), path))

  for (const text of [
    '',
    'claim',
    '//evil.example',
    '/\\evil.example',
    '/x\\..\\evil',
    '/\t/evil.example',
    '/\n/evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    ' /claim',
    `/${'a'.repeat(2000)}`,
    null,
    undefined,
  ])
    it(`may not be ${JSON.stringify(text)}`, () => assert.equal(localPath(text), null))

  it('never leads to another origin, whatever it is', () => {
    const origin = 'https://perigee.example'
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          webAddress,
          fc.string().map((text) => `/${text}`),
        ),
        (text) => {
          const path = localPath(text)
          if (path !== null) assert.equal(new URL(path, origin).origin, origin)
        },
      ),
    )
  })
})

it('a link keeps its secret out of what a browser sends', () => {
  const url = new URL(consoleLink('https://perigee.example', 'sign_in_link', { token: 'a+b', return_to: '/x?y=1' }))
  assert.equal(url.pathname + url.search, '/sign-in/link')
  const parameters = new URLSearchParams(url.hash.slice(1))
  assert.deepEqual([parameters.get('token'), parameters.get('return_to')], ['a+b', '/x?y=1'])
})
