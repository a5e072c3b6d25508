import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BrowserOutcome, BrowserRequest } from '#net/browser/browse.ts'
import type { PageSight } from '#net/browser/page-words.ts'
import type { Net } from '#net/net.ts'
import { checkOnce } from '../../../test/support/check.ts'
import { openNet } from '../../../test/support/net.ts'
import { browser } from './browser.ts'

const well: PageSight = {
  status: 200,
  failure: null,
  url: 'https://shop.example.com/',
  times: { ttfbMs: 40, contentMs: 120, loadMs: 300, fcpMs: 130, lcpMs: 280 },
  cls: 0.02,
  steps: [],
  stepFailure: null,
  scriptMs: null,
  scriptFailure: null,
  hasCrashed: false,
  consoleErrors: { count: 0, first: [] },
  failedRequests: { count: 0, first: [] },
  requests: 12,
  picture: null,
}

type Options = Record<string, unknown>
type Seen = Partial<PageSight> & { unreachable?: string }

function seen({ unreachable, ...sight }: Seen = {}): BrowserOutcome {
  const failure = { phase: 'connect', code: 'connection_refused', message: unreachable ?? '' } as const
  return { type: 'seen', sight: { ...well, ...sight }, unreachable: unreachable === undefined ? null : failure }
}

/** A check whose visit saw this, and what was asked of the browser. */
async function visit(outcome: BrowserOutcome, options: Options = {}) {
  const asked: BrowserRequest[] = []
  const browse: Net['browse'] = async (request) => {
    asked.push(request)
    return outcome
  }
  const url = 'https://shop.example.com/'
  const verdict = await checkOnce(browser, { url, options }, { ...openNet, browse })
  return { verdict, asked: asked[0] ?? assert.fail('nothing was asked') }
}

const signIn = [
  { action: 'fill', element: '#name', value: 'ann' },
  { name: 'Sign in', action: 'click', element: 'text=Go' },
]

describe('a visit', () => {
  it('is up, and tells what the page needed', async () => {
    const { verdict, asked } = await visit(seen())
    assert.deepEqual([verdict.status, verdict.error, verdict.statusCode, verdict.latencyMs], ['up', null, 200, 300])
    assert.deepEqual(verdict.details, {
      final_url: 'https://shop.example.com/',
      ttfb_ms: 40,
      content_ms: 120,
      load_ms: 300,
      fcp_ms: 130,
      lcp_ms: 280,
      cls: 0.02,
      requests: 12,
      failed_requests: 0,
      console_errors: 0,
    })
    assert.deepEqual(asked.viewport, { width: 1280, height: 720, isPhone: false })
  })

  const cases: [name: string, outcome: BrowserOutcome, options: Options, status: string, error: string | null][] = [
    ['answers with an error', seen({ status: 503 }), {}, 'down', 'The page answered with the status 503'],
    [
      'answers with no document',
      seen({ status: 204, failure: 'ERR_ABORTED' }),
      {},
      'down',
      'The browser could not load the page: ERR_ABORTED',
    ],
    ['is late', seen({ status: 200, failure: 'timeout' }), {}, 'down', 'The page did not load within 3000 ms'],
    [
      'has a bad certificate',
      seen({ status: null, failure: 'ERR_CERT_DATE_INVALID' }),
      {},
      'down',
      'The browser could not load the page: ERR_CERT_DATE_INVALID',
    ],
    [
      'is not reached',
      seen({ status: null, failure: 'ERR_TUNNEL_CONNECTION_FAILED', unreachable: 'Connection refused' }),
      {},
      'down',
      'Connection refused',
    ],
    [
      'is not reached in time',
      seen({ status: null, failure: 'timeout', unreachable: 'No answer' }),
      {},
      'down',
      'No answer',
    ],
    ['crashes', seen({ hasCrashed: true }), {}, 'down', 'The page crashed in the browser'],
    [
      'takes too much memory',
      { type: 'ended', why: 'memory', unreachable: null },
      {},
      'down',
      'The page took more memory than a visit may have (1 GB)',
    ],
    ['does not end', { type: 'ended', why: 'time', unreachable: null }, {}, 'down', 'The visit did not end in time'],
    [
      'ends its browser',
      { type: 'ended', why: 'program', unreachable: null },
      {},
      'down',
      'The browser ended by itself during the visit',
    ],
    [
      'fails at a step',
      seen({ steps: [5, 900], stepFailure: 'no element could be used for text=Go in time' }),
      { steps: signIn },
      'down',
      'Step 2 (Sign in, click): no element could be used for text=Go in time',
    ],
    [
      'has errors that do not matter',
      seen({ consoleErrors: { count: 2, first: ['a', 'b'] }, failedRequests: { count: 1, first: ['c'] } }),
      {},
      'up',
      null,
    ],
    [
      'has errors',
      seen({ consoleErrors: { count: 2, first: ['a', 'b'] } }),
      { console_errors: 'degraded' },
      'degraded',
      'The page had 2 errors in the console: a',
    ],
    [
      'misses a file',
      seen({ failedRequests: { count: 1, first: ['GET https://a.example/: 404'] } }),
      { failed_requests: 'down' },
      'down',
      'The page had 1 request that failed: GET https://a.example/: 404',
    ],
    ['loads slowly', seen(), { max_load_ms: 299 }, 'degraded', "The page's load took 300 ms, more than 299 ms"],
    ['loads just in time', seen(), { max_load_ms: 300, max_lcp_ms: 280, max_cls: 0.02 }, 'up', null],
    [
      'paints slowly',
      seen(),
      { max_lcp_ms: 100 },
      'degraded',
      "The page's largest paint took 280 ms, more than 100 ms",
    ],
    [
      'does not say when it painted',
      seen({ times: { ...well.times, lcpMs: null }, cls: null }),
      { max_lcp_ms: 1, max_cls: 0 },
      'up',
      null,
    ],
    ['moves', seen(), { max_cls: 0.01 }, 'degraded', "The page's layout shifted by 0.02, more than 0.01"],
    [
      'fails its script',
      seen({ scriptMs: 40, scriptFailure: 'line 3: no' }),
      { script: '1' },
      'down',
      'The script failed: line 3: no',
    ],
    [
      'is slow, and then fails',
      seen({ steps: [1], stepFailure: 'no' }),
      { max_load_ms: 1, steps: [signIn[1]] },
      'down',
      'Step 1 (Sign in, click): no',
    ],
  ]
  for (const [name, outcome, options, status, error] of cases)
    it(`to a page that ${name} is ${status}`, async () => {
      const { verdict } = await visit(outcome, options)
      assert.deepEqual([verdict.status, verdict.error], [status, error])
    })

  it('writes secrets where steps name them, and tells none of them', async () => {
    const totp = 'JBSWY3DPEHPK3PXP'
    const steps = [
      { action: 'fill', element: '#a', value: '{{word}}-{{totp}}' },
      { action: 'open', value: '/?of={{word}}' },
    ]
    const told = 'saw s3cret word, s3cret%20word'
    const outcome = seen({
      steps: [1, 1],
      stepFailure: told,
      url: 'https://shop.example.com/?of=s3cret%20word',
      consoleErrors: { count: 1, first: [told] },
    })
    const { verdict, asked } = await visit(outcome, {
      steps,
      secrets: [{ name: 'word', value: 's3cret word' }],
      totp_secret: totp,
      console_errors: 'down',
    })
    assert.match(asked.steps[0]?.value ?? '', /^s3cret word-\d{6}$/)
    assert.equal(asked.steps[1]?.value, '/?of=s3cret%20word')
    assert.doesNotMatch(JSON.stringify(verdict), /s3cret/)
    assert.equal(verdict.error, 'Step 2 (open): saw ••••••••, ••••••••')
  })

  it('hands a script its secrets, and tells none of them', async () => {
    const script = 'await page.fill("#a", secrets.word)'
    const { verdict, asked } = await visit(seen({ scriptMs: 40, scriptFailure: 'saw s3cret word' }), {
      script,
      secrets: [{ name: 'word', value: 's3cret word' }],
    })
    assert.deepEqual(asked.script, { text: script, secrets: { word: 's3cret word' } })
    assert.equal(verdict.error, 'The script failed: saw ••••••••')
    assert.equal(verdict.details['script_ms'], 40)
  })
})

describe('options of a visit', () => {
  const refused: [name: string, options: Options, path: string, message: RegExp][] = [
    ['a click on nothing', { steps: [{ action: 'click' }] }, 'steps.0.element', /Is needed by the action click/],
    ['a click with a value', { steps: [{ action: 'click', element: 'a', value: 'b' }] }, 'steps.0.value', /no meaning/],
    [
      'a title of an element',
      { steps: [{ action: 'expect_title', element: 'a', value: 'b' }] },
      'steps.0.element',
      /no meaning/,
    ],
    ['text without any', { steps: [{ action: 'expect_text' }] }, 'steps.0.value', /Is needed/],
    ['an address that is none', { steps: [{ action: 'open', value: 'ftp://a/' }] }, 'steps.0.value', /http/],
    [
      'a secret that is not there',
      { steps: [{ action: 'press', value: '{{key}}' }] },
      'steps.0.value',
      /There is no secret key/,
    ],
    [
      'the code of no authenticator',
      { steps: [{ action: 'press', value: '{{totp}}' }] },
      'steps.0.value',
      /no secret totp/,
    ],
    [
      'a name twice',
      {
        secrets: [
          { name: 'a', value: 'b' },
          { name: 'a', value: 'c' },
        ],
      },
      'secrets.1.name',
      /another one/,
    ],
    ['too many steps', { steps: Array.from({ length: 21 }, () => signIn[1]) }, 'steps', /20/],
    ['a script that is none', { script: 'await page.click(' }, 'script', /^Cannot be read as JavaScript: /],
    ['a script that would be part of another', { script: '} async () => {' }, 'script', /^Cannot be read/],
    ['a long script', { script: ' '.repeat(16_384) + ';' }, 'script', /16384/],
    ['an unknown action', { steps: [{ action: 'run', value: 'x' }] }, 'steps.0.action', /Invalid/],
  ]
  for (const [name, options, path, message] of refused)
    it(`refuse ${name}, and name it`, () => {
      const issues = browser.options.safeParse(options).error?.issues ?? []
      assert.deepEqual(
        issues.map((issue) => issue.path.join('.')),
        [path],
      )
      assert.match(issues[0]?.message ?? '', message)
    })

  it('name the hosts that steps lead to, which may be forbidden', () => {
    const steps = [
      { action: 'open', value: '/a' },
      { action: 'open', value: 'https://10.0.0.1/b' },
    ]
    assert.deepEqual(browser.optionHosts({ steps }), [{ path: ['steps', 1, 'value'], host: '10.0.0.1' }])
  })
})
