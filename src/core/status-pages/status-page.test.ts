import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  announcementInputSchema,
  faviconInputSchema,
  logoInputSchema,
  postChangeSchema,
  postInputSchema,
  statusLimits,
  statusPageChangeSchema,
  statusPageInputSchema,
  webhookSubscriberInputSchema,
} from './status-page.ts'

const least = { slug: 'acme', title: 'Acme' }
const takes = (field: string, value: unknown): boolean =>
  statusPageInputSchema.safeParse({ ...least, [field]: value }).success

/** A section with a monitor that has a name of its own. */
const named = (name: string): object[] => [{ monitors: [{ monitor_id: '0b6c1f4e-3f55-4d6e-9d7f-2a8c5f1b7e10', name }] }]

describe('a status page', () => {
  it('needs a slug and a title alone', () => {
    assert.deepEqual(statusPageInputSchema.parse(least), {
      ...least,
      description: '',
      homepage: null,
      domain: null,
      language: 'en',
      theme: 'auto',
      accent: null,
      layout: 'list',
      sections: [],
      history: '90_days',
      response_charts: true,
      visibility: 'public',
      monitor_tags: [],
      password: null,
      tags: [],
    })
    assert.deepEqual(statusPageChangeSchema.parse({}), {})
  })

  const long = 'a'.repeat(63)
  for (const [field, good, bad] of [
    [
      'slug',
      ['abc', 'a-b', '123', long],
      ['ab', '-ab', 'ab-', 'Abc', 'a_b', 'a.b', 'ä-b', '', `${long}a`, 'api', 'feed', 'status'],
    ],
    [
      'domain',
      [null, 'status.example.com', 'STATUS.example.com', 'status.example.com.', 'stätus.example.com'],
      [
        'localhost',
        '192.0.2.1',
        'https://status.example.com',
        '*.example.com',
        '_x.example.com',
        'a b.com',
        '',
        'x.com:80',
        `${long}a.com`,
      ],
    ],
    [
      'homepage',
      [null, 'https://example.com', 'http://example.com/a?b#c', `https://${'a'.repeat(2040)}`],
      [
        `https://${'a'.repeat(2041)}`,
        'javascript:alert(1)',
        'data:text/html,x',
        '//example.com',
        'https://',
        'https://u:p@example.com',
        'ftp://example.com',
        'https://a b',
        '',
      ],
    ],
    ['title', ['x', 'a'.repeat(160)], ['', 'a'.repeat(161)]],
    ['description', ['', 'a'.repeat(1000)], ['a'.repeat(1001)]],
    ['password', [null, 'a'.repeat(8), 'a'.repeat(200)], ['a'.repeat(7), 'a'.repeat(201)]],
    ['theme', ['auto', 'light', 'dark'], ['blue', null]],
    ['history', ['90_days', 'whole'], ['90 days', null]],
    ['visibility', ['public', 'password', 'draft'], ['hidden']],
    [
      'sections',
      [[], [{}], [{ name: '', monitors: [] }], [{ name: 'a'.repeat(160) }], named('x'), named('a'.repeat(160))],
      [
        [{ monitors: [{ monitor_id: 'x' }] }],
        [{ nam: '' }],
        [{ name: 'a'.repeat(161) }],
        named(''),
        named('a'.repeat(161)),
        Array.from({ length: 51 }, () => ({})),
      ],
    ],
  ] as const)
    it(`has a rule for its ${field}`, () => {
      for (const value of good) assert.ok(takes(field, value), `${field} ${JSON.stringify(value)}`)
      for (const value of bad) assert.ok(!takes(field, value), `${field} ${JSON.stringify(value)}`)
    })

  it('writes a domain as it stands in requests', () => {
    assert.equal(
      statusPageInputSchema.parse({ ...least, domain: 'STÄTUS.example.com.' }).domain,
      'xn--sttus-hra.example.com',
    )
  })
})

describe('an announcement', () => {
  it('has a title and a text of at most 5,000 characters', () => {
    const one = { title: 'Moved', body: 'x'.repeat(5000) }
    for (const right of [one, { title: 'x', body: 'x' }, { ...one, title: 'a'.repeat(160) }])
      assert.ok(announcementInputSchema.safeParse(right).success)
    for (const wrong of [
      { ...one, body: `${one.body}x` },
      { ...one, body: '' },
      { ...one, title: '' },
      { ...one, title: 'a'.repeat(161) },
      { ...one, ends_at: 'x' },
    ])
      assert.ok(!announcementInputSchema.safeParse(wrong).success)
  })
})

const imageOf = (bytes: number): string => Buffer.alloc(bytes).toString('base64')
const takesLogo = (given: object): boolean => logoInputSchema.safeParse(given).success

describe('an image of a page', () => {
  it('has 200 KB at most, and a text of 160 characters', () => {
    assert.ok(takesLogo({ image: imageOf(204_800), alt: 'a'.repeat(160) }))
    assert.ok(!takesLogo({ image: imageOf(204_802) }))
    assert.ok(!takesLogo({ image: imageOf(1), alt: 'a'.repeat(161) }))
    assert.ok(faviconInputSchema.safeParse({ image: imageOf(204_800) }).success)
  })
})

describe('a post', () => {
  const at = '2026-11-21T10:00:00+01:00'
  it('tells subscribers unless it says otherwise', () => {
    assert.equal(postInputSchema.parse({ state: 'resolved', body: 'x', posted_at: at }).notify, true)
    assert.equal(announcementInputSchema.parse({ title: 'x', body: 'x', posted_at: at, ends_at: at }).notify, true)
  })

  const changes: [given: object, isTaken: boolean][] = [
    [{}, true],
    [{ title: 'x' }, true],
    [{ title: 'a'.repeat(160), body: 'x', ends_at: at, posted_at: at }, true],
    [{ title: '' }, false],
    [{ title: 'a'.repeat(161) }, false],
  ]
  for (const [given, isTaken] of changes)
    it(`${isTaken ? 'may' : 'may not'} become ${JSON.stringify(given).slice(0, 40)}`, () =>
      assert.equal(postChangeSchema.safeParse(given).success, isTaken))
})

it('a webhook has an address of 1 to 2,048 characters', () => {
  const found = ['', 'x', 'x'.repeat(2048), 'x'.repeat(2049)].map(
    (destination) => webhookSubscriberInputSchema.safeParse({ destination }).success,
  )
  assert.deepEqual(found, [false, true, true, false])
})

it('a workspace has as many pages, and each as much on it, as docs/status-pages.md says', () => {
  assert.deepEqual(statusLimits, { pages: 20, sections: 50, monitors: 200, posts: 100, subscribers: 5000 })
})
