import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Evidence, maxEvidenceBytes } from '#core/incidents/evidence.ts'
import type { View } from '#core/incidents/view.ts'
import { mask } from '#core/language/mask.ts'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import { noPhases, type Verdict } from '#core/results/result.ts'
import { checkedKinds } from '#kinds/checked-kinds.ts'
import { kinds } from '#kinds/index.ts'
import { createNet } from '#net/create-net.ts'
import { newSight, type Sight } from '#net/ground/sight.ts'
import { createTraffic, newTrace } from '#net/ground/trace.ts'
import { makeCertificate } from '../../test/support/certificates.ts'
import { httpServer } from '../../test/support/http-server.ts'
import { rawServer } from '../../test/support/raw-server.ts'
import { evidenceOf } from './evidence.ts'
import { createFailureEvidence } from './failure-evidence.ts'
import { createFailureStreaks } from './failure-streaks.ts'
import { secretsOf } from '#core/monitors/monitor-secrets.ts'

const notKept = 'Not kept, because the status was as expected, or was told with its body before.'
const traffic = createTraffic()
const net = createNet({ allowPrivate: 'all', traffic })

function configurationOf(changes: Partial<CheckConfiguration>): CheckConfiguration {
  return {
    monitorId: 'm',
    version: 1,
    kind: 'http',
    url: 'http://127.0.0.1',
    method: 'GET',
    timeoutMs: 30_000,
    expectedStatusMin: 200,
    expectedStatusMax: 399,
    keyword: null,
    requestHeaders: {},
    requestBody: null,
    options: {},
    evidence: { keepsBodies: true, rounds: 1 },
    ...changes,
  }
}

/** What is kept of one check by the real kind. */
async function keep(changes: Partial<CheckConfiguration>): Promise<Evidence> {
  const errors: unknown[] = []
  const keeper = createFailureEvidence({
    kinds: checkedKinds,
    isShown: () => true,
    onFailed: (error) => errors.push(error),
  })
  const configuration = configurationOf(changes)
  const sight = keeper.sightFor(configuration)
  assert.ok(sight !== null)
  const verdict = await checkInto(sight, configuration)
  const evidence = await keeper.of({ configuration, verdict, sight })
  assert.deepEqual(errors, [])
  assert.ok(evidence !== null)
  assert.ok(Buffer.byteLength(JSON.stringify(evidence)) <= maxEvidenceBytes)
  return evidence
}

function checkInto(sight: Sight, configuration: CheckConfiguration): Promise<Verdict> {
  return traffic.during(newTrace(null, null, sight), () =>
    kinds[configuration.kind].check(configuration, net, AbortSignal.timeout(configuration.timeoutMs)),
  )
}

describe('the evidence of a check', () => {
  it('has the answer of a server that is out of order, without its cookies', async () => {
    const { port } = await httpServer((_, response) => {
      response.setHeader('set-cookie', ['session=s3cret-session', 'a=b'])
      response.writeHead(500, 'Out of order', { 'x-part': 'pump' })
      response.end('<script>alert(1)</script> über')
    })
    const { answer, failed_assertion, status_code, addresses, phases, error } = await keep({
      url: `http://localhost:${port}/shop`,
    })
    assert.deepEqual([failed_assertion, status_code, error], ['status', 500, 'HTTP status 500, expected 200 to 399'])
    assert.equal(answer?.status_line, 'HTTP/1.1 500 Out of order')
    assert.equal(answer.body, '<script>alert(1)</script> über')
    assert.deepEqual(
      answer.headers.filter(({ name }) => name === 'set-cookie' || name === 'x-part').map(({ value }) => value),
      [mask, 'pump'],
    )
    assert.ok(addresses.resolved.length > 0 && addresses.dialled.length > 0 && phases.connect_ms !== null)
  })

  it('has no copy of a body whose status was as expected, unless something in it may be wrong', async () => {
    const cutShort = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\ncut short'
    const { port } = await rawServer((socket) => socket.once('data', () => socket.end(cutShort)))
    const url = `http://127.0.0.1:${port}/`
    assert.equal((await keep({ url })).answer?.body_note, notKept)
    assert.equal((await keep({ url, keyword: 'complete' })).answer?.body, 'cut short')
  })

  it('copies no body of an outage that lasts, and those of other failures all the same', async () => {
    let status = 500
    const { port } = await httpServer((_, response) => response.writeHead(status).end('out of order'))
    const keeper = createFailureEvidence({
      kinds: checkedKinds,
      isShown: () => true,
      onFailed: (error) => assert.fail(String(error)),
    })
    const check = async (changes: Partial<CheckConfiguration> = {}) => {
      const url = `http://127.0.0.1:${port}/`
      const configuration = configurationOf({ url, evidence: { keepsBodies: true, rounds: 2 }, ...changes })
      const sight = keeper.sightFor(configuration) ?? assert.fail('nothing is kept')
      const verdict = await checkInto(sight, configuration)
      const evidence = await keeper.of({ configuration, verdict, sight })
      return { copied: sight.answer?.bytes, told: evidence?.answer?.body }
    }
    const whole = { copied: 12, told: 'out of order' }
    const nothing = { copied: 0, told: undefined }
    assert.deepEqual([await check(), await check(), await check(), await check()], [whole, whole, nothing, nothing])
    status = 503
    assert.deepEqual([await check(), await check(), await check()], [whole, whole, nothing])
    // The status is expected now, and the text is not there.
    const searching = { expectedStatusMax: 599, keyword: 'ready' }
    assert.deepEqual(await check(searching), whole)
    status = 500
    assert.deepEqual(await check(), whole)
  })

  it('has the certificate that is for another name', async () => {
    const leaf = makeCertificate({ name: 'elsewhere.example', names: ['elsewhere.example'] })
    const { port } = await httpServer((_, response) => response.end(), { tls: { cert: leaf.pem, key: leaf.keyPem } })
    for (const kind of ['http', 'ssl'] as const) {
      const { tls, failure, answer } = await keep({
        kind,
        url: kind === 'ssl' ? `localhost:${port}` : `https://localhost:${port}/`,
      })
      assert.deepEqual(tls?.chain[0]?.names, ['elsewhere.example'])
      assert.equal(answer, null)
      if (kind === 'http') assert.equal(failure?.phase, 'tls')
    }
  })

  it('says where a server was silent, or reset the connection', async () => {
    const silent = await rawServer(() => {})
    assert.deepEqual((await keep({ url: `http://127.0.0.1:${silent.port}/`, timeoutMs: 500 })).failure, {
      phase: 'request',
      code: 'timed_out',
    })
    const resetting = await rawServer((socket) => socket.once('data', () => socket.resetAndDestroy()))
    const { failure } = await keep({ url: `http://127.0.0.1:${resetting.port}/` })
    assert.equal(failure?.code, 'connection_reset')
    assert.deepEqual((await keep({ kind: 'tcp', url: '127.0.0.1:1' })).addresses.dialled, ['127.0.0.1'])
  })

  const hostile = [
    [
      '16 KB of bytes that are no text',
      Buffer.from(Array.from({ length: 20_000 }, (_, index) => (index * 7) % 256)),
      {},
    ],
    ['invalid UTF-8', Buffer.from([0xc3, 0x28, 0x41, 0xff, 0xfe]), {}],
    ['escapes of a terminal', Buffer.from(`${'calm '.repeat(50)}\u001b[2J\u202e\0`), {}],
    ['quotes', Buffer.from('"'.repeat(30_000)), {}],
    [
      '60 KB of headers',
      Buffer.from('a'),
      Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`x-${i}`, 'v'.repeat(1_000)])),
    ],
  ] as const
  for (const [what, body, headers] of hostile)
    it(`is bounded and readable with ${what}`, async () => {
      const { port } = await httpServer((_, response) => {
        response.writeHead(500, headers)
        response.end(body)
      }, {})
      const { answer } = await keep({ url: `http://127.0.0.1:${port}/` })
      assert.equal(answer?.status_line, 'HTTP/1.1 500 Internal Server Error')
      assert.doesNotMatch(answer.body ?? '', /[^\P{C}\n\r\t]/u)
      assert.ok(answer.headers.length > 0)
    })

  it('has no body of a monitor that sends secrets, and its secrets nowhere', async () => {
    const { port } = await httpServer((request, response) => {
      const key = String(request.headers['x-key'])
      response.writeHead(500, {
        'x-plain': key,
        'x-url': encodeURIComponent(key),
        'x-base64': Buffer.from(`robot:${key}`).toString('base64'),
        location: `/login?token=${encodeURIComponent(key)}`,
      })
      response.end(key)
    })
    const key = 'hunter2/+ a secret'
    const evidence = await keep({
      url: `http://127.0.0.1:${port}/`,
      requestHeaders: { 'X-Key': key },
      evidence: { keepsBodies: false, rounds: 1 },
    })
    assert.equal(evidence.answer?.body, null)
    const text = JSON.stringify(evidence)
    for (const form of [key, encodeURIComponent(key), Buffer.from(key).toString('base64')])
      assert.ok(!text.includes(form))
    for (const name of ['x-plain', 'x-url', 'x-base64'])
      assert.equal(evidence.answer.headers.find((header) => header.name === name)?.value, mask)
  })
})

const down: Verdict = {
  status: 'down',
  statusCode: 500,
  latencyMs: 1,
  error: 'It failed',
  phases: noPhases,
  details: {},
}

describe('the secrets of a monitor', () => {
  const found = secretsOf(
    {
      requestHeaders: {
        Accept: 'text/html',
        Authorization: `Basic ${Buffer.from('robot:pass word').toString('base64')}`,
        Cookie: 'a=one-cookie; b=other-cookie',
        'X-Key': 'a key',
        'X-One': '1',
      },
      requestBody: '{"login":{"password":"p4ssword"}}',
      options: {
        steps: [{ body: 'user=me&pin=998877', url: 'https://a' }],
        token: 'an option',
        list: [{ key: 'in a list' }],
      },
    },
    ['token', { list: 'list', member: 'key', sameBy: [] }],
  )
  for (const secret of [
    'pass word',
    'one-cookie',
    'other-cookie',
    'a key',
    'p4ssword',
    '998877',
    'an option',
    'in a list',
  ])
    it(`are ${secret} among others`, () => assert.ok(found.includes(secret)))
  it('are not what everybody sends, nor a single digit', () =>
    assert.ok(!found.includes('text/html') && !found.includes('1')))

  it('stand nowhere in what is kept, in no encoding', () =>
    fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 40 }).filter((text) => text.trim().length >= 8),
        fc.string({ unit: 'grapheme-ascii', maxLength: 40 }),
        async (secret, around) => {
          const encodings = [
            secret,
            encodeURIComponent(secret),
            Buffer.from(secret).toString('base64'),
            Buffer.from(secret).toString('base64url'),
            Buffer.from(`${around}${secret}`).toString('base64'),
          ]
          const sight = newSight(true)
          sight.answer = {
            url: `http://a/?${encodings[1]}`,
            statusLine: 'HTTP/1.1 500 Oops',
            headers: { 'content-type': 'text/plain', location: encodings.join(' ') },
            pieces: [Buffer.from(encodings.join('\n'))],
            hasBody: true,
            bytes: 1,
            isCut: false,
          }
          const evidence = await evidenceOf({ verdict: down, sight, secrets: [secret], isShown: () => true })
          const texts = [
            evidence?.answer?.url,
            evidence?.answer?.body,
            ...(evidence?.answer?.headers ?? []).map(({ value }) => value),
          ]
          const plain = `${around} HTTP/1.1 500 Oops text/plain http://a/?`
          for (const form of encodings)
            if (!plain.includes(form))
              assert.ok(
                texts.every((text) => !text?.includes(form)),
                form,
              )
        },
      ),
    ))

  it('are too many to be looked for: then nothing of the answer is kept', async () => {
    const sight = newSight(true)
    sight.answer = {
      url: 'http://a/',
      statusLine: 'HTTP/1.1 500',
      headers: {},
      pieces: [],
      hasBody: true,
      bytes: 0,
      isCut: false,
    }
    const secrets = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(8_000, 'x'))
    assert.equal((await evidenceOf({ verdict: down, sight, secrets, isShown: () => true }))?.answer, null)
  })
})

describe('a token that a check signed in with', () => {
  it('is not in the evidence, where a server says it again', async () => {
    const token = 'granted.token-1'
    const { port } = await httpServer((request, response) => {
      if (request.url === '/token') response.end(JSON.stringify({ access_token: token, token_type: 'Bearer' }))
      else response.writeHead(500, { 'x-said': request.headers.authorization ?? '' }).end()
    })
    const url = `http://127.0.0.1:${port}/`
    const options = { sign_in: 'oauth2', sign_in_name: 'a', sign_in_secret: 'open sesame', token_url: `${url}token` }
    const evidence = await keep({ url, options })
    assert.ok(evidence.answer?.headers.some(({ name, value }) => name === 'x-said' && value.includes(mask)))
    assert.ok(!JSON.stringify(evidence).includes(token))
  })
})

describe('what a step captured', () => {
  it('is not in the evidence of a later one, in no encoding', async () => {
    const session = 'session/of+ann'
    const { port } = await httpServer((request, response) => {
      if (request.url === '/login') response.end(JSON.stringify({ session }))
      else
        response.writeHead(500, { 'x-session': session, location: `/?s=${encodeURIComponent(session)}` }).end(session)
    })
    const captures = [{ name: 'session', json_path: 'session' }]
    const evidence = await keep({
      kind: 'transaction',
      url: `http://127.0.0.1:${port}/`,
      options: { steps: [{ url: '/login', captures }, { url: '/in?s={{session}}' }] },
    })
    assert.equal(evidence.status_code, 500)
    for (const form of [session, encodeURIComponent(session)]) assert.ok(!JSON.stringify(evidence).includes(form), form)
    assert.ok(evidence.answer?.url.endsWith(`/in?s=${mask}`))
  })
})

describe('addresses that are kept from who reads the results', () => {
  it('are not in the evidence', async () => {
    const sight = newSight(true)
    sight.resolved = ['10.0.0.1', '192.0.2.1']
    const evidence = await evidenceOf({
      verdict: down,
      sight,
      secrets: [],
      isShown: (address) => !address.startsWith('10.'),
    })
    assert.deepEqual(evidence?.addresses.resolved, ['192.0.2.1'])
  })
})

async function viewOf(changes: Partial<CheckConfiguration>): Promise<View | null> {
  const keeper = createFailureEvidence({
    kinds: checkedKinds,
    isShown: (address) => address !== '::1',
    onFailed: (error) => assert.fail(String(error)),
  })
  const configuration = configurationOf(changes)
  const sight = keeper.sightFor(configuration) ?? assert.fail('nothing is kept')
  const verdict = await checkInto(sight, configuration)
  return keeper.viewOf({ configuration, verdict, sight })
}

describe('what a check saw in short', () => {
  it('is told of a check that succeeds, without the secrets of its monitor', async () => {
    const { port } = await httpServer((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: `/token-of-ann/?id=1` }).end()
      else response.writeHead(200, { server: `Ours ${String(request.headers['x-key'])}` }).end('x'.repeat(20_000))
    })
    const requestHeaders = { 'X-Key': 'token-of-ann' }
    const view = await viewOf({ url: `http://localhost:${port}/`, requestHeaders })
    assert.deepEqual(
      [view?.status, view?.status_code, view?.final_url, view?.server, view?.protocol, view?.error],
      ['up', 200, `http://localhost:${port}/${mask}/`, `Ours ${mask}`, 'HTTP/1.1', null],
    )
    assert.deepEqual([view?.addresses.dialled.at(-1), view?.certificate], ['127.0.0.1', null])
    assert.ok(!view?.addresses.resolved.includes('::1'))
  })

  it('is told of one that fails, with the certificate', async () => {
    const leaf = makeCertificate({ name: 'elsewhere.example', names: ['elsewhere.example'] })
    const { port } = await httpServer((_, response) => response.end(), { tls: { cert: leaf.pem, key: leaf.keyPem } })
    const view = await viewOf({ url: `https://localhost:${port}/` })
    assert.deepEqual([view?.status, view?.failure?.phase], ['down', 'tls'])
    assert.equal(view?.certificate?.subject, 'elsewhere.example')
  })

  it('is nothing where the check told nothing', async () => {
    const keeper = createFailureEvidence({ kinds: checkedKinds, isShown: () => true, onFailed: () => assert.fail() })
    assert.equal(
      await keeper.viewOf({ configuration: configurationOf({}), verdict: null, sight: newSight(true) }),
      null,
    )
  })
})

describe('failures worth telling', () => {
  it('are those before an incident opens, and each other one', () => {
    const streaks = createFailureStreaks()
    const wanted = (verdict: Verdict): boolean => streaks.isWanted('m', verdict, 2)
    const other = { ...down, error: 'Another' }
    const up: Verdict = { ...down, status: 'up', error: null }
    const rounds = [down, down, down, other, other, other, up, other]
    assert.deepEqual(rounds.map(wanted), [true, true, false, true, true, false, false, true])
  })
})
