import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { signatureHeaders, signInByAws } from './aws-signature.ts'

const credentials = { name: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
const at = new Date('2015-08-30T12:36:00Z')
const usual = { region: 'us-east-1', service: 'service' }

function signed(path: string, { method = 'GET', body = '', headers = {}, scope = usual } = {}): Record<string, string> {
  const url = new URL(`https://example.amazonaws.com${path}`)
  return signatureHeaders({ url, method, headers, body: body === '' ? null : body }, { credentials, scope, at })
}

function signatureOf(headers: Record<string, string>): string {
  return /Signature=([\da-f]{64})$/.exec(headers['authorization'] ?? '')?.[1] ?? assert.fail('It has no signature.')
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** As AWS describes it, from the canonical request on. */
function expected(lines: readonly string[], { region, service }: typeof usual): string {
  const hash = createHash('sha256').update(lines.join('\n')).digest('hex')
  const key = hmac(hmac(hmac(hmac(`AWS4${credentials.secret}`, '20150830'), region), service), 'aws4_request')
  const place = `20150830/${region}/${service}/aws4_request`
  return hmac(key, `AWS4-HMAC-SHA256\n20150830T123600Z\n${place}\n${hash}`).toString('hex')
}

const empty = createHash('sha256').update('').digest('hex')

describe('a signature of AWS', () => {
  // The names and signatures of AWS's own aws-sig-v4-test-suite.
  for (const [name, path, method, signature] of [
    ['get-vanilla', '/', 'GET', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
    [
      'get-vanilla-query-order-key-case',
      '/?Param2=value2&Param1=value1',
      'GET',
      'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
    ],
    ['post-vanilla', '/', 'POST', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
  ] as const)
    it(`is that of ${name}`, () => {
      const headers = signed(path, { method })
      assert.equal(signatureOf(headers), signature)
      assert.equal(headers['x-amz-date'], '20150830T123600Z')
      assert.match(
        headers['authorization'] ?? '',
        /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/20150830\/us-east-1\/service\/aws4_request, SignedHeaders=host;x-amz-date, /,
      )
    })

  it('encodes the path twice, and the query by its names', () => {
    const canonical = [
      'GET',
      '/a%2520b/%2524%2561',
      'a%2Fb=1%202&empty=&x=%C3%A4&x=a%3Db',
      'host:example.amazonaws.com',
      'x-amz-date:20150830T123600Z',
      '',
      'host;x-amz-date',
      empty,
    ]
    const headers = signed('/a%20b/$%61?x=a=b&x=%c3%a4&empty&a/b=1+2')
    assert.equal(signatureOf(headers), expected(canonical, usual))
  })

  it('of S3 encodes the path once, and covers the body and its type', () => {
    const scope = { ...usual, service: 's3' }
    const body = '{"a":1}'
    const digest = createHash('sha256').update(body).digest('hex')
    const canonical = [
      'PUT',
      '/bucket/a%20b%24',
      '',
      'content-type:application/json',
      'host:example.amazonaws.com',
      `x-amz-content-sha256:${digest}`,
      'x-amz-date:20150830T123600Z',
      '',
      'content-type;host;x-amz-content-sha256;x-amz-date',
      digest,
    ]
    const headers = signed('/bucket/a%20b$', {
      method: 'PUT',
      body,
      headers: { 'content-type': 'application/json' },
      scope,
    })
    assert.equal(signatureOf(headers), expected(canonical, scope))
    assert.equal(headers['x-amz-content-sha256'], digest)
  })

  it('is made anew for each message, and tells when it is refused', () => {
    const signIn = signInByAws(credentials, usual, () => at)
    const message = { url: new URL('https://example.amazonaws.com/'), method: 'GET', headers: {}, body: null }
    assert.deepEqual(signIn.headersFor(message), signed('/'))
    assert.equal(signIn.refusal(), null)
    assert.equal(signIn.answerTo(message, ''), null)
    assert.equal(signIn.refusal(), 'the server refuses the signature')
  })
})
