import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { harEntry, harExample, harOf } from '../../../../test/support/har-example.ts'
import { ImportError } from '#core/imports/imported.ts'
import { readHar } from './har.ts'

/** As the list of public suffixes has it for these names. */
const siteOf = (host: string): string => host.split('.').slice(-2).join('.')

function read(content: string) {
  const { monitors, notes } = readHar(content, siteOf)
  const [monitor] = monitors
  assert.ok(monitor !== undefined && monitors.length === 1)
  const { steps, secrets } = Object(monitor.input.check_options)
  return { monitor, steps, secrets, notes: notes.map(({ effect, place, message }) => `${effect} ${place}: ${message}`) }
}

function readEntries(...entries: object[]) {
  return read(harOf(entries))
}

const site = 'https://a.example.com'

function part(head: string, value: string): string {
  return `------x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`
}

describe('a recording of a browser', () => {
  it('is one transaction, which hands on what the answers handed out', () => {
    const { monitor, steps, secrets } = read(harExample)
    const { check_options: _, ...input } = monitor.input
    assert.deepEqual(input, {
      name: 'shop.example.com',
      kind: 'transaction',
      url: 'https://shop.example.com/',
      timeout_ms: 10_000,
      contacts: null,
    })
    assert.equal(monitor.isPaused, false)
    assert.deepEqual(secrets, [{ name: 'password', value: 'hunter2' }])
    assert.deepEqual(steps, [
      {
        url: '/login?next=%2Fcart',
        method: 'GET',
        headers: { accept: 'text/html', 'accept-language': 'en' },
        expected_status_min: 200,
        expected_status_max: 200,
        captures: [{ name: 'csrf_token', selector: 'input[name="csrf_token"]', selector_attribute: 'value' }],
      },
      {
        url: '/login',
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin: 'https://shop.example.com',
          referer: 'https://shop.example.com/login',
        },
        body: 'user=ann%40example.com&password={{password}}&csrf_token={{csrf_token}}',
        expected_status_min: 200,
        expected_status_max: 200,
      },
      {
        url: 'https://api.shop.example.com/session',
        method: 'GET',
        expected_status_min: 200,
        expected_status_max: 200,
        captures: [{ name: 'token', json_path: 'access.token' }],
      },
      {
        url: 'https://api.shop.example.com/orders',
        method: 'POST',
        headers: { authorization: 'Bearer {{token}}', 'content-type': 'application/json' },
        body: '{ "item": 7, "note": "a b" }',
        expected_status_min: 201,
        expected_status_max: 201,
        captures: [{ name: 'id', json_path: 'id' }],
      },
      {
        url: 'https://api.shop.example.com/orders/{{id}}',
        method: 'GET',
        expected_status_min: 200,
        expected_status_max: 200,
      },
    ])
  })

  it('says what is left out, and what has to be filled in', () => {
    assert.deepEqual(read(harExample).notes, [
      'lost log.entries: 2 requests are left out: images, fonts, styles, scripts and the like.',
      'lost log.entries: 1 request is left out: they went to other sites than example.com.',
      'changed log.entries[4]: Step 2 sends secrets that were recorded, kept encrypted: "password". Those of an account that is made for this check are better.',
    ])
  })

  it('has the title of its first page', () => {
    const { monitor } = read(harOf([harEntry(site)], 'Sign in\n · Shop'))
    assert.equal(monitor.input.name, 'Sign in · Shop')
    assert.deepEqual([monitor.key, monitor.isPaused], ['sign-in-shop', false])
  })

  it('is as small a kind as its steps allow', () => {
    const kinds = [1, 3, 4, 5, 6, 10].map((steps) => {
      const entries = Array.from({ length: steps }, (_, index) => harEntry(`${site}/${index}`))
      return readEntries(...entries).monitor.input.kind
    })
    const [micro, usual, extended] = ['micro_transaction', 'transaction', 'extended_transaction']
    assert.deepEqual(kinds, [micro, micro, usual, usual, extended, extended])
  })

  it('has at most ten steps', () => {
    const entries = Array.from({ length: 12 }, (_, index) => harEntry(`${site}/${index}`))
    const { steps, notes } = readEntries(...entries)
    assert.equal(steps.length, 10)
    assert.deepEqual(notes, [
      'lost log.entries: A transaction has at most 10 steps. 2 requests are left out, from log.entries[10] on.',
    ])
  })

  it('may take three times as long as it did', () => {
    const slow = { ...harEntry(site), time: 7_100 }
    assert.equal(readEntries(slow).monitor.input.timeout_ms, 22_000)
    assert.equal(readEntries({ ...slow, time: 1e9 }).monitor.input.timeout_ms, 60_000)
  })

  it('is in the order in which it was made', () => {
    const [first, second] = [harEntry(`${site}/first`), harEntry(`${site}/second`)]
    assert.deepEqual(
      readEntries(second, first).steps.map(({ url }: { url: string }) => url),
      ['/first', '/second'],
    )
  })

  const left: [what: string, entry: () => object, note: string][] = [
    [
      'a preflight',
      () => harEntry(`${site}/x`, { method: 'OPTIONS', type: 'preflight' }),
      'checks do not send such requests, such as preflights and WebSockets',
    ],
    [
      'a WebSocket',
      () => harEntry('wss://a.example.com/x', { type: 'websocket' }, { status: 101 }),
      'checks do not send such requests, such as preflights and WebSockets',
    ],
    ['another site', () => harEntry('https://a.example.net/'), 'they went to other sites than example.com'],
    [
      'a font by its type',
      () => harEntry(`${site}/x`, { type: '' }, { mimeType: 'font/woff2' }),
      'images, fonts, styles, scripts and the like',
    ],
    ['a request without an answer', () => harEntry(`${site}/x`, {}, { status: 0 }), 'they have no answer in the file'],
    ['what was asked before', () => harEntry(site), 'the same was asked before'],
  ]
  for (const [what, entry, why] of left)
    it(`leaves out ${what}`, () => {
      const { steps, notes } = readEntries(harEntry(site), entry())
      assert.equal(steps.length, 1)
      assert.deepEqual(notes, [`lost log.entries: 1 request is left out: ${why}.`])
    })

  it('asks the same again after something was sent', () => {
    const { steps } = readEntries(harEntry(site), harEntry(site, { method: 'POST' }), harEntry(site))
    assert.equal(steps.length, 3)
  })

  it('follows redirects as a check does, wherever they lead', () => {
    const { steps, notes } = readEntries(
      harEntry(site, {}, { status: 301, redirectURL: 'https://sso.example.net/#top' }),
      harEntry('https://sso.example.net/', {}, { status: 307, redirectURL: `${site}/in` }),
      harEntry(`${site}/in`, {}, { status: 203 }),
    )
    assert.deepEqual(steps, [{ url: '/', method: 'GET', expected_status_min: 203, expected_status_max: 203 }])
    assert.deepEqual(notes, [])
  })

  const statuses: [status: number, expected: object, notes?: string[]][] = [
    [302, {}],
    [304, { expected_status_min: 200, expected_status_max: 200 }],
    [
      401,
      { expected_status_min: 401, expected_status_max: 401 },
      ['changed log.entries[0]: Step 1 was answered with the status 401, which is what it now expects.'],
    ],
  ]
  for (const [status, expected, expectedNotes = []] of statuses)
    it(`expects what the status ${status} means`, () => {
      const { steps, notes } = readEntries(harEntry(site, {}, { status, redirectURL: '' }))
      assert.deepEqual([steps, notes], [[{ url: '/', method: 'GET', ...expected }], expectedNotes])
    })

  it('says that it begins with cookies', () => {
    const { steps, notes } = readEntries(harEntry(site, { headers: { Cookie: 'session=1' } }))
    assert.equal(steps[0].headers, undefined)
    assert.match(notes.join('\n'), /^changed log\.entries\[0\]: The recording begins with cookies of an earlier visit/)
  })

  it('keeps a credential in the headers, which are sealed', () => {
    const { steps, notes, monitor } = readEntries(harEntry(site, { headers: { 'X-Api-Key': 'k', accept: '*/*' } }))
    assert.deepEqual(steps[0].headers, { 'x-api-key': 'k', accept: '*/*' })
    assert.deepEqual([notes.length, monitor.isPaused], [1, false])
    assert.match(notes[0] ?? '', /^changed .*the header x-api-key that was recorded, kept as a secret/)
  })

  it('keeps secrets apart from addresses and bodies', () => {
    const mimeType = 'application/json'
    const text = '{"user":"ann","new-password" : "x\\"y","pin":1234,"list":["a"],"repeat":{"password":"x\\"y"}}'
    const { steps, secrets, monitor } = readEntries(
      harEntry(`${site}/x?api_key=abc&page=1`, {
        method: 'POST',
        headers: { 'content-type': mimeType },
        form: { mimeType, text },
      }),
    )
    assert.equal(steps[0].url, '/x?api_key={{api_key}}&page=1')
    assert.equal(
      steps[0].body,
      '{"user":"ann","new-password" : "{{new_password}}","pin":{{pin}},"list":["a"],"repeat":{"password":"{{new_password}}"}}',
    )
    assert.deepEqual(secrets, [
      { name: 'new_password', value: 'x"y' },
      { name: 'pin', value: '1234' },
      { name: 'api_key', value: 'abc' },
    ])
    assert.equal(monitor.isPaused, false)
  })

  it('is paused where a secret cannot be kept', () => {
    const mimeType = 'application/x-www-form-urlencoded'
    const fields = Array.from({ length: 21 }, (_, at) => `pin=${at}`)
    for (const body of [`pin=${'x'.repeat(2001)}`, fields.join('&')]) {
      const { steps, secrets, notes, monitor } = readEntries(
        harEntry(site, { method: 'POST', form: { mimeType, text: body } }),
      )
      assert.match(steps[0].body, /pin=$/)
      assert.equal(monitor.isPaused, true)
      assert.ok((secrets ?? []).length <= 20)
      assert.match(notes.join('\n'), /^lost log\.entries\[0\]: Secrets are too long or too many to be imported: "pin"/m)
    }
  })

  it('tells of values that may be good for one visit alone', () => {
    const nonce = 'Zx81hGq0aLp9'
    const { steps, notes } = readEntries(harEntry(`${site}/?state=${nonce}`), harEntry(`${site}/${nonce}`))
    assert.deepEqual([steps[0].url, steps[1].url], [`/?state=${nonce}`, `/${nonce}`])
    assert.deepEqual(notes, [
      'changed log.entries[0]: Step 1 sends values as they were recorded: "state". If they change from visit to visit, capture them in an earlier step.',
      'changed log.entries[1]: Step 2 sends values as they were recorded: a part of its path. If they change from visit to visit, capture them in an earlier step.',
    ])
  })

  it('captures headers, pages in base64 and each value once', () => {
    const token = 'AdAAbbbb1234cccc'
    const page = btoa(`<meta content='${token}x' name=csrf-token>`)
    const encoded = Object(harEntry(site, {}, { text: page, headers: { 'X-Session': token } }))
    encoded.response.content.encoding = 'base64'
    const { steps } = readEntries(
      encoded,
      harEntry(`${site}/a/${token}?t=${token}`, { headers: { 'x-csrf-token': `${token}x` } }),
      harEntry(`${site}/b`, { headers: { authorization: `Token ${token}` } }),
    )
    assert.deepEqual(steps[0].captures, [
      { name: 'csrf_token', selector: 'meta[name="csrf-token"]', selector_attribute: 'content' },
      { name: 'X_Session', header: 'x-session' },
    ])
    assert.equal(steps[1].url, '/a/{{X_Session}}?t={{X_Session}}')
    assert.deepEqual(steps[1].headers, { 'x-csrf-token': '{{csrf_token}}' })
    assert.deepEqual(steps[2].headers, { authorization: 'Token {{X_Session}}' })
  })

  it('sends the fields of a form that has files, without these', () => {
    const type = 'multipart/form-data; boundary=----x'
    const text = `${part('name="a"', '1\r\n2')}${part('name="f"; filename="f.png"', 'PNG')}------x--\r\n`
    const { steps, notes } = readEntries(
      harEntry(site, { method: 'POST', headers: { 'content-type': type }, form: { mimeType: type, text } }),
      harEntry(site, {
        method: 'POST',
        headers: { 'content-type': type },
        form: { mimeType: type, params: [{ name: 'b', value: 'perigee-form' }, { name: 'c' }] },
      }),
    )
    assert.deepEqual(steps[0].headers, { 'content-type': 'multipart/form-data; boundary=perigee-form' })
    assert.equal(
      steps[0].body,
      '--perigee-form\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n2\r\n--perigee-form--\r\n',
    )
    assert.match(
      steps[1].body,
      /^--perigee-form-1\r\n.*name="b"\r\n\r\nperigee-form\r\n--perigee-form-1\r\n.*name="c"/s,
    )
    assert.deepEqual(notes, ['lost log.entries[0]: The file "f" that was sent is left out.'])
  })

  it('sends the fields of a form that has no text', () => {
    const mimeType = 'application/x-www-form-urlencoded'
    const { steps } = readEntries(
      harEntry(site, { method: 'POST', form: { mimeType, params: [{ name: 'a b', value: 'c&d' }] } }),
    )
    assert.equal(steps[0].body, 'a+b=c%26d')
  })

  it('says where a body is not in the file, and where it is too long', () => {
    const empty = Object(harEntry(site, { method: 'POST' }))
    empty.request.bodySize = 9
    const long = harEntry(site, { method: 'POST', form: { mimeType: 'text/plain', text: 'a'.repeat(65_537) } })
    const { steps, notes } = readEntries(empty, long)
    assert.equal(steps.length, 1)
    assert.deepEqual(notes, [
      'lost log.entries[1]: It is left out, because its body has more than 65536 characters.',
      'lost log.entries[0]: The file does not hold the body that was sent. Fill it in.',
    ])
  })

  for (const [what, content] of [
    ['is no JSON', '{'],
    ['is none', '{"log":{}}'],
    ['has no requests', harOf([])],
    ['has none that a check could make', harOf([harEntry('data:,a'), harEntry('nonsense')])],
    ['has wrong entries', '{"log":{"entries":[{"request":{"url":1}}]}}'],
  ] as const)
    it(`is refused where it ${what}`, () => assert.throws(() => readHar(content, siteOf), ImportError))

  it('is read in time, whatever it holds', () => {
    const piece = fc.constantFrom('<input ', '<meta name=', '"', '\\"', 'a', ' ', '=', '{', '[', ':', '&', '%', '{{a}}')
    const mimeType = fc.constantFrom('application/json', 'text/html', 'application/x-www-form-urlencoded')
    fc.assert(
      fc.property(piece, piece, mimeType, (one, other, type) => {
        const text = one.repeat(30_000) + other.repeat(30_000)
        const form = { mimeType: type, text }
        const headers = { 'content-type': type }
        const content = harOf([
          harEntry(site, {}, { mimeType: type, text }),
          harEntry(`${site}/x`, { method: 'POST', headers, form }, { mimeType: type, text }),
        ])
        const startedMs = performance.now()
        readHar(content, siteOf)
        assert.ok(performance.now() - startedMs < 2_000)
      }),
      { numRuns: 60 },
    )
  })
})
