import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../test/support/any-character.ts'
import { fullWebAddress } from '../../test/support/web-addresses.ts'
import type { NatsOptions } from '#bus/nats-options.ts'
import { ConfigError, readConfig } from './config.ts'

const plain: NatsOptions = {
  servers: ['nats.example:4222'],
  isTlsRequired: false,
  login: { type: 'none' },
  tlsFiles: { authorities: null, certificate: null, key: null },
  stream: { replicas: 1, storage: 'file', maxBytes: 1_073_741_824 },
}

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe('what the environment says of NATS', () => {
  const accepted: [string, Record<string, string>, Partial<NatsOptions>][] = [
    ['a host', { PERIGEE_NATS_URL: 'nats://nats.example' }, {}],
    ['a port', { PERIGEE_NATS_URL: 'nats://nats.example:5222/' }, { servers: ['nats.example:5222'] }],
    ['TLS', { PERIGEE_NATS_URL: 'tls://nats.example' }, { isTlsRequired: true }],
    [
      'several',
      { PERIGEE_NATS_URL: 'tls://192.0.2.1:1, tls://[2001:db8::1]:2,tls://c.example' },
      { isTlsRequired: true, servers: ['192.0.2.1:1', '[2001:db8::1]:2', 'c.example:4222'] },
    ],
    [
      'a password',
      { PERIGEE_NATS_URL: 'nats://me:a%2Fb%20c@nats.example' },
      { login: { type: 'password', user: 'me', password: 'a/b c' } },
    ],
    ['a token', { PERIGEE_NATS_URL: 'nats://t0k%3An@nats.example' }, { login: { type: 'token', token: 't0k:n' } }],
    [
      'files',
      {
        PERIGEE_NATS_URL: 'tls://nats.example',
        PERIGEE_NATS_CREDENTIALS: '/etc/perigee/fra.nk',
        PERIGEE_NATS_CA: '/etc/perigee/ca.pem',
        PERIGEE_NATS_CERT: '/etc/perigee/cert.pem',
        PERIGEE_NATS_KEY: '/etc/perigee/key.pem',
      },
      {
        isTlsRequired: true,
        login: { type: 'file', path: '/etc/perigee/fra.nk' },
        tlsFiles: {
          authorities: '/etc/perigee/ca.pem',
          certificate: '/etc/perigee/cert.pem',
          key: '/etc/perigee/key.pem',
        },
      },
    ],
    [
      'the stream',
      {
        PERIGEE_NATS_URL: 'nats://nats.example',
        PERIGEE_NATS_REPLICAS: '3',
        PERIGEE_NATS_STORAGE: 'memory',
        PERIGEE_NATS_MAX_MB: '1',
      },
      { stream: { replicas: 3, storage: 'memory', maxBytes: 1_048_576 } },
    ],
  ]
  for (const [name, environment, expected] of accepted)
    it(`can be ${name}`, () => assert.deepEqual(readConfig(environment).nats, { ...plain, ...expected }))

  const refused: [string, string][] = [
    ['PERIGEE_NATS_REPLICAS', '2'],
    ['PERIGEE_NATS_STORAGE', 'disk'],
    ['PERIGEE_NATS_MAX_MB', '0'],
  ]
  for (const [name, text] of refused)
    it(`may not be ${name}=${text}`, () => {
      const [problem = '', ...more] = problemsOf({ PERIGEE_NATS_URL: 'nats://a', [name]: text })
      assert.match(problem, new RegExp(`^${name} must be .*; it is "${text}"\\.$`))
      assert.deepEqual(more, [])
    })

  const refusedUrls = [
    'nats.example:4222',
    'http://nats.example',
    'nats://',
    'nats://nats.example/path',
    'nats://nats.example?tls=true',
    'nats://a,tls://b',
    'nats://me:hunter2@a,nats://b',
    'nats://%E0%A4%A@a',
    'nats://a,',
    Array.from({ length: 101 }, () => 'nats://a').join(','),
  ]
  for (const text of refusedUrls)
    it(`may not be the address ${text.slice(0, 40)}, which is not shown`, () => {
      const [problem = '', ...more] = problemsOf({ PERIGEE_NATS_URL: text })
      assert.match(
        problem,
        /^PERIGEE_NATS_URL must be up to 100 addresses .*; it is \d+ characters that are not shown\.$/,
      )
      assert.deepEqual(more, [])
    })

  const contradictions: [Record<string, string>, RegExp][] = [
    [{ PERIGEE_NATS_URL: 'nats://me:x@a', PERIGEE_NATS_CREDENTIALS: '/a' }, /Set only one of them/],
    [{ PERIGEE_NATS_URL: 'tls://a', PERIGEE_NATS_CERT: '/a' }, /must be set together/],
    [{ PERIGEE_NATS_URL: 'tls://a', PERIGEE_NATS_KEY: '/a' }, /must be set together/],
    [{ PERIGEE_NATS_URL: 'nats://a', PERIGEE_NATS_CA: '/a' }, /only work with tls/],
  ]
  for (const [environment, expected] of contradictions)
    it(`may not be ${Object.keys(environment).join(' with ')}`, () => {
      const [problem = '', ...more] = problemsOf(environment)
      assert.match(problem, expected)
      assert.deepEqual(more, [])
    })

  it('is refused with nothing but its own error, whatever the text', () => {
    const url = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fullWebAddress.map((text) => text.replace(/^https?/, 'nats')),
      fc.string().map((text) => `nats://${text}@a,${text}`),
    )
    fc.assert(
      fc.property(url, (text) => {
        problemsOf({ PERIGEE_NATS_URL: text })
      }),
      { numRuns: 2_000 },
    )
  })
})
