import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../test/support/any-character.ts'
import { leastCpuMsOf } from '../../test/support/cpu-time.ts'
import { libraryRules } from './library-rules.ts'
import { pageRules, serverTokens } from './page-rules.ts'
import { readScript, readSoftware } from './page-software.ts'
import { readPage } from './web-page.ts'

type Answer = { headers?: Record<string, string>; body?: string; url?: string }

function seen({ headers = {}, body = '', url = 'https://shop.example/' }: Answer): string[] {
  const page = readPage({ url: new URL(url), status: 200, headers, body })
  return readSoftware(page)
    .map(({ product, version }) => (version === null ? product : `${product} ${version}`))
    .toSorted()
}

const script = (src: string): string => `<script src="${src}"></script>`
const generator = (text: string): string => `<META name='Generator' content="${text}"/>`

describe('a server', () => {
  const told: [header: string, value: string, software: string[]][] = [
    ['server', 'nginx/1.27.3', ['nginx 1.27.3']],
    ['server', 'nginx', ['nginx']],
    ['server', 'NGINX/1.18.0 (Ubuntu)', ['nginx 1.18.0', 'ubuntu']],
    [
      'server',
      'Apache/2.4.58 (Ubuntu) OpenSSL/3.0.13 PHP/8.2.1',
      ['apache-http-server 2.4.58', 'openssl 3.0.13', 'php 8.2.1', 'ubuntu'],
    ],
    [
      'server',
      'Apache/2.4.6 (CentOS) OpenSSL/1.0.2k-fips',
      ['apache-http-server 2.4.6', 'centos', 'openssl 1.0.2k-fips'],
    ],
    ['server', 'Microsoft-IIS/10.0', ['iis 10.0']],
    ['server', 'Werkzeug/3.0.1 Python/3.12.1', ['pypi:werkzeug 3.0.1', 'python 3.12.1']],
    ['server', 'nginx/1.24.0 + Phusion Passenger 6.0.17', ['gem:passenger', 'nginx 1.24.0']],
    ['server', 'cloudflare', []],
    ['server', 'Microsoft-HTTPAPI/2.0', []],
    ['server', 'Apache/2.4.6 mod_ssl/2.4.6', ['apache-http-server 2.4.6']],
    ['server', '__proto__/1 constructor/2 (__proto__)', []],
    ['server', '', []],
    ['x-powered-by', 'PHP/8.1.2-1ubuntu2.14', ['php 8.1.2-1ubuntu2.14']],
    ['x-powered-by', 'Express', ['express']],
    ['x-powered-by', 'Next.js 14.1.0', ['nextjs 14.1.0']],
    ['x-powered-by', 'ASP.NET', ['dotnetfx']],
    ['x-aspnet-version', '4.0.30319', ['dotnetfx']],
    ['x-jenkins', '2.440.1', ['jenkins 2.440.1']],
    ['x-generator', 'Drupal 10 (https://www.drupal.org)', ['drupal 10']],
    ['via', '1.1 varnish (Varnish/7.4)', ['varnish 7.4']],
    ['set-cookie', 'PHPSESSID=secret; path=/\nlaravel_session=x', ['laravel', 'php']],
    ['set-cookie', 'a=PHPSESSID=', []],
  ]
  for (const [name, value, software] of told)
    it(`that says "${name}: ${value.slice(0, 60)}" runs ${software.join(', ') || 'nothing known'}`, () =>
      assert.deepEqual(seen({ headers: { [name]: value } }), software))
})

describe('a page', () => {
  const told: [what: string, body: string, software: string[]][] = [
    ['a generator', generator('WordPress 6.5.2'), ['wordpress 6.5.2']],
    [
      'two generators',
      generator('WordPress 6.5.2') + generator('WooCommerce 8.8.2'),
      ['wordpress 6.5.2', 'wp-plugin:woocommerce 8.8.2'],
    ],
    ['a generator in a comment', `<!-- ${generator('WordPress 6.5.2')} -->`, []],
    ['a generator in a script', `<script>'${generator('Ghost 5.8')}'</script>`, []],
    [
      'a library at cdnjs',
      script('https://cdnjs.cloudflare.com/ajax/libs/lodash.js/4.17.20/lodash.min.js'),
      ['npm:lodash 4.17.20'],
    ],
    ['one at jsDelivr', script('//cdn.jsdelivr.net/npm/vue@3.4.21/dist/vue.global.js'), ['npm:vue 3.4.21']],
    [
      'a scoped one',
      script('https://cdn.jsdelivr.net/npm/@popperjs/core@2.11.8/dist/umd/popper.min.js'),
      ['npm:@popperjs/core 2.11.8'],
    ],
    ['one at unpkg', script('https://unpkg.com/react@18.2.0/umd/react.production.min.js'), ['npm:react 18.2.0']],
    ['a range at unpkg', script('https://unpkg.com/react@^18/umd/react.js'), []],
    ['one at Google', script('https://ajax.googleapis.com/ajax/libs/jquery/3.5.1/jquery.min.js'), ['npm:jquery 3.5.1']],
    ['jQuery at its own place', script('https://code.jquery.com/jquery-3.6.0.slim.min.js'), ['npm:jquery 3.6.0']],
    ['jQuery UI there', script('https://code.jquery.com/ui/1.13.2/jquery-ui.min.js'), ['npm:jquery-ui 1.13.2']],
    ['a file with its version', script('/js/jquery-1.12.4.min.js'), ['npm:jquery 1.12.4']],
    [
      'a style sheet of Bootstrap',
      '<link rel="stylesheet" href="https://maxcdn.bootstrapcdn.com/bootstrap/3.4.1/css/bootstrap.min.css">',
      ['npm:bootstrap 3.4.1'],
    ],
    ['a link that is none', '<link rel="author" href="/wp-content/plugins/a/b.css">', []],
    ['Angular', '<app-root ng-version="17.3.1"></app-root>', ['angular 17.3.1']],
    ['an error of nginx', '<hr><center>nginx/1.18.0</center>', ['nginx 1.18.0']],
    [
      'a base for its addresses',
      `<base href="https://unpkg.com/">${script('vue@2.7.16/dist/vue.js')}`,
      ['npm:vue 2.7.16'],
    ],
    ['an address that is none', script('http://[') + script('javascript:alert(1)') + script(''), []],
  ]
  for (const [what, body, software] of told)
    it(`with ${what} shows ${software.join(', ') || 'nothing'}`, () => assert.deepEqual(seen({ body }), software))

  it("of WordPress shows plugins and themes, and no version that is the site's own or a time", () => {
    const body = [
      generator('WordPress 6.5.2'),
      script('/blog/wp-content/plugins/contact-form-7/includes/js/index.js?ver=5.9.3'),
      script('/blog/wp-content/plugins/contact-form-7/includes/swv/js/index.js?ver=5.9.3'),
      script('/blog/wp-content/plugins/akismet/a.js?ver=6.5.2'),
      script('/blog/wp-content/plugins/elementor/b.js?ver=1713345678'),
      '<link rel="stylesheet" href="/blog/wp-content/themes/astra/style.css?ver=4.6.11">',
    ].join('')
    assert.deepEqual(seen({ body }), [
      'wordpress 6.5.2',
      'wp-plugin:akismet',
      'wp-plugin:contact-form-7 5.9.3',
      'wp-plugin:elementor',
      'wp-theme:astra 4.6.11',
    ])
  })

  it('names a product once, with the most exact version', () => {
    const headers = { server: 'nginx', 'x-generator': 'Drupal 10' }
    assert.deepEqual(seen({ headers, body: `${generator('Drupal 10')}<center>nginx/1.18.0</center>` }), [
      'drupal 10',
      'nginx',
    ])
  })
})

describe('the beginning of a script', () => {
  const told: [content: string, software: string][] = [
    ['/*! jQuery v3.4.1 | (c) JS Foundation */', 'npm:jquery 3.4.1'],
    ['/*!\n  * Bootstrap v4.3.1 (https://getbootstrap.com/)', 'npm:bootstrap 4.3.1'],
    ['/*\n AngularJS v1.7.9\n', 'npm:angular 1.7.9'],
  ]
  for (const [content, software] of told)
    it(`tells ${software}`, () =>
      assert.deepEqual(
        readScript(new URL('https://shop.example/a.js'), content).map(
          ({ product, version }) => `${product} ${version}`,
        ),
        [software],
      ))
})

describe('rules', () => {
  it('are about 150 and more, each of a known product', () => {
    assert.ok(pageRules.length + Object.keys(serverTokens).length >= 150)
    assert.ok(libraryRules.length >= 50)
  })

  it('look no further into a page that is nested deeper than browsers nest', () => {
    const before = script('https://unpkg.com/vue@3.4.1/x.js')
    const behind = script('https://unpkg.com/jquery@3.7.1/x.js')
    assert.deepEqual(seen({ body: `${before}${'<div>'.repeat(20_000)}${behind}` }), ['npm:vue 3.4.1'])
    const rows = '<div><p><br></p></div>'.repeat(20_000)
    assert.deepEqual(seen({ body: `${'<div>'.repeat(500)}${rows}${behind}` }), ['npm:jquery 3.7.1'])
  })

  it('read anything, and hostile pages within a moment', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter }), (body, value) => {
        assert.ok(Array.isArray(seen({ body, headers: { server: value, 'set-cookie': value } })))
      }),
    )
    const pieces = [
      '<script src="/skins/a/',
      '<form action="/users/sign_in" ',
      '<script  type="',
      '"buildInfo":{"a":"b",',
      'ng-version="1',
      '/* ! ',
      '<link rel="',
      '(((',
      ' 1.1.1.1',
      '<div>',
      '<svg><script>',
    ]
    for (const piece of pieces) {
      const body = piece.repeat(Math.ceil(1_000_000 / piece.length))
      const ms = leastCpuMsOf(() => {
        seen({ body, headers: { server: body, via: body } })
        readScript(new URL('https://a.example/a.js'), body)
      }, 1000)
      // The thread that looks at long pages has fifteen seconds.
      assert.ok(ms < 1000, `${piece} took ${ms} ms`)
    }
  })
})
