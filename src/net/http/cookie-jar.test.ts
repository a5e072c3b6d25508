import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { createCookieJar } from './cookie-jar.ts'
import { writeHead } from './http-message.ts'

const shop = new URL('https://shop.example.com/cart/items')

/** The cookies that are sent to `to` after an answer of `from` set these. */
function sent(setCookies: string, from: URL | string = shop, to: URL | string = from): string | null {
  const jar = createCookieJar()
  jar.keep(new URL(from), setCookies)
  return jar.headerFor(new URL(to))
}

describe('a cookie jar', () => {
  const cases: [what: string, setCookies: string, from: string | URL, to: string | URL, expected: string | null][] = [
    ['sends nothing at first', '', shop, shop, null],
    ['sends what was set', 'a=1', shop, shop, 'a=1'],
    ['keeps several', 'a=1; HttpOnly\nb=2; Path=/; SameSite=Strict', shop, shop, 'a=1; b=2'],
    ['keeps the newest of one name', 'a=1\na=2', shop, shop, 'a=2'],
    ['forgets what has expired', 'a=1\na=2; Max-Age=0', shop, shop, null],
    ['keeps a host cookie to its host', 'a=1; Path=/', shop, 'https://www.example.com/', null],
    ['shares a domain cookie', 'a=1; Path=/; Domain=example.com', shop, 'https://www.example.com/', 'a=1'],
    ["sets none for others' domains", 'a=1; Path=/; Domain=example.org', shop, 'https://example.org/', null],
    ['sets none for a public suffix', 'a=1; Path=/; Domain=co.uk', 'https://a.co.uk/', 'https://b.co.uk/', null],
    [
      'sets none for a suffix of tenants',
      'a=1; Domain=github.io',
      'https://a.github.io/',
      'https://b.github.io/',
      null,
    ],
    ['keeps to the path', 'a=1; Path=/cart', shop, 'https://shop.example.com/', null],
    ['keeps to the directory where no path is set', 'a=1', shop, 'https://shop.example.com/cart/x', 'a=1'],
    ['sends secure ones over TLS only', 'a=1; Path=/; Secure', shop, 'http://shop.example.com/', null],
    ['does not tell ports apart', 'a=1', 'http://127.0.0.1:8000/', 'http://127.0.0.1:9000/', 'a=1'],
    ['works with IPv6 addresses', 'a=1', 'http://[::1]:8000/', 'http://[::1]:8000/x', 'a=1'],
    ['works with names of this machine', 'a=1', 'http://localhost:8000/', 'http://localhost:8000/', 'a=1'],
    ['works with names of one label', 'a=1', 'http://shop/', 'http://shop/', 'a=1'],
    ['ignores what is no cookie', '=\n;\nname', shop, shop, null],
    ['ignores one that is too long', `a=${'x'.repeat(4096)}`, shop, shop, null],
    ['keeps one that is as long as browsers keep', `a=${'x'.repeat(4094)}`, shop, shop, `a=${'x'.repeat(4094)}`],
    ['ignores one that no header can carry', 'a=\u0001', shop, shop, null],
  ]
  for (const [what, setCookies, from, to, expected] of cases)
    it(what, () => assert.equal(sent(setCookies, from, to), expected))

  it('takes a bounded amount', () => {
    const jar = createCookieJar()
    for (let index = 0; index < 1000; index++) jar.keep(shop, `c${index}=${'x'.repeat(1000)}`)
    const { length } = jar.headerFor(shop) ?? ''
    assert.ok(length > 200_000 && length <= 256 * 1024 + 1000, `${length}`)
  })

  it('takes 256 KiB in all, and not a byte more', () => {
    const full = createCookieJar()
    for (let index = 10; index < 74; index += 1) full.keep(shop, `c${index}=${'x'.repeat(4092)}`)
    const before = full.headerFor(shop)
    assert.equal(before?.split('; ').length, 64)
    full.keep(shop, 'd=')
    assert.equal(full.headerFor(shop), before)
  })

  it('makes a header that can be sent of whatever a server sets', () => {
    const wild = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 60 }),
      fc
        .array(fc.constantFrom('a', '=', ';', ' ', '"', 'Domain', 'Path=/', 'Max-Age=', 'Expires=', '-1', '\xff', '\t'))
        .map((pieces) => pieces.join('')),
    )
    fc.assert(
      fc.property(fc.array(wild), (cookies) => {
        const header = sent(cookies.join('\n'))
        if (header !== null) writeHead({ url: shop, method: 'GET', headers: { cookie: header }, body: null })
      }),
      { numRuns: 2000 },
    )
  })
})
