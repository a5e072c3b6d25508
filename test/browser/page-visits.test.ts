// What the kind `browser` sees of pages, well-behaved and hostile ones, with a real Chromium in its box.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { after, describe, it } from 'node:test'
import { WebSocketServer } from 'ws'
import { kindTraits } from '#core/monitors/kind-traits.ts'
import type { Verdict } from '#core/results/result.ts'
import { browser } from '#kinds/browser/browser.ts'
import { createNet } from '#net/create-net.ts'
import type { Net } from '#net/net.ts'
import { configurationOf } from '../support/check.ts'
import { httpServer } from '../support/http-server.ts'
import { openNet } from '../support/net.ts'
import { freePort } from '../support/free-port.ts'
import { rawServer } from '../support/raw-server.ts'
import { testCertificates } from '../support/test-certificates.ts'

type Options = Record<string, unknown>

const pages: Readonly<Record<string, string>> = {
  '/': '<title>Shop</title><h1 style="font-size:60px">Welcome</h1>',
  '/signs-in': `<title>Sign in</title><input id="name"><input id="password" type="password">
    <select id="place"><option value="a">Amsterdam</option><option value="b">Berlin</option></select>
    <button onclick="done()">Sign in</button><p id="told" hidden></p>
    <script>function done() {
      const of = (id) => document.getElementById(id)
      of('told').textContent = 'Hello ' + of('name').value + ' of ' + of('place').value
      of('told').hidden = false
      document.title = 'Account'
      if (of('password').value !== 's3cret word') throw new Error('wrong: ' + of('password').value)
      history.pushState(null, '', '/account')
    }</script>`,
  '/errors': '<script>console.error("bad cart"); setTimeout(() => { throw new Error("late") })</script>',
  '/misses': '<img src="/missing.png"><script src="/gone.js"></script>',
  '/loops': '<script>for (;;);</script>',
  '/grows': '<script>const kept = []; for (;;) kept.push(new Uint8Array(64e6).fill(1))</script>',
  '/floods': '<script>for (let i = 0; i < 1000; i++) console.error("x".repeat(5000) + i)</script>',
  '/asks': '<script>alert(1); confirm(2); prompt(3); print()</script>Done',
  '/opens': '<script>for (let i = 0; i < 50; i++) window.open("/")</script>Done',
  '/hoards': `<script>(async () => {
      const folder = await navigator.storage.getDirectory()
      const file = await (await folder.getFileHandle('x', { create: true })).createWritable()
      try {
        for (let i = 0; i < 2000; i++) await file.write(new Uint8Array(1e6).fill(i))
        document.title = 'Kept'
      } catch {
        document.title = 'Full'
      }
    })()</script>Done`,
  '/moves': `<div id="a"></div><p style="font-size:80px">Text<br>Text<br>Text</p>
    <script>new PerformanceObserver(() => { document.getElementById('a').style.height = '300px' })
      .observe({ type: 'largest-contentful-paint', buffered: true })</script>`,
}
const server = await httpServer(answer)
const site = `http://127.0.0.1:${server.port}`

function answer(request: IncomingMessage, response: ServerResponse): void {
  const path = request.url ?? ''
  if (path === '/hangs') return
  if (path === '/late.png') return void setTimeout(() => response.end(), 60_000).unref()
  if (path === '/broken') return void response.writeHead(503).end('<title>Sorry</title>')
  if (path === '/downloads') return void response.writeHead(200, { 'content-disposition': 'attachment' }).end('x')
  if (path === '/goes') return void response.writeHead(302, { location: '/' }).end()
  if (path === '/huge')
    return void response.writeHead(200, { 'content-type': 'text/html' }).end(Buffer.alloc(80e6, 'a '))
  const page = pages[path]
  response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(page)
}

const scripting = createNet({ allowPrivate: 'all', runsScripts: true })

type Ways = { net?: Net; timeoutMs?: number; wholeMs?: number }

function check(url: string, options: Options = {}, ways: Ways = {}): Promise<Verdict> {
  const { net = openNet, timeoutMs = 8_000, wholeMs = kindTraits.browser.longestCheckMs } = ways
  return browser.check(configurationOf(browser, { url, options, timeoutMs }), net, AbortSignal.timeout(wholeMs))
}

function short({ status, error }: Verdict): [string, string | null] {
  return [status, error]
}

describe('a page in a browser', () => {
  it('is up, with what it took', async () => {
    const { status, error, statusCode, latencyMs, details } = await check(`${site}/goes`)
    assert.deepEqual([status, error, statusCode], ['up', null, 200])
    assert.equal(details['final_url'], `${site}/`)
    assert.equal(details['load_ms'], latencyMs)
    for (const name of ['ttfb_ms', 'fcp_ms', 'lcp_ms']) assert.ok(Number(details[name]) > 0, name)
    assert.equal(details['cls'], 0)
  })

  it('is used step by step, and repeats no secret', async () => {
    const steps = [
      { action: 'fill', element: '#name', value: 'Ann' },
      { action: 'fill', element: '#password', value: '{{password}}' },
      { action: 'select', element: '#place', value: 'Berlin' },
      { action: 'expect_hidden', element: '#told' },
      { action: 'click', element: 'role=button[name="Sign in"]' },
      { action: 'expect_visible', element: '#told' },
      { action: 'expect_text', value: 'Hello Ann of b' },
      { action: 'expect_no_text', element: '#told', value: 'Bob' },
      { action: 'expect_url', value: '/account' },
      { action: 'expect_title', value: 'Account' },
      { action: 'open', value: '/' },
      { action: 'expect_title', value: 'Shop' },
      { action: 'press', value: 'Enter' },
    ]
    const secrets = [{ name: 'password', value: 's3cret word' }]
    const well = await check(`${site}/signs-in`, { steps, secrets, console_errors: 'down' })
    assert.deepEqual([...short(well), well.details['steps']], ['up', null, 13])
    const wrong = await check(
      `${site}/signs-in`,
      {
        steps,
        secrets: [{ name: 'password', value: 'another s3cret' }],
        console_errors: 'down',
      },
      { timeoutMs: 2_000 },
    )
    assert.deepEqual(short(wrong), ['down', 'Step 9 (expect_url): what it expects did not come in time'])
    assert.doesNotMatch(JSON.stringify(wrong), /s3cret/)
    assert.equal(wrong.details['first_console_error'], 'wrong: ••••••••')
  })

  const cases: [what: string, path: string, options: Options, status: string, error: RegExp | null][] = [
    ['answers with an error', '/broken', {}, 'down', /^The page answered with the status 503$/],
    ['never answers', '/hangs', {}, 'down', /^The page did not load within 3000 ms$/],
    ['is a download', '/downloads', {}, 'down', /^The browser could not load the page: /],
    [
      'has errors',
      '/errors',
      { console_errors: 'degraded' },
      'degraded',
      /^The page had 2 errors in the console: bad cart$/,
    ],
    [
      'misses what it needs',
      '/misses',
      { failed_requests: 'degraded' },
      'degraded',
      /^The page had 2 requests that failed: GET .*\/(?:missing\.png|gone\.js): 404$/,
    ],
    [
      'lacks an element',
      '/',
      { steps: [{ action: 'click', element: 'text=Pay' }] },
      'down',
      /^Step 1 \(click\): no element could be used for text=Pay in time$/,
    ],
    ['has no such selector', '/', { steps: [{ action: 'click', element: 'div[' }] }, 'down', /^Step 1 \(click\): /],
    [
      'never ends its script',
      '/loops',
      {},
      'down',
      /^The page did not load within 3000 ms$|^The visit did not end in time$/,
    ],
    ['fills the memory', '/grows', {}, 'down', /^The page (?:crashed in the browser|took more memory|did not load)/],
    [
      'floods the console',
      '/floods',
      { console_errors: 'down' },
      'down',
      /^The page had \d+ errors in the console: x{50,}/,
    ],
    ['asks again and again', '/asks', {}, 'up', null],
    ['opens window after window', '/opens', {}, 'up', null],
    [
      'moves under its reader',
      '/moves',
      { max_cls: 0.01 },
      'degraded',
      /^The page's layout shifted by 0\.\d+, more than 0\.01$/,
    ],
    [
      'hoards files',
      '/hoards',
      { steps: [{ action: 'expect_title', value: 'Kept' }] },
      'down',
      /^The page took more memory|^Step 1 /,
    ],
    ['is huge', '/huge', {}, 'down', /^The (?:page|browser|visit) /],
  ]
  for (const [what, path, options, status, error] of cases)
    it(`that ${what} is ${status}`, async () => {
      const verdict = await check(`${site}${path}`, options, {
        timeoutMs: path === '/floods' || path === '/hoards' ? 10_000 : 3_000,
      })
      assert.equal(verdict.status, status, verdict.error ?? '')
      if (error === null) assert.equal(verdict.error, null)
      else assert.match(verdict.error ?? '', error)
      assert.ok(JSON.stringify(verdict).length < 4_000)
    })

  it('says by what its host could not be reached', async () => {
    const port = await freePort()
    assert.deepEqual(short(await check(`http://127.0.0.1:${port}/`)), [
      'down',
      `Connection refused by 127.0.0.1:${port}`,
    ])
    const { port: mute } = await rawServer((socket) => void socket.end('no HTTP at all'))
    assert.equal((await check(`http://127.0.0.1:${mute}/`)).status, 'down')
    assert.match((await check('https://nowhere.invalid/')).error ?? '', /nowhere\.invalid/)
  })

  it('has to have a certificate that is valid, unless any is accepted', async () => {
    const { selfSigned } = testCertificates()
    const tls = { cert: selfSigned.pem, key: selfSigned.keyPem }
    const { port } = await httpServer((_request, response) => void response.end('<title>Well</title>'), { tls })
    const url = `https://127.0.0.1:${port}/`
    assert.match((await check(url)).error ?? '', /^The browser could not load the page: ERR_CERT_/)
    assert.equal((await check(url, { accept_any_certificate: true })).status, 'up')
  })
})

describe('a script beside the browser', () => {
  const signIn = `
    const { password } = secrets
    console.log('never seen', password)
    await page.fill('#name', 'Ann')
    await page.fill('#password', password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByText('Hello Ann')).toBeVisible()
    await expect(page).toHaveTitle('Account')
    expect(page.url()).toContain('/account')`
  const secrets = [{ name: 'password', value: 's3cret word' }]

  it('does what Playwright does, with the secrets of its monitor', async () => {
    const verdict = await check(
      `${site}/signs-in`,
      { script: signIn, secrets, console_errors: 'down' },
      { net: scripting },
    )
    assert.deepEqual(short(verdict), ['up', null])
    assert.ok(Number(verdict.details['script_ms']) > 0)
  })

  it('runs where the operator allows it, and is told elsewhere', async () => {
    await assert.rejects(check(`${site}/`, { script: '1' }), /^MissingMeans: Scripts are not run at this location/)
  })

  const cases: [what: string, script: string, error: RegExp][] = [
    [
      'expects what is not there',
      "\nawait expect(page.locator('h1')).toHaveText('Farewell')",
      /^The script failed: line 2: expect\(locator\)\.toHaveText\(expected\) failed; Expected: "Farewell"; Received: "Welcome"$/,
    ],
    ['waits for an element', "await page.click('#no')", /^The script failed: line 1: Timeout 3000ms exceeded\.$/],
    ['never yields', 'for (;;);', /^The visit did not end in time$/],
    ['ends its process', 'process.exit(0)', /^The browser ended by itself during the visit$/],
    ['says what the box should say', "process.stdout.write('{}')", /^The browser ended by itself during the visit$/],
    [
      'fills the memory',
      'const kept = []; for (;;) kept.push(Buffer.alloc(64e6, 1))',
      /^The page took more memory|^The browser ended by itself/,
    ],
    [
      'looks for files, secrets and neighbours',
      `const { readdirSync } = process.getBuiltinModule('node:fs')
       const running = readdirSync('/proc').filter((name) => Number(name) > 0).map((id) => readdirSync('/proc/' + id).length > 0)
       throw new Error(JSON.stringify([readdirSync('/').join(), Object.keys(process.env).sort(), process.getuid(), running.length < 30]))`,
      /^The script failed: line 3: \["(?:(?:bin|box|dev|etc|lib\d*|nix|opt|proc|sbin|tmp|usr),?)+",\["HOME","PATH","PWD"\],65534,true\]$/,
    ],
    [
      'dials by itself',
      `const { connect } = process.getBuiltinModule('node:net')
       await new Promise((resolve, reject) => connect(${server.port}, '127.0.0.1', resolve).on('error', reject))`,
      /^The script failed: connect ECONNREFUSED 127\.0\.0\.1:\d+$/,
    ],
  ]
  for (const [what, script, error] of cases)
    it(`that ${what} makes the page down`, async () => {
      const verdict = await check(`${site}/`, { script }, { net: scripting, timeoutMs: 3_000, wholeMs: 12_000 })
      assert.equal(verdict.status, 'down', verdict.error ?? '')
      assert.match(verdict.error ?? '', error)
      assert.ok(JSON.stringify(verdict).length < 4_000)
    })
})

describe('the way out of the box', () => {
  it('leads to no address that checks may not reach, whoever asks for it', async () => {
    let isAsked = false
    const inside = await httpServer((_request, response) => {
      isAsked = true
      response.end('secret')
    })
    const guarded = createNet({ allowPrivate: [`127.0.0.2/32`] })
    const page = `<script>
      fetch('http://127.0.0.1:${inside.port}/').catch(() => {})
      new WebSocket('ws://127.0.0.1:${inside.port}/')
      new Image().src = 'http://[::1]:${inside.port}/'
      const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${inside.port}' }] })
      peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer))
    </script><iframe src="http://localhost:${inside.port}/"></iframe>Done`
    const outside = await httpServer(
      (_request, response) => void response.setHeader('content-type', 'text/html').end(page),
      { host: '127.0.0.2' },
    )
    const verdict = await check(`http://127.0.0.2:${outside.port}/`, {}, { net: guarded })
    assert.equal(isAsked, false)
    assert.equal(verdict.statusCode, 200)
    assert.ok(Number(verdict.details['failed_requests']) >= 2)
  })

  it('carries WebSockets', async () => {
    const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    after(() => sockets.close())
    await once(sockets, 'listening')
    sockets.on('connection', (socket) => socket.send('hello'))
    const address = sockets.address()
    const port = typeof address === 'object' && address !== null ? address.port : assert.fail('no port')
    const page = `<script>new WebSocket('ws://127.0.0.1:${port}/').onmessage = ({ data }) => { document.title = data }</script>`
    const { port: at } = await httpServer(
      (_request, response) => void response.setHeader('content-type', 'text/html').end(page),
    )
    const steps = [{ action: 'expect_title', value: 'hello' }]
    assert.deepEqual(short(await check(`http://127.0.0.1:${at}/`, { steps })), ['up', null])
  })
})
