import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { Verdict } from '#core/results/result.ts'
import type { AnyKind } from '#kinds/kind.ts'
import { transaction } from '#kinds/transaction/transaction.ts'
import { api } from '#kinds/web/api.ts'
import { http } from '#kinds/web/http.ts'
import { checkOnce } from '../support/check.ts'
import { scratchFolder, skipReason } from '../support/peers/daemon.ts'
import { startNginx } from '../support/peers/nginx.ts'
import { startMicrosocks, startTinyproxy } from '../support/peers/proxies.ts'
import { testCertificates } from '../support/test-certificates.ts'

// HTTP/2 of nginx, beside curl.

const skip = skipReason(['nginx', 'curl', 'tinyproxy', 'microsocks'])

type Wishes = Parameters<typeof checkOnce>[1]

function check(kind: AnyKind, wishes: Wishes, options: object = {}): Promise<Verdict> {
  return checkOnce(kind, { ...wishes, options: { http2: true, ...options } })
}

describe('a website by HTTP/2', { skip }, async () => {
  const { root, good } = testCertificates()
  setDefaultCACertificates([...getCACertificates('default'), root.pem])
  const folder = scratchFolder('http2')
  const caFile = join(folder, 'root.pem')
  writeFileSync(caFile, root.pem)
  writeFileSync(join(folder, 'long.txt'), 'green tea '.repeat(400_000))
  const directives = `
    default_type text/plain;
    root ${folder};
    gzip on;
    gzip_types *;
    location = / { return 200 "by $server_protocol"; }
    location = /json { default_type application/json; return 200 '{"version":"$server_protocol","path":"$uri"}'; }
    location = /moved { return 302 /; }
    location = /form { if ($request_method = POST) { return 201 "taken"; } return 405; }
    location = /login { add_header set-cookie "session=abc"; return 200 "in"; }
    location = /cart { return 200 "cookie $cookie_session"; }
    location = /hangs-up { return 444; }`
  const [both = 0, old = 0] = await startNginx([
    { certificate: good, directives, http2: true },
    { certificate: good, directives },
  ])
  const [plain = 0] = await startNginx([{ directives: `return 301 https://localhost:${both}$request_uri;` }])
  const tinyproxy = await startTinyproxy()
  const microsocks = await startMicrosocks()

  /** Which version curl speaks there; null where it gets no answer. */
  function curl(url: string, further: readonly string[] = []): Promise<string | null> {
    const tell = ['-o', '/dev/null', '-w', '%{http_version}']
    const wish = ['-sSL', '--http2', '--cacert', caFile, '--max-time', '5', '--noproxy', '', ...tell, ...further]
    return new Promise((resolve) => {
      execFile('curl', [...wish, url], (error, told) => resolve(error === null ? told.trim() : null))
    })
  }

  const pages: [what: string, url: string, wishes?: object, further?: readonly string[]][] = [
    ['its page', `https://localhost:${both}/`, { keyword: 'by HTTP/2.0' }],
    ['a page of one without it', `https://localhost:${old}/`, { keyword: 'by HTTP/1.1' }],
    ['a page after a redirect', `https://localhost:${both}/moved`, { keyword: 'by HTTP/2.0' }],
    ['a page to which one without TLS redirects', `http://localhost:${plain}/`, { keyword: 'by HTTP/2.0' }],
    ['a long page, compressed', `https://localhost:${both}/long.txt`, { keyword: 'green tea' }, ['--compressed']],
    ['a form', `https://localhost:${both}/form`, { method: 'POST', requestBody: 'a=b' }, ['-d', 'a=b']],
    ['a head alone', `https://localhost:${both}/`, { method: 'HEAD' }, ['-I']],
    ['nothing of one that hangs up', `https://localhost:${both}/hangs-up`],
  ]
  for (const [what, url, wishes, further] of pages)
    it(`is as curl finds it: ${what}`, async () => {
      const { status, error, details } = await check(http, { url, ...wishes })
      const version = await curl(url, further)
      assert.equal(status, version === null ? 'down' : 'up', error ?? '')
      assert.equal(details['http_version'] ?? null, version)
    })

  it('is as curl finds it by proxies', async () => {
    for (const proxy of [`http://127.0.0.1:${tinyproxy}`, `socks5://127.0.0.1:${microsocks}`]) {
      const url = `https://localhost:${both}/`
      const { status, error, details } = await check(http, { url }, { proxy })
      assert.deepEqual([status, error, details['http_version']], ['up', null, '2'])
      assert.equal(await curl(url, ['--proxy', proxy.replace('socks5:', 'socks5h:')]), '2')
    }
  })

  it('says what hung up', async () => {
    const { error } = await check(http, { url: `https://localhost:${both}/hangs-up` })
    assert.match(error ?? '', /^The (?:server closed the connection|request was reset|connection was reset)/)
  })

  it('gives an API its value', async () => {
    const options = { json_path: 'version', expected_value: 'HTTP/2.0', expected_http_version: '2' }
    const { status, error } = await check(api, { url: `https://localhost:${both}/json` }, options)
    assert.deepEqual([status, error], ['up', null])
  })

  it('carries the cookies of a transaction', async () => {
    const steps = [
      { url: '/login', expected_http_version: '2' },
      { url: '/cart', keyword: 'cookie abc' },
    ]
    const { status, error } = await check(transaction, { url: `https://localhost:${both}/` }, { steps })
    assert.deepEqual([status, error], ['up', null])
  })
})
