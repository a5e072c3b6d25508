import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { chainPem, makeCertificate } from '../../test/support/certificates.ts'
import { publicServices } from '#core/monitors/outside-services.ts'
import { googleApi } from '../../test/support/google-api.ts'
import { httpServer } from '../../test/support/http-server.ts'
import { freePort } from '../../test/support/free-port.ts'
import { rawServer } from '../../test/support/raw-server.ts'
import { runCheck } from './check.ts'

async function run(...argv: string[]): Promise<{ code: number; text: string }> {
  let text = ''
  const code = await runCheck(argv, { write: (piece) => (text += piece) })
  return { code, text }
}

describe('perigee check', async () => {
  const root = makeCertificate({ name: 'Root of Check Tests', isAuthority: true })
  const notAfter = new Date(Date.now() + 41.5 * 86_400_000)
  const leaf = makeCertificate({ name: 'localhost', names: ['localhost'], issuer: root, notAfter })
  setDefaultCACertificates([...getCACertificates('default'), root.pem])
  const seen: { method: string | undefined; key: unknown }[] = []
  const { port } = await httpServer((request, response) => {
    seen.push({ method: request.method, key: request.headers['x-key'] })
    if (request.url === '/moved') return void response.writeHead(301, { location: '/' }).end()
    if (request.url === '/slow') return void setTimeout(() => response.end('slow'), 150)
    response.end('{"status":"ok","0":"zero"}')
  })
  const secure = await httpServer((_, response) => response.end('secret'), {
    tls: { cert: chainPem(leaf, root), key: leaf.keyPem },
  })
  const url = `http://127.0.0.1:${port}`

  it('says that a target is up, and how the time went', async () => {
    const { code, text } = await run(`${url}/`)
    assert.equal(code, 0)
    assert.match(
      text,
      new RegExp(`^http://127\\.0\\.0\\.1:${port}/ \\(http\\)\n  up, HTTP status 200, \\d+ ms, 127\\.0\\.0\\.1\n\n`),
    )
    assert.match(text, /\n {2}connection {5,}\d+ ms\n {2}first answer {3,}\d+ ms\n {2}transfer {7,}\d+ ms\n$/)
  })

  it('shows redirects', async () => {
    assert.match((await run(`${url}/moved`)).text, new RegExp(`\n  301 to ${url}/\n`))
  })

  it('shows the certificate', async () => {
    const { code, text } = await run(`https://localhost:${secure.port}/`)
    assert.equal(code, 0, text)
    assert.match(text, /\n {2}TLSv1\.3, TLS_\w+\n {2}certificate of localhost, issued by Root of Check Tests\n/)
    assert.match(
      text,
      new RegExp(`\n  valid until ${notAfter.toISOString().slice(0, 10)} \\(41 days left\\)\n  for localhost\n$`),
    )
  })

  it('says why a target is down', async () => {
    const free = await freePort()
    const { code, text } = await run(`http://127.0.0.1:${free}/`)
    assert.equal(code, 1)
    assert.match(text, new RegExp(`\n  down\n  Connection refused by 127\\.0\\.0\\.1:${free}\n`))
  })

  it('counts degraded as available', async () => {
    const { code, text } = await run(`${url}/slow`, '--option', 'max_latency_ms=100')
    assert.equal(code, 0)
    assert.match(text, /\n {2}degraded, .*\n {2}The answer took longer than 100 ms\n/)
  })

  it('takes method, headers, keyword and options', async () => {
    seen.length = 0
    const argv = [
      '--method',
      'POST',
      '--header',
      'X-Key: a: b',
      '--keyword',
      'status',
      '--option',
      'json_path=status',
      '--option',
      'expected_value=ok',
    ]
    assert.equal((await run(`${url}/`, ...argv)).code, 0)
    assert.deepEqual(seen, [{ method: 'POST', key: 'a: b' }])
    assert.equal((await run(`${url}/`, '--option', 'json_path=0', '--option', 'expected_value="zero"')).code, 0)
    assert.equal((await run(`${url}/`, '--option', 'json_path=status', '--option', 'expected_value=5')).code, 1)
    assert.equal((await run(`${url}/`, '--keyword', 'nowhere')).code, 1)
  })

  it('checks other kinds', async () => {
    const banner = await rawServer((socket) => void socket.write('220 ready'))
    const target = `127.0.0.1:${banner.port}`
    assert.equal((await run(target, '--kind', 'tcp', '--option', 'expected_text=ready')).code, 0)
    assert.equal((await run(target, '--kind', 'tcp', '--timeout', '500', '--option', 'expected_text=404')).code, 1)
    assert.equal((await run(`${url}/`, '--kind', 'api', '--option', 'json_path=status')).code, 0)
  })

  it('asks the outside services that are configured', async () => {
    const { root: webRiskUrl, asked } = await googleApi((_, response) => response.end('{}'))
    const settings = () => ({ services: { ...publicServices, webRiskUrl }, dnsServers: [] })
    let text = ''
    const out = { write: (piece: string) => (text += piece) }
    assert.equal(await runCheck(['a.example', '--kind', 'malware'], out, settings), 0, text)
    assert.equal(asked[0]?.query.get('uri'), 'http://a.example/')
  })

  it('makes the steps of a transaction', async () => {
    const argv = [`${url}/`, '--kind', 'transaction', '--option', 'steps=[{"keyword":"status"},{"keyword":"nowhere"}]']
    const { code, text } = await run(...argv)
    assert.equal(code, 1)
    assert.match(text, /\n {2}Step 2 \(GET \/\): Keyword "nowhere" not found in the answer\n/)
  })

  it('prints one JSON object on demand', async () => {
    const plain = JSON.parse((await run(`${url}/moved`, '--json')).text)
    const { status, status_code: statusCode, error, address, redirects, details, tls, certificate } = plain
    assert.deepEqual([status, statusCode, error, address, tls, certificate], ['up', 200, null, '127.0.0.1', null, null])
    assert.deepEqual(redirects, [{ status: 301, url: `${url}/` }])
    assert.deepEqual(details, { final_url: `${url}/`, redirects: 1 })
    assert.deepEqual(Object.keys(plain.phases), ['dns_ms', 'connect_ms', 'tls_ms', 'ttfb_ms', 'transfer_ms'])
    const overTls = JSON.parse((await run(`https://localhost:${secure.port}/`, '--json')).text)
    assert.deepEqual([overTls.tls.protocol, overTls.certificate.issuer], ['TLSv1.3', 'Root of Check Tests'])
  })

  const wrong = [
    [[], /^Name a target/],
    [['http://a.example', 'http://b.example'], /^Give one target only\. "http:\/\/b\.example" is one too many\.\n/],
    [['example.com'], /^target: Must be a URL with its scheme/],
    [['http://a.example', '--kind', 'nonsense'], /^kind: /],
    [
      ['http://a.example', '--kind', 'heartbeat'],
      /^A monitor of kind "heartbeat" has no target to check: it is called/,
    ],
    [['http://a.example', '--timeout', '100'], /^timeout_ms: /],
    [['http://a.example', '--timeout', 'soon'], /^timeout_ms: /],
    [['http://a.example', '--method', 'BREW'], /^method: /],
    [['http://a.example', '--header', 'no header'], /^request_headers\.no header: /],
    [['http://a.example', '--option', 'json_path'], /^--option: "json_path" does not have the form key=value\.\n/],
    [['http://a.example', '--option', 'max_latency_ms=soon'], /^option max_latency_ms: /],
    [['http://a.example', '--option', 'colour=blue'], /^option /],
    [['http://a.example', '--colour'], /--colour/],
  ] as const
  for (const [argv, expected] of wrong)
    it(`answers "${argv.join(' ')}" with what is wrong, and the usage`, async () => {
      const { code, text } = await run(...argv)
      assert.equal(code, 2)
      assert.match(text, expected)
      assert.match(text, /\n\nperigee check <target> \[options\]\n/)
    })

  it('explains itself', async () => {
    const { code, text } = await run('--help')
    assert.equal(code, 0)
    assert.match(text, /Exit codes: 0 up or degraded, 1 down, 2 wrong arguments\./)
  })
})
