import { gzipSync } from 'node:zlib'
import { api } from '#kinds/web/api.ts'
import { http } from '#kinds/web/http.ts'
import type { AnyKind } from '#kinds/kind.ts'
import type { BlackboxModule } from '../../support/peers/blackbox.ts'
import { type NginxServer, startNginx } from '../../support/peers/nginx.ts'
import { startOpenssh } from '../../support/peers/openssh.ts'
import type { PluginCommand } from '../../support/peers/monitoring-plugins.ts'
import { freePort } from '../../support/free-port.ts'
import { answering, rawServer } from '../../support/raw-server.ts'
import { unknownName } from './asked.ts'
import { type Case, toCase, type Wish } from './case.ts'
import type { OracleCertificates } from './certificates.ts'

const directives = `
    default_type text/plain;
    location = / { return 200 "All systems go\\n"; }
    location = /json { default_type application/json; return 200 '{"queue":{"state":"ok"}}'; }
    location = /moved { return 301 /; }
    location = /loop { return 302 /loop; }
    location /far { return 302 $uri/x; }
    location = /broken { return 503; }
    location = /closed { return 403; }
    location = /form { if ($request_method = POST) { return 201; } return 405; }
`

type Web = { plain: number; unanswering: number; ssh: number; closed: number }

/** A case of http or api, with the same request for the oracles. */
type Asked = Omit<Wish, 'url' | 'command' | 'module'> & {
  port: number
  path?: string
  host?: string
  /** Arguments of check_http, or of another plugin. */
  plugin?: readonly string[]
  pluginName?: 'check_http' | 'check_curl'
  /** Members of the module's `http`. */
  http?: Record<string, unknown>
  isSilent?: true
}

export async function webCases(certificates: OracleCertificates): Promise<Case[]> {
  const [plain = 0] = await startNginx([{ directives, isOnSix: true }])
  const silent = await rawServer(() => {})
  const { port: ssh } = await startOpenssh()
  const web = { plain, unanswering: silent.port, ssh, closed: await freePort() }
  return [
    ...unreachable(http, web),
    ...answers(web),
    ...(await damaged()),
    ...(await tls(certificates, plain)),
    ...(await versions(certificates)),
    ...unreachable(api, web),
    ...values(web),
  ]
}

function webCase(kind: AnyKind, name: string, asked: Asked & { isTls?: boolean; caFile?: string }): Case {
  const { port, path = '/', host = 'localhost', plugin = [], http: members = {}, isSilent, isTls, ...wish } = asked
  const base = `${isTls === true ? 'https' : 'http'}://${host}:${port}`
  const seconds = isSilent === true ? 1 : 10
  const family = host.startsWith('[') ? 6 : 4
  const pluginName = asked.pluginName ?? 'check_http'
  const command: PluginCommand = [
    pluginName,
    `-${family}`,
    // A literal IPv6 address given as -H would stand in the Host header without its brackets.
    ...(family === 6 ? ['-I', host.slice(1, -1), '-H', 'localhost'] : ['-H', host]),
    `--port=${port}`,
    `--url=${path}`,
    `--timeout=${seconds + 1}`,
    ...plugin,
  ]
  const module: BlackboxModule = {
    prober: 'http',
    timeout: `${seconds}s`,
    http: { preferred_ip_protocol: `ip${family}`, ...members },
  }
  const check = { timeoutMs: seconds * 1000, ...wish.check }
  return toCase(kind, name, { ...wish, url: `${base}${path}`, check, command, module })
}

function unreachable(kind: AnyKind, { unanswering, ssh, closed }: Web): Case[] {
  return [
    webCase(kind, 'connection refused', { port: closed, error: /^Connection refused by localhost/ }),
    webCase(kind, 'silent server', {
      port: unanswering,
      isSilent: true,
      error: /^Timed out after 1000 ms while waiting/,
    }),
    webCase(kind, 'another protocol (OpenSSH)', { port: ssh, error: /^The answer is not valid HTTP/ }),
    webCase(kind, 'name that does not exist', {
      port: closed,
      ...unknownName,
    }),
  ]
}

function answers({ plain }: Web): Case[] {
  const go = (name: string, asked: Partial<Asked>): Case => webCase(http, name, { port: plain, ...asked })
  return [
    go('good answer', {}),
    go('good answer over IPv6', { host: '[::1]' }),
    go('POST', {
      path: '/form',
      check: { method: 'POST', requestBody: 'a=b' },
      plugin: ['-P', 'a=b'],
      http: { method: 'POST', body: 'a=b' },
    }),
    go('keyword found', {
      check: { keyword: 'All systems go' },
      plugin: ['-s', 'All systems go'],
      http: { fail_if_body_not_matches_regexp: ['All systems go'] },
    }),
    go('keyword missing', {
      check: { keyword: 'All Systems Go' },
      plugin: ['-s', 'All Systems Go'],
      http: { fail_if_body_not_matches_regexp: ['All Systems Go'] },
      error: /^Keyword "All Systems Go" not found/,
    }),
    go('status 503', { path: '/broken', error: /^HTTP status 503/ }),
    go('status 403', { path: '/closed', error: /^HTTP status 403/, state: 'WARNING', why: 'clientError' }),
    go('redirect that leads to a good answer', { path: '/moved', plugin: ['-f', 'follow'] }),
    go('redirect that is expected', {
      path: '/moved',
      check: { expectedStatusMin: 301, expectedStatusMax: 301 },
      plugin: ['-e', 'HTTP/1.1 301'],
      http: { valid_status_codes: [301], follow_redirects: false },
    }),
    go('redirect loop', { path: '/loop', plugin: ['-f', 'follow'], error: /^Redirect loop/ }),
    go('endless redirects', {
      path: '/far',
      plugin: ['-f', 'follow'],
      error: /^More than 10 redirects/,
      state: 'WARNING',
      why: 'endlessRedirects',
    }),
  ]
}

async function damaged(): Promise<Case[]> {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n'
  const short = await rawServer(answering(`${head}content-length: 100\r\n\r\nhalf`))
  const packed = gzipSync('All systems go\n'.repeat(100))
  packed.fill(0x55, 20, 40)
  const gzip = Buffer.concat([
    Buffer.from(`${head}content-encoding: gzip\r\ncontent-length: ${packed.length}\r\n\r\n`),
    packed,
  ])
  const broken = await rawServer(answering(gzip))
  const empty = await rawServer((socket) => void socket.end())
  const slow = await rawServer((socket) => {
    socket.once('data', () => {
      const timer = setTimeout(() => socket.end(`${head}content-length: 2\r\n\r\nok`), 600)
      socket.once('close', () => clearTimeout(timer))
    })
  })
  return [
    webCase(http, 'closed without an answer', { port: empty.port, error: /^The server closed the connection without/ }),
    webCase(http, 'answer cut short', {
      port: short.port,
      error: /^The answer was cut short: 96 of 100 bytes/,
      state: 'OK',
      why: 'length',
    }),
    webCase(http, 'compressed answer damaged', {
      port: broken.port,
      check: { keyword: 'All systems go' },
      pluginName: 'check_curl',
      plugin: ['--enable-automatic-decompression', '-s', 'All systems go'],
      http: { compression: 'gzip', fail_if_body_not_matches_regexp: ['All systems go'] },
      error: /gzip data is damaged/,
    }),
    webCase(http, 'slower than its limit', {
      port: slow.port,
      check: { options: { max_latency_ms: 300 } },
      plugin: ['-w', '0.3'],
      ours: 'degraded',
      error: /^The answer took longer than 300 ms$/,
      verdict: 'success',
      why: 'slow',
    }),
  ]
}

async function tls(certificates: OracleCertificates, plain: number): Promise<Case[]> {
  const { good, expired, wrongName, selfSigned, withoutMiddle, rootPath } = certificates
  const servers: NginxServer[] = [good, expired, wrongName, selfSigned, withoutMiddle].map((certificate) => ({
    certificate,
  }))
  const ports = await startNginx([...servers, { certificate: good, protocols: 'TLSv1' }])
  const rows: [name: string, port: number | undefined, error?: RegExp][] = [
    ['good certificate', ports[0]],
    ['expired certificate', ports[1], /^The certificate of localhost expired on .*\(3 days ago\)$/],
    ['certificate of another name', ports[2], /^The certificate is for shop\.example, not for localhost$/],
    ['self-signed certificate', ports[3], /self-signed and not trusted$/],
    ['intermediate certificate not sent', ports[4], /not trusted: its issuer "Oracle Middle" is unknown here/],
    ['only TLS 1.0', ports[5], /offers no TLS version in use today/],
    ['TLS asked of a plain port', plain, /does not speak TLS/],
  ]
  return rows.map(([name, port = 0, error]) =>
    webCase(http, name, {
      port,
      isTls: true,
      pluginName: 'check_curl',
      plugin: ['-S', '-D', '--ca-cert', rootPath],
      http: { tls_config: { ca_file: rootPath } },
      ...(error === undefined ? {} : { error }),
    }),
  )
}

async function versions({ good, rootPath }: OracleCertificates): Promise<Case[]> {
  const [both = 0, old = 0] = await startNginx([{ certificate: good, http2: true }, { certificate: good }])
  const wish = { http2: true, expected_http_version: '2' }
  const rows: [name: string, port: number, options: Record<string, unknown>, error?: RegExp][] = [
    ['HTTP/2 expected', both, wish],
    ['HTTP/2 expected, and not chosen', old, wish, /^The answer came by HTTP\/1\.1, expected HTTP\/2$/],
    ['HTTP/1.1 expected, and nothing else offered', both, { expected_http_version: '1.1' }],
  ]
  return rows.map(([name, port, options, error]) => {
    const version = options['http2'] === true ? '2.0' : '1.1'
    return webCase(http, name, {
      port,
      isTls: true,
      check: { options },
      pluginName: 'check_curl',
      plugin: [
        '-S',
        '-D',
        '--ca-cert',
        rootPath,
        `--http-version=${version}`,
        '-e',
        `HTTP/${version.replace('.0', '')}`,
      ],
      http: {
        tls_config: { ca_file: rootPath },
        enable_http2: options['http2'] === true,
        valid_http_versions: [`HTTP/${version}`],
      },
      ...(error === undefined ? {} : { error }),
    })
  })
}

function values({ plain }: Web): Case[] {
  const go = (name: string, path: string, asked: { wanted: string; error?: RegExp }): Case => {
    const pattern = `"state":"${asked.wanted}"`
    return webCase(api, name, {
      port: plain,
      path,
      check: { options: { json_path: 'queue.state', expected_value: asked.wanted } },
      plugin: ['-r', pattern],
      http: { fail_if_body_not_matches_regexp: [pattern] },
      ...(asked.error === undefined ? {} : { error: asked.error }),
    })
  }
  return [
    go('right value', '/json', { wanted: 'ok' }),
    go('wrong value', '/json', { wanted: 'full', error: /^JSON path queue\.state is "ok", expected "full"$/ }),
    go('answer that is not JSON', '/', { wanted: 'ok', error: /^The answer is not JSON$/ }),
    go('status 503', '/broken', { wanted: 'ok', error: /^HTTP status 503/ }),
  ]
}
