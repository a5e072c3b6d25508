import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { collectionOf, postmanExample, testEvent } from '../../../../test/support/postman-example.ts'
import { ImportError } from '#core/imports/imported.ts'
import { readPostman } from './postman.ts'

function read(...contents: string[]) {
  const { monitors, notes } = readPostman(contents)
  return { monitors, notes: notes.map(({ effect, place, message }) => `${effect} ${place}: ${message}`) }
}

/** The first step of a collection with one request. */
function readRequest(request: object | string, more: object = {}) {
  const { monitors, notes } = read(collectionOf([{ name: 'One', request, event: [] }], more))
  const [monitor] = monitors
  const { steps, ...options } = Object(monitor?.input.check_options)
  return { step: steps?.[0], options, notes, isPaused: monitor?.isPaused }
}

const site = 'https://api.example.com'

function attributes(values: object): object[] {
  return Object.entries(values).map(([key, value]) => ({ key, value }))
}

describe('a collection of Postman', () => {
  it('has one transaction for a folder, whose requests hand on what they got', () => {
    const { monitors, notes } = read(postmanExample(site))
    assert.equal(monitors.length, 1)
    const [{ input, ...monitor } = assert.fail()] = monitors
    assert.deepEqual(monitor, { key: 'shop-order', place: 'item[0]', isPaused: false, history: [] })
    const { check_options: options, ...fields } = input
    assert.deepEqual(fields, {
      name: 'Shop / Order',
      kind: 'micro_transaction',
      url: `${site}/`,
      notes: 'What a customer does every day.',
      contacts: null,
    })
    assert.deepEqual(Object(options).steps, [
      {
        name: 'Sign in',
        url: '/api/login',
        method: 'POST',
        headers: {
          Accept: 'application/json',
          'content-type': 'application/json',
        },
        body: '{"user": "ann@example.com", "password": "{{password}}"}',
        expected_status_min: 200,
        expected_status_max: 200,
        max_latency_ms: 2000,
        captures: [{ name: 'access_token', json_path: 'access.token' }],
      },
      {
        name: 'Order something',
        url: '/api/orders',
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer {{access_token}}' },
        body: '{"item": 7}',
        expected_status_min: 201,
        expected_status_max: 201,
        captures: [{ name: 'order', json_path: 'id' }],
      },
      {
        name: 'See the order',
        url: '/api/orders/{{order}}',
        method: 'GET',
        headers: { authorization: 'Bearer {{access_token}}' },
      },
    ])
    assert.deepEqual(Object(options).secrets, [{ name: 'password', value: 'correct horse' }])
    assert.deepEqual(notes, [])
  })

  it('has a transaction for each folder with requests of its own, in their order', () => {
    const request = { name: 'a', request: site }
    const { monitors } = read(
      collectionOf([
        { name: 'A', item: [{ name: 'B', item: [request] }, request] },
        request,
        { name: 'Empty', item: [] },
      ]),
    )
    assert.deepEqual(
      monitors.map(({ input, place }) => [input.name, place]),
      [
        ['Shop', 'item'],
        ['Shop / A', 'item[0]'],
        ['A / B', 'item[0].item[0]'],
      ],
    )
  })

  it('has ten requests of a folder', () => {
    const { monitors, notes } = read(collectionOf(Array.from({ length: 12 }, () => ({ name: 'a', request: site }))))
    assert.equal(Object(monitors[0]?.input.check_options).steps.length, 10)
    assert.deepEqual(notes, [
      'lost item: A transaction has at most 10 steps. 2 requests are left out, from item[10] on.',
    ])
  })

  it('takes values of an environment before its own', () => {
    const environment = {
      name: 'Live',
      values: [
        { key: 'host', value: 'live.example.com', enabled: true },
        { key: 'a', value: 'b', enabled: false },
      ],
    }
    const { monitors } = read(
      JSON.stringify(environment),
      collectionOf([{ name: 'a', request: 'https://{{host}}/{{a}}/{{n}}' }], {
        variable: [
          { key: 'host', value: 'old.example.com' },
          { id: 'a', value: true },
          { key: 'n', value: 7 },
        ],
      }),
    )
    assert.equal(monitors[0]?.input.url, 'https://live.example.com/')
    assert.equal(Object(monitors[0]?.input.check_options).steps[0].url, '/true/7')
  })

  it('says which values are missing, and is paused', () => {
    const { step, notes, isPaused } = readRequest(
      {
        method: 'GET',
        url: { raw: `${site}/a/:id?b={{c}}`, variable: [] },
        header: [{ key: 'X', value: '{{ $guid }}' }],
      },
      { variable: [{ key: 'd', value: 'e', disabled: true }] },
    )
    assert.deepEqual([step.url, step.headers], ['/a/:id?b={{c}}', { X: '{{ $guid }}' }])
    assert.equal(isPaused, true)
    assert.deepEqual(notes, [
      'lost item[0]: Step 1 needs values that are not in the file: "c", ":id", "$guid". Fill them in. Until then the monitor is paused.',
    ])
  })

  it('leaves out what has no host, or speaks no HTTP', () => {
    const { monitors, notes } = read(
      collectionOf([
        { name: 'a', request: '{{base}}/a' },
        { name: 'b', request: 'wss://a.example' },
        { name: 'c', request: {} },
      ]),
    )
    assert.deepEqual(monitors, [])
    assert.deepEqual(notes, [
      'lost item[0]: It is left out, because its host is not in the file: http://{{base}}/a',
      'lost item[1]: It is left out, because it is no request of HTTP: wss://a.example',
      'lost item[2]: It is left out, because it is no request of HTTP: ',
    ])
  })

  const addresses: [what: string, url: unknown, address: string][] = [
    ['without a scheme', 'api.example.com/a#b', '/a'],
    [
      'of parts',
      {
        protocol: 'http',
        host: ['api', 'example', 'com'],
        port: '8080',
        path: ['a', 'b'],
        query: [
          { key: 'c', value: 'd' },
          { key: 'e', value: null },
          { key: 'f', value: 'g', disabled: true },
        ],
      },
      '/a/b?c=d&e',
    ],
    ['of texts', { host: 'api.example.com', path: '/a' }, '/a'],
    [
      'with a value that is encoded',
      {
        raw: `${site}/:a/:b`,
        variable: [
          { key: 'a', value: 'x/ü' },
          { key: 'b', value: '' },
        ],
      },
      '/x%2F%C3%BC/',
    ],
  ]
  for (const [what, url, address] of addresses)
    it(`has an address ${what}`, () => assert.equal(readRequest({ url }).step.url, address))

  const bodies: [what: string, body: object, sent: string | undefined, type: string | undefined, notes?: string[]][] = [
    ['a text', { mode: 'raw', raw: 'a' }, 'a', 'text/plain'],
    ['an empty text', { mode: 'raw', raw: '' }, undefined, undefined],
    ['XML', { mode: 'raw', raw: '<a/>', options: { raw: { language: 'xml' } } }, '<a/>', 'application/xml'],
    ['nothing where it is off', { mode: 'raw', raw: 'a', disabled: true }, undefined, undefined],
    [
      'a form',
      {
        mode: 'urlencoded',
        urlencoded: [
          { key: 'a b', value: 'c&d' },
          { key: 'e', value: 'f', disabled: true },
        ],
      },
      'a%20b=c%26d',
      'application/x-www-form-urlencoded',
    ],
    [
      'a question of GraphQL',
      { mode: 'graphql', graphql: { query: '{ a }', variables: '{"b": 1}' } },
      '{"query":"{ a }","variables":{"b":1}}',
      'application/json',
    ],
    [
      'a question of GraphQL alone',
      { mode: 'graphql', graphql: { query: '{ a }', variables: '' } },
      '{"query":"{ a }"}',
      'application/json',
    ],
    [
      'a file',
      { mode: 'file', file: { src: 'a' } },
      undefined,
      undefined,
      ['lost item[0]: Its body is left out, because it is no part of the file (file).'],
    ],
  ]
  for (const [what, body, sent, type, expectedNotes = []] of bodies)
    it(`sends ${what}`, () => {
      const { step, notes } = readRequest({ method: 'POST', url: site, body })
      assert.deepEqual([step.body, step.headers?.['content-type'], notes], [sent, type, expectedNotes])
    })

  it('sends the texts of a form with parts', () => {
    const formdata = [
      { key: 'a', value: '1', type: 'text' },
      { key: 'b', src: 'c.png', type: 'file' },
    ]
    const { step, notes } = readRequest({
      method: 'POST',
      url: site,
      header: [{ key: 'Content-Type', value: 'multipart/form-data' }],
      body: { mode: 'formdata', formdata },
    })
    assert.deepEqual(step.headers, { 'content-type': 'multipart/form-data; boundary=perigee-form' })
    assert.match(step.body, /name="a"\r\n\r\n1\r\n--perigee-form--/)
    assert.deepEqual(notes, ['lost item[0]: The file "b" that it sends is left out.'])
  })

  it('has headers of old collections, and none that are off', () => {
    assert.deepEqual(readRequest({ url: site, header: 'A: b\nC: d:e\n\n' }).step.headers, { A: 'b', C: 'd:e' })
    const header = [
      { key: 'A', value: 'b', disabled: true },
      { key: 'Content-Type', value: 'a/b' },
    ]
    assert.deepEqual(readRequest({ url: site, header, body: { mode: 'raw', raw: 'c' } }).step.headers, {
      'Content-Type': 'a/b',
    })
  })

  const signing: [
    type: string,
    values: object,
    found: { header?: object; url?: string; options?: object },
    note?: RegExp,
  ][] = [
    ['noauth', {}, {}],
    ['basic', { username: 'ann', password: 'b' }, { header: { authorization: 'Basic YW5uOmI=' } }],
    ['bearer', { token: 't' }, { header: { authorization: 'Bearer t' } }],
    ['apikey', { key: 'X-Key', value: 'k', in: 'header' }, { header: { 'X-Key': 'k' } }],
    [
      'apikey',
      { key: 'q', value: 'k&', in: 'query' },
      { url: '/?q={{q}}', options: { secrets: [{ name: 'q', value: 'k&' }] } },
    ],
    [
      'digest',
      { username: 'ann', password: 'b' },
      { options: { sign_in: 'digest', sign_in_name: 'ann', sign_in_secret: 'b' } },
    ],
    [
      'awsv4',
      { accessKey: 'a', secretKey: 'b', region: 'eu-central-1', service: 's3', sessionToken: 'x' },
      {
        options: {
          sign_in: 'aws',
          sign_in_name: 'a',
          sign_in_secret: 'b',
          aws_region: 'eu-central-1',
          aws_service: 's3',
        },
      },
      /session token of AWS/,
    ],
    [
      'oauth2',
      {
        grant_type: 'client_credentials',
        accessTokenUrl: `${site}/token`,
        clientId: 'a',
        clientSecret: 'b',
        scope: 'c',
        client_authentication: 'body',
      },
      {
        options: {
          sign_in: 'oauth2',
          sign_in_name: 'a',
          sign_in_secret: 'b',
          token_url: `${site}/token`,
          token_method: 'post',
          token_scope: 'c',
        },
      },
    ],
    [
      'oauth2',
      { grant_type: 'authorization_code', accessToken: 't', headerPrefix: 'Token ' },
      { header: { authorization: 'Token t' } },
      /fails once the token expires/,
    ],
    [
      'oauth2',
      { accessToken: 't', addTokenTo: 'queryParams' },
      { url: '/?access_token={{access_token}}', options: { secrets: [{ name: 'access_token', value: 't' }] } },
      /fails once the token expires/,
    ],
    ['oauth2', { grant_type: 'implicit' }, {}, /A person has to ask for its token/],
    ['hawk', {}, {}, /do not sign in by hawk/],
  ]
  for (const [type, values, { header, url = '/', options = {} }, note] of signing)
    it(`signs in by ${type} with ${JSON.stringify(values)}`, () => {
      const found = readRequest({ url: site, auth: { type, [type]: attributes(values) } })
      assert.deepEqual([found.step.headers, found.step.url, found.options], [header, url, options])
      if (note !== undefined) assert.match(found.notes.join('\n'), note)
      assert.deepEqual(readRequest({ url: site, auth: { type, [type]: values } }).step, found.step)
    })

  it('keeps secrets apart from addresses and bodies', () => {
    const urlencoded = [
      { key: 'user', value: 'a' },
      { key: 'password', value: 'b c' },
    ]
    const { step, options } = readRequest({
      method: 'POST',
      url: `${site}/?token=t&again=t&page_token={{n}}`,
      body: { mode: 'urlencoded', urlencoded },
    })
    assert.equal(step.url, '/?token={{token}}&again=t&page_token={{n}}')
    assert.equal(step.body, 'user=a&password={{password}}')
    assert.deepEqual(options.secrets, [
      { name: 'token', value: 't' },
      { name: 'password', value: 'b c' },
    ])
    const formdata = { mode: 'formdata', formdata: [{ key: 'pin', value: 1234 }] }
    assert.match(readRequest({ method: 'POST', url: site, body: formdata }).step.body, /\r\n\r\n\{\{pin\}\}\r\n/)
  })

  it('signs in as its folder does, unless a request says otherwise', () => {
    const digest = { type: 'digest', digest: attributes({ username: 'a', password: 'b' }) }
    const { monitors, notes } = read(
      collectionOf([
        {
          name: 'F',
          auth: digest,
          item: [
            { name: 'a', request: { url: site } },
            { name: 'b', request: { url: site, auth: { type: 'noauth' } } },
          ],
        },
      ]),
    )
    const { sign_in: way } = Object(monitors[0]?.input.check_options)
    assert.equal(way, 'digest')
    assert.deepEqual(notes, [
      "changed item[0]: All steps to the first one's server sign in by digest, because a transaction signs in in one way.",
    ])
  })

  it('runs no scripts, and says so', () => {
    const event = [
      { listen: 'prerequest', script: { exec: 'a()' } },
      { listen: 'test', script: { exec: ['b()', ''] } },
      { listen: 'test', disabled: true, script: { exec: ['c()'] } },
    ]
    const { notes } = read(collectionOf([{ name: 'a', request: site, event }], { event: testEvent('d()') }))
    assert.deepEqual(notes, [
      'lost event: No scripts are run, so those of the folder are left out.',
      'lost item[0].event: No scripts are run, so the one before its request is left out.',
      'lost item[0].event: A part of its tests is left out: b',
    ])
    assert.deepEqual(read(collectionOf([{ name: 'a', request: site }], { event: testEvent('', ' ') })).notes, [])
  })

  it('ends where variables name each other for ever', () => {
    const variable = Array.from({ length: 12 }, (_, at) => ({ key: `v${at}`, value: `{{v${at + 1}}}`.repeat(100) }))
    assert.throws(() => read(collectionOf([{ name: 'a', request: `${site}/{{v0}}` }], { variable })), ImportError)
    const { step } = readRequest(`${site}/{{a}}`, { variable: [{ key: 'a', value: '{{a}}' }] })
    assert.equal(step.url, '/{{a}}')
  })

  for (const [what, ...contents] of [
    ['is no JSON', '{'],
    ['is another thing', '{"info":{}}'],
    ['has another version', '{"info":{"schema":"https://schema.getpostman.com/json/collection/v3.0.0/"},"item":[]}'],
    ['has no requests', collectionOf([])],
    ['is an environment alone', '{"values":[]}'],
    ['is several', collectionOf([]), collectionOf([])],
  ] as const)
    it(`is refused where it ${what}`, () => assert.throws(() => readPostman(contents), ImportError))
})
