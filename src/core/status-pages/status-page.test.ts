import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { announcementInputSchema, statusPageChangeSchema, statusPageInputSchema } from './status-page.ts'

const least = { slug: 'acme', title: 'Acme' }
const takes = (field: string, value: unknown): boolean =>
  statusPageInputSchema.safeParse({ ...least, [field]: value }).success

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
      [null, 'https://example.com', 'http://example.com/a?b#c'],
      [
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
      [[], [{}], [{ name: '', monitors: [] }]],
      [[{ monitors: [{ monitor_id: 'x' }] }], [{ nam: '' }], Array.from({ length: 51 }, () => ({}))],
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
    assert.ok(announcementInputSchema.safeParse(one).success)
    for (const wrong of [
      { ...one, body: `${one.body}x` },
      { ...one, body: '' },
      { ...one, title: '' },
      { ...one, ends_at: 'x' },
    ])
      assert.ok(!announcementInputSchema.safeParse(wrong).success)
  })
})
