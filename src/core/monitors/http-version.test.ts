import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { unreachableVersions } from './http-version.ts'

const usual = { expected_status_min: 200, expected_status_max: 399 }
const moved = { expected_status_min: 301, expected_status_max: 302 }
const own = ['check_options.expected_http_version']
const second = ['check_options.steps.1.expected_http_version']
const wish = { expected_http_version: '2' }

type Case = [
  what: string,
  url: string | null,
  statuses: typeof usual,
  options: Record<string, unknown>,
  found: string[],
]

describe('HTTP/2 that is expected', () => {
  const cases: Case[] = [
    ['of a server with TLS', 'https://a.example', moved, wish, []],
    ['where redirects are followed', 'http://a.example', usual, wish, []],
    ['of a redirect without TLS', 'http://a.example', moved, wish, own],
    ['of a redirect without TLS, in capitals', 'HTTP://a.example', moved, wish, own],
    ['of nothing', null, moved, wish, []],
    ['never, but HTTP/1.1', 'http://a.example', moved, { expected_http_version: '1.1' }, []],
    ['never', 'http://a.example', moved, {}, []],
    ['up to 399', 'http://a.example', { expected_status_min: 300, expected_status_max: 399 }, wish, own],
    ['up to 400', 'http://a.example', { expected_status_min: 300, expected_status_max: 400 }, wish, []],
    ['from 299', 'http://a.example', { expected_status_min: 299, expected_status_max: 399 }, wish, []],
    ['of a step of its own address', 'http://a.example', moved, { steps: [{}, wish] }, second],
    ['of a step with a path', 'http://a.example', moved, { steps: [{}, { ...wish, url: '/b' }] }, second],
    ['of a step with TLS', 'http://a.example', moved, { steps: [{}, { ...wish, url: 'https://b.example' }] }, []],
    [
      'of a step without TLS',
      'https://a.example',
      moved,
      { steps: [{}, { ...wish, url: 'http://b.example' }] },
      second,
    ],
    ['of a step that is a redirect', 'http://a.example', usual, { steps: [{}, { ...wish, ...moved }] }, second],
    ['of a step that is none', 'http://a.example', moved, { steps: [{}, { ...wish, ...usual }] }, []],
    [
      'of a step with statuses of its own',
      'http://a.example',
      moved,
      { steps: [{}, { ...wish, expected_statuses: ['200'] }] },
      [],
    ],
    ['of steps that are none', 'http://a.example', moved, { steps: 'none' }, []],
  ]
  for (const [what, url, statuses, options, found] of cases)
    it(`${found.length === 0 ? 'may come' : 'can never come'} ${what}`, () =>
      assert.deepEqual(unreachableVersions({ url, ...statuses, check_options: options }), found))
})
