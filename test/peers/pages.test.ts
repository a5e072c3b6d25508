import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { Verdict } from '#core/results/result.ts'
import { cloudStatus } from '#kinds/cloud/cloud-status.ts'
import { extendedTransaction } from '#kinds/transaction/extended-transaction.ts'
import type { AnyKind } from '#kinds/kind.ts'
import { microTransaction } from '#kinds/transaction/micro-transaction.ts'
import { transaction } from '#kinds/transaction/transaction.ts'
import { checkOnce } from '../support/check.ts'
import { statuspage } from '../support/cloud-reports.ts'
import { startNginx, withoutNginx } from '../support/peers/nginx.ts'
import { startOpenssh } from '../support/peers/openssh.ts'
import { skipReason } from '../support/peers/daemon.ts'
import { freePort } from '../support/free-port.ts'
import { rawServer } from '../support/raw-server.ts'
import { testCertificates } from '../support/test-certificates.ts'

/**
 * A site that knows a visitor by a cookie after sign-in, and a status page that reports that all is well, or that it is
 * not.
 */
const directives = `
    default_type text/html;
    location = / { return 200 "<form action=/login>"; }
    location = /login { add_header Set-Cookie "session=1; HttpOnly"; return 303 /welcome; }
    location = /welcome { if ($cookie_session = 1) { return 200 "Hello Ada"; } return 401; }
    location = /loop { return 302 /loop; }
    location /api/ { default_type application/json; return 200 '${report('none')}'; }
    location /outage/ { default_type application/json; return 200 '${report('major')}'; }
    location /gone/ { return 503; }
    location /prose { return 200 "All is well."; }
`

function report(indicator: string): string {
  return JSON.stringify(statuspage(indicator, { API: indicator === 'none' ? 'operational' : 'major_outage' }))
}

const skip = withoutNginx === false ? skipReason(['sshd']) : withoutNginx

describe('pages and runs against nginx', { skip }, async () => {
  const { root, good, expired, wrongName, selfSigned } = testCertificates()
  setDefaultCACertificates([...getCACertificates('default'), root.pem])
  const shown = [good, expired, wrongName, selfSigned].map((certificate) => ({ certificate, directives }))
  const [plain = 0, fine = 0, old = 0, other = 0, own = 0] = await startNginx([{ directives }, ...shown])
  const closed = await freePort()
  const { port: silent } = await rawServer(() => {})
  const { port: ssh } = await startOpenssh()

  /** The errors that every HTTP kind gives for an origin that is no good. */
  const broken: [name: string, origin: string, error: RegExp][] = [
    ['the connection is refused', `http://localhost:${closed}`, /Connection refused by localhost/],
    ['nothing is said', `http://localhost:${silent}`, /Timed out after 500 ms/],
    ['the server speaks another protocol', `http://localhost:${ssh}`, /The answer is not valid HTTP/],
    ['the port does not speak TLS', `https://localhost:${plain}`, /does not speak TLS/],
    ['the certificate has expired', `https://localhost:${old}`, /expired on .*\(3 days ago\)/],
    ['the certificate is for another name', `https://localhost:${other}`, /for other\.example, not for localhost/],
    ['the certificate is self-signed', `https://localhost:${own}`, /self-signed and not trusted/],
  ]

  const signIn = [{}, { url: '/login', method: 'POST', body: 'name=ada' }, { url: '/welcome', keyword: 'Hello Ada' }]
  for (const kind of [transaction, microTransaction, extendedTransaction])
    describe(kind.name, () => {
      it('is up when a visitor signs in and stays known, with TLS or without', async () => {
        for (const origin of [`http://localhost:${plain}`, `https://localhost:${fine}`]) {
          const { status, error } = await check(kind, `${origin}/`, { steps: signIn })
          assert.deepEqual([status, error], ['up', null])
        }
      })

      it('says at which step it went wrong', async () => {
        const rows: [Record<string, unknown>, RegExp][] = [
          [{ url: '/gone/' }, /^Step 2 .*HTTP status 503/],
          [{ url: '/welcome' }, /^Step 2 .*HTTP status 401/],
          [{ url: '/', keyword: 'Hello Ada' }, /^Step 2 .*Keyword "Hello Ada" not found/],
          [{ url: '/loop' }, /^Step 2 .*Redirect loop/],
        ]
        for (const [step, error] of rows)
          assertDown(await check(kind, `http://localhost:${plain}/`, { steps: [{}, step] }), error)
      })

      for (const [name, origin, error] of broken)
        it(`is down when ${name}`, async () => {
          const verdict = await check(kind, `${origin}/`, { steps: signIn })
          assertDown(verdict, error)
          assert.match(verdict.error ?? '', /^Step 1\b/)
        })
    })

  describe('cloud_status', () => {
    it('is up when all is well, with TLS or without, and down at a major outage', async () => {
      for (const origin of [`http://localhost:${plain}`, `https://localhost:${fine}`])
        assert.deepEqual((await check(cloudStatus, `${origin}/`)).status, 'up')
      assertDown(await check(cloudStatus, `http://localhost:${plain}/outage/summary.json`), /major outage/)
    })

    it('is down when there is no report', async () => {
      assertDown(await check(cloudStatus, `http://localhost:${plain}/gone/summary.json`), /HTTP status 503/)
      assertDown(await check(cloudStatus, `http://localhost:${plain}/prose.json`), /^No status report was found/)
    })

    for (const [name, origin, error] of broken)
      it(`is down when ${name}`, async () => assertDown(await check(cloudStatus, `${origin}/`), error))
  })

  function check(kind: AnyKind, url: string, options: Record<string, unknown> = {}): Promise<Verdict> {
    return checkOnce(kind, { url, options, timeoutMs: url.includes(`:${silent}/`) ? 500 : 10_000 })
  }
})

function assertDown({ status, error }: Verdict, text: RegExp): void {
  assert.equal(status, 'down')
  assert.match(error ?? '', text)
}
