// Turns a valid body into one that is nearly valid, or into bytes that were made to do harm.
import { gzipSync } from 'node:zlib'
import { isObject } from '#api-document/openapi-schemas.ts'
import type { Random } from './random.ts'
import type { Sent } from './send.ts'

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`
const long = 'x'.repeat(100_000)

/** Texts that have gone wrong somewhere before. */
export const hostileTexts: readonly string[] = [
  '',
  ' ',
  long,
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udc00\ud800',
  '\ufeff\u202eabc',
  '\u2028\u2029\u0085',
  'e\u0301'.repeat(500),
  'ﷺ'.repeat(200),
  '👩‍👩‍👧‍👦',
  '__proto__',
  'constructor',
  'toString',
  "'; drop table monitors; --",
  "' or '1'='1",
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '{{ 7 | times: 7 }}{% for a in (1..100000000) %}x{% endfor %}',
  '${7*7}#{7*7}{{7*7}}',
  '../../../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  'file:///etc/passwd',
  'http://169.254.169.254/latest/meta-data',
  'javascript:alert(1)',
  'http://[::1]:1/',
  'http://user:pass@127.0.0.1:99999/',
  '%',
  '%zz%00',
  'NaN',
  '1e999',
  '-0',
  '0x10',
  '2026-02-30',
  '2026-02-30T25:61:61Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '+275760-09-13T00:00:00.000Z',
  '-271821-04-20T00:00:00.000Z',
  '00000000-0000-0000-0000-000000000000',
  'Europe/Nowhere',
  '+99:99',
  '* * * * * *',
  '0 0 31 2 *',
  '(a+)+$',
  '\r\nX-Injected: 1',
]

const hostileValues: readonly (string | number | boolean | null | object)[] = [
  null,
  true,
  0,
  -0,
  -1,
  0.5,
  1e308,
  -1e308,
  5e-324,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  [],
  {},
  [null],
  [[]],
  { length: 1 },
  { toString: 1 },
  Array.from({ length: 2000 }, (_, at) => at),
]

export type Path = (string | number)[]

/** A body with one member off. `path` says which. */
export function damaged(body: unknown, random: Random): { body: unknown; path: Path } {
  const path = random.pick(pathsOf(body))
  return { body: changedAt(body, path, random), path }
}

/** Every place in a value, its own included. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  const inner = Array.isArray(value)
    ? value.slice(0, 5).map((each: unknown, at): [number, unknown] => [at, each])
    : isObject(value)
      ? Object.entries(value)
      : []
  return [path, ...inner.flatMap(([name, each]) => pathsOf(each, [...path, name]))]
}

function changedAt(value: unknown, [name, ...rest]: Path, random: Random): unknown {
  if (name === undefined) return replaced(value, random)
  if (Array.isArray(value))
    return value.map((each: unknown, at) => (at === name ? changedAt(each, rest, random) : each))
  if (!isObject(value)) return value
  if (rest.length === 0 && random.chance(0.2)) {
    const { [name]: _left, ...others } = value
    return others
  }
  return { ...value, [name]: changedAt(value[name], rest, random) }
}

function replaced(value: unknown, random: Random): unknown {
  if (typeof value === 'number' && random.chance(0.5))
    return random.pick([value + 1, value - 1, -value, value + 0.5, value * 1e6])
  if (typeof value === 'string' && random.chance(0.6)) return damagedText(value, random)
  if (isObject(value) && random.chance(0.6)) return withMore(value, random)
  if (Array.isArray(value) && random.chance(0.6))
    return random.pick([[], [...value, ...value], [...value, null], Array.from({ length: 600 }, () => value[0] ?? 1)])
  return random.chance(0.5) ? random.pick(hostileValues) : random.pick(hostileTexts)
}

function damagedText(text: string, random: Random): string {
  const at = random.below(text.length + 1)
  return random.pick([
    random.pick(hostileTexts),
    text.slice(0, at) + random.pick(hostileTexts).slice(0, 200) + text.slice(at),
    text.slice(0, at),
    text.repeat(random.pick([2, 50, 400])),
    ` ${text} `,
    text.toUpperCase(),
  ])
}

function withMore(value: object, random: Random): unknown {
  const name = random.pick([
    'unknown_member',
    '__proto__',
    'constructor',
    'prototype',
    'id',
    'workspace_id',
    '',
    'a.b',
    '0',
  ])
  return Object.fromEntries([...Object.entries(value), [name, random.pick(hostileValues)]])
}

/** What is done to a whole request; each is given a valid one. */
const harms: readonly ((sent: Sent, random: Random) => Sent)[] = [
  (sent, random) =>
    withType(
      sent,
      random.pick([
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/json; charset=utf-16',
        ';',
        'application/json, application/json',
      ]),
    ),
  (sent, random) => ({ ...sent, body: bytesOf(sent).subarray(0, random.below(bytesOf(sent).length + 1)) }),
  (sent) => withHeader({ ...sent, body: gzipSync(bytesOf(sent)) }, { 'Content-Encoding': 'gzip' }),
  (sent, random) => withHeader(sent, { 'Content-Encoding': random.pick(['br', 'gzip', 'identity, gzip', 'nonsense']) }),
  (sent, random) => withHeader(sent, { 'X-Long': 'h'.repeat(random.pick([100, 8000, 15_000, 20_000])) }),
  (sent, random) =>
    withHeader(sent, {
      Accept: random.pick([
        '',
        '*',
        'text/markdown',
        'text/html;q=x',
        ',,,',
        'application/json;q=0',
        'a/b,'.repeat(500),
      ]),
    }),
  (sent, random) =>
    withHeader(sent, { 'Accept-Encoding': random.pick(['br', 'gzip;q=0', '*', 'identity;q=0', 'nonsense']) }),
  (sent, random) => withHeader(sent, { 'Idempotency-Key': random.pick(['', 'a', 'é', 'k'.repeat(300), '"quoted"']) }),
  (sent, random) =>
    withHeader(sent, {
      Authorization: random.pick([
        'Bearer',
        'Bearer a b',
        'Payment x',
        'Payment e30',
        'Payment e30, Payment e30',
        'Basic YTpi',
        'Bearer \u00e9',
        ',',
      ]),
    }),
  (sent, random) =>
    withHeader(sent, {
      'X-Forwarded-For': random.pick([
        '',
        'x',
        '1.2.3.4, 5.6.7.8',
        '::1',
        '999.1.1.1',
        'a'.repeat(2000),
        '::ffff:1.2.3.4%eth0',
      ]),
    }),
  (sent, random) =>
    withHeader(sent, {
      'X-Perigee-Workspace': random.pick(['', 'mine', 'x', '00000000-0000-4000-8000-000000000000', 'é']),
    }),
  (sent, random) =>
    withHeader(sent, {
      'Perigee-Max-Price': random.pick(['', '-1', '1e9', 'NaN', '0.001']),
      'Perigee-Project': random.pick(['', 'UPPER', 'a'.repeat(200), '../x']),
    }),
  (sent, random) =>
    withHeader(sent, { Host: random.pick(['', 'example.com', 'a b', '[::1', 'localhost:99999', 'x'.repeat(300)]) }),
  (sent, random) => ({
    ...sent,
    body: random.pick([
      '',
      '{',
      'null',
      '[]',
      '"',
      '{"a":1,"a":2}',
      '{"__proto__":{"isAdmin":true}}',
      nested(50),
      nested(5000),
      `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`,
      '1e999',
      '-',
      '\ufeff{}',
      '{"name":"\\ud800"}',
      'true',
      `"${long}"`,
    ]),
  }),
  (sent, random) => ({ ...sent, body: Buffer.from(Array.from({ length: 200 }, () => random.below(256))) }),
  (sent, random) => ({
    ...sent,
    path: `${sent.path}${sent.path.includes('?') ? '&' : '?'}${random.pick(['limit=1&limit=2', '%', '%zz=1', 'a[b]=1&a[]=2', '__proto__=1&constructor=2', '=', '&&&', 'cursor=%00', 'limit=1e3', 'limit=-0', 'cursor=eyJhIjoxfQ', 'x='.repeat(500), 'limit=٣'])}`,
  }),
  (sent, random) => ({
    ...sent,
    path: sent.path.replace(
      /[\da-f-]{36}/,
      () => encodeURIComponent(random.pick(hostileTexts).toWellFormed().slice(0, 300)) || '%20',
    ),
  }),
  (sent, random) => ({
    ...sent,
    path: sent.path.replace(
      /[\da-f-]{36}/,
      random.pick(['..%2f..', '%', '%c0%ae', '%00', '..;/', '%2e%2e/', 'undefined', '[object%20Object]']),
    ),
  }),
  (sent, random) => ({
    ...sent,
    path: sent.path + random.pick(['/', '//', '/..', '/%2e%2e/', '%20', ';a=b', '/.json']),
  }),
  (sent, random) => ({
    ...sent,
    method: random.pick(['HEAD', 'OPTIONS', 'TRACE', 'PATCH', 'DELETE', 'PROPFIND', 'QUERY']),
  }),
]

export function harmed(sent: Sent, random: Random): Sent {
  const once = random.pick(harms)(sent, random)
  return random.chance(0.2) ? random.pick(harms)(once, random) : once
}

function bytesOf({ body }: Sent): Buffer {
  return Buffer.from(body ?? '{"name":"x"}')
}

function withHeader(sent: Sent, headers: Record<string, string>): Sent {
  return { ...sent, headers: { ...sent.headers, ...headers } }
}

function withType(sent: Sent, type: string): Sent {
  return withHeader({ ...sent, body: sent.body ?? '{}' }, { 'Content-Type': type })
}
