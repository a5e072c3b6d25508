import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { z } from 'zod'
import { kinds } from '#kinds/index.ts'
import { consolePaths, consolePolicy, createConsoleRoutes } from './console-routes.ts'
import { contactForms } from './contact-forms.ts'
import { monitorForms } from './monitor-forms.ts'

const settings = {
  sign_up: 'open',
  public_url: 'https://up.example',
  sends_mail: true,
  payments: 'off',
  countries: ['BG', 'DE'],
  awaits_owner: false,
} as const
const folder = mkdtempSync(join(tmpdir(), 'perigee-console-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const entry = '/console/assets/index-abc.js'
const page = `<!doctype html>\n  <head>\n    <title>Console</title>\n    <script src="${entry}"></script>\n  </head>\n`
const script = 'export const answer = 42\n'.repeat(100)
mkdirSync(join(folder, 'assets'))
writeFileSync(join(folder, 'index.html'), page)
writeFileSync(join(folder, 'sources.txt'), 'not served')
writeFileSync(join(folder, 'favicon.svg'), '<svg/>')
writeFileSync(join(folder, 'push-worker.js'), 'self.skipWaiting()')
writeFileSync(join(folder, 'offline-worker.js'), 'self.skipWaiting()')
writeFileSync(join(folder, 'manifest.webmanifest'), '{}')
writeFileSync(join(folder, 'icon-192.png'), 'picture')
writeFileSync(join(folder, 'assets', 'index-abc.js'), script)
writeFileSync(join(folder, 'assets', 'index-abc.js.br'), brotliCompressSync(script))
writeFileSync(join(folder, 'assets', 'index-abc.js.gz'), gzipSync(script))

const contacts = {
  plain: { options: z.strictObject({}), secretOptions: [] },
  chat: { options: z.strictObject({ room: z.string(), token: z.string().optional() }), secretOptions: ['token'] },
}
const readSettings = async () => settings
const routes = createConsoleRoutes({
  folder,
  readSettings,
  monitorForms: () => monitorForms(kinds),
  contactForms: () => contactForms(contacts),
  pushKey: 'BPublicKey',
})
const asset = entry

async function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return routes.request(path, { headers })
}

describe('the console', () => {
  for (const path of consolePaths)
    it(`is at ${path}, with its policy, and asked for again each time`, async () => {
      const response = await get(path.replaceAll(/:\w+/g, 'anything'))
      assert.equal(response.status, 200)
      assert.equal(await response.text(), page)
      assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
      assert.equal(response.headers.get('content-security-policy'), consolePolicy)
      assert.equal(response.headers.get('cache-control'), 'no-cache')
    })

  it('takes nothing from elsewhere, and nothing inline but pictures', () => {
    const rest = consolePolicy.replace("img-src 'self' data:;", '')
    assert.notEqual(rest, consolePolicy)
    assert.doesNotMatch(rest, /unsafe|https?:|data:|\*/)
    assert.match(consolePolicy, /^default-src 'none';/)
  })

  it('is not sent again while it is the same, and a 304 says the same policy', async () => {
    const tag = (await get('/')).headers.get('etag') ?? ''
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const response = await get('/', { 'If-None-Match': known })
      assert.equal(response.status, 304, known)
      assert.equal(await response.text(), '')
      assert.equal(response.headers.get('content-security-policy'), consolePolicy)
      assert.equal(response.headers.get('etag'), tag)
    }
    assert.equal((await get('/', { 'If-None-Match': '"other"' })).status, 200)
  })

  it('answers HEAD without a body', async () => {
    const response = await routes.request(asset, { method: 'HEAD', headers: { 'Accept-Encoding': 'identity' } })
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-length'), String(script.length))
    assert.equal(await response.text(), '')
  })

  it('says what its pages have to know before anybody signs in', async () => {
    assert.deepEqual(await (await get('/console/settings.json')).json(), settings)
  })

  it('says what the forms of monitors are made from, and keeps secrets marked', async () => {
    const response = await get('/console/monitor-forms.json')
    assert.equal(response.headers.get('content-type'), 'application/json')
    const forms: unknown = JSON.parse(await response.text())
    assert.deepEqual(forms, JSON.parse(JSON.stringify(monitorForms(kinds))))
    const described = monitorForms(kinds)
    assert.deepEqual(Object.keys(described.kinds).toSorted(), Object.keys(kinds).toSorted())
    for (const [name, { secretOptions, isPassive }] of Object.entries(kinds)) {
      const marks = JSON.stringify(described.kinds[name]).match(/"writeOnly":true/g) ?? []
      assert.equal(marks.length, secretOptions.length, name)
      assert.equal(described.kinds[name]?.isPassive, isPassive)
    }
    const tag = response.headers.get('etag') ?? ''
    assert.equal((await get('/console/monitor-forms.json', { 'If-None-Match': tag })).status, 304)
  })

  it('says the key that browsers subscribe to alerts with', async () =>
    assert.deepEqual(await (await get('/console/push-key.json')).json(), { key: 'BPublicKey' }))

  it('has the worker that shows them as a script under one name, asked for again each time', async () => {
    const { status, headers } = await get('/console/push-worker.js')
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/javascript; charset=utf-8')
    assert.equal(headers.get('cache-control'), 'no-cache')
    assert.match(consolePolicy, /worker-src 'self'/)
    assert.equal(headers.get('service-worker-allowed'), null)
  })

  it('lets the worker for times without a connection control pages, and it alone', async () => {
    const { status, headers } = await get('/console/offline-worker.js')
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'no-cache')
    assert.equal(headers.get('service-worker-allowed'), '/')
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; connect-src 'self'")
  })

  it('can be installed: it says its name and its icons', async () => {
    assert.equal((await get('/console/manifest.webmanifest')).headers.get('content-type'), 'application/manifest+json')
    assert.equal((await get('/console/icon-192.png')).headers.get('content-type'), 'image/png')
    assert.match(consolePolicy, /manifest-src 'self'/)
  })

  it('says the same of the forms of contacts', async () => {
    const forms: unknown = JSON.parse(await (await get('/console/contact-forms.json')).text())
    assert.deepEqual(forms, JSON.parse(JSON.stringify(contactForms(contacts))))
    const { plain, chat } = contactForms(contacts)
    assert.deepEqual(plain?.options['properties'], {})
    assert.deepEqual(chat?.options['required'], ['room'])
    assert.equal(JSON.stringify(chat).match(/"writeOnly":true/g)?.length, 1)
  })

  const encodings: [string, string | null][] = [
    ['', null],
    ['identity', null],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.000,gzip;q=0', null],
    ['br ; q=0.5', 'br'],
    ['brotli', null],
  ]
  for (const [accepted, expected] of encodings)
    it(`sends files as ${expected ?? 'they are'} to whoever takes "${accepted}", for ever`, async () => {
      const response = await get(asset, { 'Accept-Encoding': accepted })
      assert.equal(response.headers.get('content-encoding'), expected)
      assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable')
      assert.equal(response.headers.get('vary'), 'Accept-Encoding')
      const bytes = Buffer.from(await response.arrayBuffer())
      assert.equal(response.headers.get('content-length'), String(bytes.length))
      const decoded = expected === 'br' ? brotliDecompressSync(bytes) : expected === 'gzip' ? gunzipSync(bytes) : bytes
      assert.equal(decoded.toString(), script)
    })

  it('has an ETag for each way a file is sent', async () => {
    const tags = ['br', 'gzip', 'identity'].map(async (accepted) =>
      (await get(asset, { 'Accept-Encoding': accepted })).headers.get('etag'),
    )
    assert.equal(new Set(await Promise.all(tags)).size, 3)
  })

  const absent = [
    '/console/index.html',
    '/console/sources.txt',
    '/console/assets/index-abc.js.br',
    '/console/assets/index-old.js',
    '/console/assets/',
    '/console/../package.json',
    '/console/..%2fpackage.json',
    '/console/assets/..%2f..%2f..%2fpackage.json',
    '/console/assets/%2e%2e%2f%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '/console/assets/index-abc.js%00.css',
    '/settings/a/b',
    '/api/v1/monitors',
    '/auth/get-session',
    '/.well-known/anything',
    '/metrics',
    '/ping/token',
    '/favicon.ico',
  ]
  for (const path of absent) it(`leaves ${path} to others`, async () => assert.equal((await get(path)).status, 404))

  it('shows people who mistype an address its own page, and programs a refusal', async () => {
    const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const response = await get('/monitros', browser)
    assert.equal(response.status, 404)
    assert.equal(await response.text(), page)
    assert.equal(response.headers.get('content-security-policy'), consolePolicy)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.equal(response.headers.get('etag'), null)
    for (const path of ['/api/v1/monitros', '/auth/typo', '/console/typo.js', '/.well-known/typo', '/mcp/typo'])
      assert.notEqual(await (await get(path, browser)).text(), page, path)
    assert.notEqual(await (await get('/monitros', { Accept: '*/*' })).text(), page)
  })

  it('never answers with a file that is not of the build', async () => {
    const piece = fc.oneof(
      fc.constantFrom('..', '.', '%2e%2e', '%2f', '%5c', '\\', '', 'assets', 'index.html', 'etc', 'passwd', '%00'),
      fc.string({ maxLength: 8 }),
    )
    const known = new Set([page, script, '<svg/>', JSON.stringify(settings)])
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
        const response = await routes.request(new Request(new URL(`/console/${pieces.join('/')}`, 'http://up.example')))
        if (response.status === 200) assert.ok(known.has(await response.text()))
        else assert.equal(response.status, 404)
      }),
    )
  })
})

describe('without a build', () => {
  it('pages say how to get one, and are there once it is', async () => {
    const later = mkdtempSync(join(folder, 'later-'))
    const own = createConsoleRoutes({
      folder: join(later, 'dist'),
      readSettings,
      monitorForms: () => monitorForms({}),
      contactForms: () => ({}),
      pushKey: null,
    })
    const refused = await own.request('/')
    assert.equal(refused.status, 503)
    assert.match(await refused.text(), /npm run build:web/)
    assert.equal((await own.request('/console/favicon.svg')).status, 404)
    mkdirSync(join(later, 'dist'))
    writeFileSync(join(later, 'dist', 'index.html'), page)
    assert.equal((await own.request('/')).status, 200)
  })
})
