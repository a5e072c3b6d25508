import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { importedCallsSchema, importedPath, readingOfPush, readingsOfPing } from './imported-calls.ts'

const uuid = '31365bce-8da9-4729-8ff3-aaa71d56b712'
const key = 'fqOOd6-F4MMNuCEnzTU01w'

describe('an address of /ping/', () => {
  const cases: [parts: string[], readings: [address: string, call: string | null][]][] = [
    [['token'], [['token', 'succeeded']]],
    [['token', 'start'], [['token', 'started']]],
    [['token', 'log'], [['token', 'logged']]],
    [
      [uuid],
      [
        [uuid, 'succeeded'],
        [`/ping/${uuid}`, 'succeeded'],
      ],
    ],
    [
      [uuid.toUpperCase(), 'start'],
      [
        [uuid.toUpperCase(), 'started'],
        [`/ping/${uuid}`, 'started'],
      ],
    ],
    [
      [uuid, 'log'],
      [
        [uuid, 'logged'],
        [`/ping/${uuid}`, 'logged'],
      ],
    ],
    [
      [uuid, '3'],
      [
        [uuid, 'failed'],
        [`/ping/${uuid}`, 'failed'],
      ],
    ],
    [[uuid, 'start', 'fail'], []],
    [
      [key, 'db-backup'],
      [
        [key, null],
        [`/ping/${key}/db-backup`, 'succeeded'],
      ],
    ],
    [[key, 'db-backup', 'fail'], [[`/ping/${key}/db-backup`, 'failed']]],
    [[key, 'db-backup', 'log'], [[`/ping/${key}/db-backup`, 'logged']]],
    [[key, 'db-backup', 'other'], [[`/ping/${key}/db-backup`, null]]],
    [['short', 'slug', 'fail'], []],
  ]
  for (const [parts, expected] of cases)
    it(`that ends in ${parts.join('/')} is read`, () => {
      const readings = readingsOfPing(parts).map(({ address, call }) => [
        address.type === 'own' ? address.token : address.path,
        call?.type ?? null,
      ])
      assert.deepEqual(readings, expected)
    })

  it('knows where nothing follows', () => {
    assert.deepEqual(
      [[uuid], [uuid, '0'], [key, 'slug']].map((parts) => readingsOfPing(parts).map(({ isBare }) => isBare)),
      [
        [true, true],
        [false, false],
        [false, true],
      ],
    )
  })
})

describe('a push of Uptime Kuma', () => {
  const up = { type: 'succeeded', exitCode: null, note: null }
  const down = { type: 'failed', exitCode: null }
  const cases = [
    [{}, { ...up, tookMs: null }],
    [
      { status: 'up', msg: 'OK', ping: '' },
      { ...up, tookMs: null },
    ],
    [
      { status: '', ping: '12.6' },
      { ...up, tookMs: 13 },
    ],
    [
      { status: 'down', msg: 'disk full', ping: '-1' },
      { ...down, note: 'disk full', tookMs: null },
    ],
    [{ status: 'UP' }, { ...down, note: null, tookMs: null }],
    [
      { status: 'down', msg: 'x'.repeat(9_000), ping: '1e300' },
      { ...down, note: 'x'.repeat(500), tookMs: null },
    ],
  ] as const
  for (const [query, call] of cases)
    it(`with ${JSON.stringify(query).slice(0, 60)} says ${call.type}`, () =>
      assert.deepEqual(readingOfPush('token', query), {
        address: { type: 'imported', path: '/api/push/token' },
        call,
        isBare: false,
      }))
})

describe('a path that may be imported', () => {
  const right = ['/api/push/0123456789', `/ping/${uuid}`, `/ping/${key}/slug_1`]
  const wrong = [
    '/api/push/012345678',
    '/api/push/0123456789/x',
    'https://kuma.example/api/push/0123456789',
    `/ping/${uuid.toUpperCase()}`,
    `/ping/${key}`,
    '/ping/short/slug',
    `/ping/${key}/a b`,
  ]
  it('has the form of one of the tools', () => {
    assert.deepEqual(
      [...right, ...wrong].filter((path) => importedPath.safeParse(path).success),
      right,
    )
  })
})

function tookOf(ping: string): number | null | undefined {
  const { call } = readingOfPush('token', { ping })
  return call?.type === 'succeeded' ? call.tookMs : undefined
}

it('a call of Uptime Kuma has taken up to a week, and more than no time', () => {
  assert.deepEqual(['', '-1', '0', '0.4', '1', '17.6', '604800000', '604800001'].map(tookOf), [
    null,
    null,
    null,
    null,
    1,
    18,
    604_800_000,
    null,
  ])
})

it('one to 5,000 addresses are imported at once', () => {
  const address = { path: '/api/push/token12345', monitor_id: null }
  assert.deepEqual(
    [0, 1, 5000, 5001].map(
      (length) => importedCallsSchema.safeParse({ addresses: Array.from({ length }, () => address) }).success,
    ),
    [false, true, true, false],
  )
})
