import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { unlinked } from './unlinked.ts'

describe('unlinked', () => {
  for (const text of [
    'www.shop.com',
    'WWW2.1shop.com',
    'https://shop.example/a',
    'tel:+1',
    'a@b.com',
    '@all',
    '@user:matrix.org',
    '#shop',
    '~town-square',
    '<!channel>',
    '[a](https://x.example)',
    ':smile:',
    ':100:',
  ])
    it(`leaves nothing to find in ${text}, and changes nothing that is seen`, () => {
      const shown = unlinked(text)
      assert.doesNotMatch(shown, /[@#~<][\w!]|\.\p{L}|www\d?\.\w|:[/+\w]|\]\(/iu)
      assert.equal(shown.replaceAll('\u2060', ''), text)
    })

  for (const text of [
    'Shop API is down.',
    'The server answered 503.',
    '10:00:05 UTC',
    'nginx 1.26.1',
    'Cause: none',
    'x:',
  ])
    it(`leaves ${text} as it is`, () => assert.equal(unlinked(text), text))
})
