import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, it } from 'node:test'
import { createNet } from '#net/create-net.ts'
import { httpServer } from '../../test/support/http-server.ts'
import { openNet } from '../../test/support/net.ts'
import { freePort } from '../../test/support/free-port.ts'
import { type ScanOutcome, scanWebsite } from './scan.ts'

type Served = { status?: number; headers?: Record<string, string>; body?: string }
type Files = Record<string, Served | string>

/** A website with these files; `asked` has the paths in the order of the requests. */
async function website(files: Files): Promise<{ url: URL; asked: string[]; sent: IncomingMessage['headers'][] }> {
  const asked: string[] = []
  const sent: IncomingMessage['headers'][] = []
  const { port } = await httpServer(({ url = '', headers }, response) => {
    asked.push(url)
    sent.push(headers)
    answer(response, files[url] ?? { status: 404, body: 'not found' })
  })
  return { url: new URL(`http://127.0.0.1:${port}/`), asked, sent }
}

function answer(response: ServerResponse, file: Served | string): void {
  const { status = 200, headers = {}, body = '' } = typeof file === 'string' ? { body: file } : file
  response.writeHead(status, headers)
  response.end(body)
}

function scan(url: URL, headers: Record<string, string> = {}): Promise<ScanOutcome> {
  return scanWebsite({ url, headers }, openNet, AbortSignal.timeout(30_000))
}

function softwareOf(outcome: ScanOutcome): string[] {
  if (outcome.type === 'failed') throw new Error(outcome.problem)
  return outcome.software
    .map(({ product, version }) => (version === null ? product : `${product} ${version}`))
    .toSorted()
}

const script = (src: string): string => `<script src="${src}"></script>`

describe('a scan', () => {
  it('asks WordPress and its parts for the versions that a page does not show', async () => {
    const { url, asked } = await website({
      '/': {
        headers: { server: 'Apache/2.4.62 (Debian)', 'x-powered-by': 'PHP/8.2.26' },
        body: [
          script('/wp-content/plugins/akismet/_inc/akismet.js'),
          script('/wp-content/plugins/woocommerce/assets/cart.js?ver=8.8.2'),
          '<link rel=stylesheet href="/wp-content/themes/astra/style.css">',
        ].join('\n'),
      },
      '/feed/': '<rss><channel><generator>https://wordpress.org/?v=6.5.2</generator></channel></rss>',
      '/wp-content/plugins/akismet/readme.txt': '=== Akismet ===\nRequires at least: 5.8\nStable tag: 5.3.2\n',
      '/wp-content/themes/astra/style.css': '/*\nTheme Name: Astra\nVersion: 4.6.11\n*/',
    })
    assert.deepEqual(softwareOf(await scan(url)), [
      'apache-http-server 2.4.62',
      'debian',
      'php 8.2.26',
      'wordpress 6.5.2',
      'wp-plugin:akismet 5.3.2',
      'wp-plugin:woocommerce 8.8.2',
      'wp-theme:astra 4.6.11',
    ])
    assert.equal(asked[1], '/robots.txt')
  })

  it('guesses no address that robots.txt forbids, nor any while that cannot be read', async () => {
    const page = script('/wp-content/plugins/akismet/a.js')
    const rules = { '/': page, '/robots.txt': 'User-agent: *\nDisallow: /wp-content/' }
    const forbidding = await website(rules)
    assert.deepEqual(softwareOf(await scan(forbidding.url)), ['wordpress', 'wp-plugin:akismet'])
    assert.deepEqual(forbidding.asked, ['/', '/robots.txt', '/feed/', '/wp-content/plugins/akismet/a.js'])
    const broken = await website({ '/': page, '/robots.txt': { status: 503 } })
    await scan(broken.url)
    assert.deepEqual(broken.asked, ['/', '/robots.txt', '/wp-content/plugins/akismet/a.js'])
  })

  it('reads the beginning of scripts whose addresses tell nothing, and none of another site', async () => {
    const other = await website({ '/jquery.js': '/*! jQuery v1.0.0 */' })
    const { url, asked } = await website({
      '/': script('/js/site.js') + script('/js/site.js') + script(new URL('jquery.js', other.url).href),
      '/js/site.js': '/*! jQuery v3.4.1 | (c) JS Foundation and other contributors */ (function(){})()',
    })
    assert.deepEqual(softwareOf(await scan(url)), ['npm:jquery 3.4.1'])
    assert.deepEqual(asked, ['/', '/js/site.js'])
    assert.deepEqual(other.asked, [])
  })

  it('guesses addresses of the website alone, whatever its page names', async () => {
    const other = await website({ '/blog/feed/': '<generator>https://wordpress.org/?v=1.0</generator>' })
    const { url, asked } = await website({
      '/': script(new URL('blog/wp-content/plugins/akismet/a.js', other.url).href),
      '/feed/': '<generator>https://wordpress.org/?v=6.5.2</generator>',
      '/wp-content/plugins/akismet/readme.txt': 'Stable tag: 5.3.2',
    })
    assert.deepEqual(softwareOf(await scan(url)), ['wordpress 6.5.2', 'wp-plugin:akismet 5.3.2'])
    assert.deepEqual(other.asked, [])
    assert.deepEqual(asked, ['/', '/robots.txt', '/feed/', '/wp-content/plugins/akismet/readme.txt'])
  })

  it('makes at most 15 requests', async () => {
    const plugins = Array.from({ length: 40 }, (_, index) => script(`/wp-content/plugins/p${index}/a${index}.js`))
    const { url, asked } = await website({ '/': plugins.join('') })
    await scan(url)
    assert.ok(asked.length <= 15, String(asked.length))
  })

  it('sends the headers of the monitor to its own site alone', async () => {
    const elsewhere = await website({ '/': script('/wp-content/plugins/a/b.js') })
    const { url, sent } = await website({ '/': { status: 302, headers: { location: elsewhere.url.href } } })
    assert.deepEqual(softwareOf(await scan(url, { authorization: 'Bearer secret' })), ['wordpress', 'wp-plugin:a'])
    assert.equal(sent[0]?.authorization, 'Bearer secret')
    assert.ok(elsewhere.sent.length > 1)
    for (const { authorization } of elsewhere.sent) assert.equal(authorization, undefined)
  })

  it('sends each header once, as the monitor spells it or not', async () => {
    const seen: string[][] = []
    const { port } = await httpServer(({ rawHeaders }, response) => {
      seen.push(rawHeaders.map((text, index) => (index % 2 === 0 ? text.toLowerCase() : text)))
      response.end('')
    })
    await scan(new URL(`http://127.0.0.1:${port}/`), {
      'User-Agent': 'Shop',
      Host: 'shop.example',
      ACCEPT: 'text/html',
    })
    const [first = []] = seen
    for (const [name, value] of [
      ['user-agent', 'Shop'],
      ['host', 'shop.example'],
      ['accept', 'text/html'],
    ])
      assert.deepEqual(
        first.filter((_, index) => index % 2 === 1 && first[index - 1] === name),
        [value],
      )
  })

  it('reads what an error page shows', async () => {
    const { url } = await website({ '/': { status: 404, body: '<hr><center>nginx/1.18.0</center>' } })
    assert.deepEqual(softwareOf(await scan(url)), ['nginx 1.18.0'])
  })

  it('says why it failed', async () => {
    const port = await freePort()
    const refused = await scan(new URL(`http://127.0.0.1:${port}/`))
    assert.ok(refused.type === 'failed')
    assert.match(refused.problem, /refused/)
    const guarded = createNet({ allowPrivate: 'none' })
    const target = { url: new URL('http://127.0.0.1:1/'), headers: {} }
    const forbidden = await scanWebsite(target, guarded, AbortSignal.timeout(5000))
    assert.ok(forbidden.type === 'failed')
    assert.match(forbidden.problem, /private|reserved|not allowed/i)
  })
})
