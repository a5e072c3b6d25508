import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { TcpBehaviour } from './broken-behaviours.ts'
import { type Oversized, oversizedDatabases } from './oversized-databases.ts'
import { oversizedSockets } from './oversized-sockets.ts'
import type { Checked } from './robust-check.ts'

const mebibyte = 1024 * 1024
/** The content of a compression bomb. */
function zeros(): Buffer {
  return Buffer.alloc(64 * mebibyte)
}

const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }

const ok = 'HTTP/1.1 200 OK\r\n'
const head = `${ok}content-type: text/html\r\n`

function endless(say: string | Buffer, fill: string, rest: Partial<TcpBehaviour> = {}): TcpBehaviour {
  return { layer: 'plain', isAsked: true, ending: 'endless', say: Buffer.from(say), fill: Buffer.from(fill), ...rest }
}

function whole(say: Buffer): TcpBehaviour {
  return { layer: 'plain', isAsked: true, ending: 'fin', say, fill: Buffer.alloc(0) }
}

function encoded(coding: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${head}content-encoding: ${coding}\r\n\r\n`), body])
}

const page = (port: number): Checked => ({ url: `http://127.0.0.1:${port}/` })
const keyword = (port: number): Checked => ({ ...page(port), keyword: 'needle' })
const report = (port: number): Checked => ({ url: `http://127.0.0.1:${port}/report.json` })
const host = (port: number): Checked => ({ url: `127.0.0.1:${port}` })
const json = (port: number): Checked => ({ ...page(port), options: { json_path: 'a' } })

const largeHead = /headers of the answer are larger than 64 KiB/
const noKeyword = /Keyword "needle" not found in the first 2 MiB/

/** A check that has no keyword to look for reads a body to 10 MiB and then takes the answer as good. */
const bodies: Oversized[] = [
  { name: 'a body', kind: 'http', behaviour: () => endless(`${head}\r\n`, 'x'), check: page, status: 'up', text: null },
  {
    name: 'a body that is searched',
    kind: 'http',
    behaviour: () => endless(`${head}\r\n`, 'need'),
    check: keyword,
    status: 'down',
    text: noKeyword,
  },
  {
    name: 'a body of single bytes',
    kind: 'http',
    behaviour: () => endless(`${head}transfer-encoding: chunked\r\n\r\n`, '1\r\nn\r\n'),
    check: keyword,
    status: 'down',
    text: noKeyword,
  },
  {
    name: 'a chunk of 256 TiB',
    kind: 'http',
    behaviour: () => endless(`${head}transfer-encoding: chunked\r\n\r\nffffffffffff\r\n`, 'x'),
    check: page,
    status: 'up',
    text: null,
  },
  {
    name: 'a gzip bomb',
    kind: 'http',
    behaviour: () => whole(encoded('gzip', gzipSync(zeros()))),
    check: keyword,
    status: 'down',
    text: noKeyword,
  },
  {
    name: 'a gzip bomb that nobody opens',
    kind: 'http',
    behaviour: () => whole(encoded('gzip', gzipSync(zeros()))),
    check: page,
    status: 'up',
    text: null,
  },
  {
    name: 'a brotli bomb',
    kind: 'api',
    behaviour: () => whole(encoded('br', brotliCompressSync(zeros(), fast))),
    check: json,
    status: 'down',
    text: /longer than 2 MiB/,
  },
  {
    name: 'JSON that is nested without end',
    kind: 'api',
    behaviour: () => whole(Buffer.from(`${head}\r\n${'[{"a":'.repeat(300_000)}`)),
    check: json,
    status: 'down',
    text: /too many lists, objects or different names to be read as JSON/,
  },
  {
    name: 'JSON that is nested deeply',
    kind: 'api',
    behaviour: () => whole(Buffer.from(`${head}\r\n{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)),
    check: (port) => ({ ...page(port), options: { json_path: 'a', expected_value: 1 } }),
    status: 'down',
    text: /JSON path a is \[{197}\.\.\., expected 1/,
  },
]

const heads: Oversized[] = [
  ['headers', ok, `x-name: ${'v'.repeat(50)}\r\n`, largeHead],
  ['a header', `${ok}x: `, 'x', largeHead],
  ['interim answers', '', 'HTTP/1.1 103 Early Hints\r\n\r\n', largeHead],
  ['empty lines', '', '\r\n', largeHead],
  ['trailers', `${head}transfer-encoding: chunked\r\n\r\n0\r\n`, 'a: b\r\n', largeHead],
  ['a chunk size', `${head}transfer-encoding: chunked\r\n\r\n1;`, 'x', /a chunk has no proper size/],
].map(([name, say, fill, text]) => ({
  name: String(name),
  kind: 'http',
  behaviour: () => endless(String(say), String(fill)),
  check: page,
  status: 'down',
  text: text instanceof RegExp ? text : null,
}))

const cookies = Array.from({ length: 800 }, (_, index) => `set-cookie: c${index}=${'v'.repeat(50)}\r\n`).join('')

const web: Oversized[] = [
  {
    name: 'a redirect',
    kind: 'http',
    behaviour: () => whole(Buffer.from(`HTTP/1.1 302 Found\r\nlocation: /${'a'.repeat(60_000)}\r\n\r\n`)),
    check: page,
    status: 'down',
    text: /Redirect loop/,
  },
  {
    name: 'cookies',
    kind: 'transaction',
    behaviour: () => whole(Buffer.from(`${ok}${cookies}content-length: 0\r\n\r\n`)),
    check: (port) => ({ ...page(port), options: { steps: [{}, { url: '/a' }, { url: '/b' }] } }),
    status: 'up',
    text: null,
  },
  {
    name: 'a report',
    kind: 'cloud_status',
    behaviour: () => endless(`${ok}\r\n[`, '{"begin":"2026-05-01T10:00:00Z","external_desc":"x"},'),
    check: report,
    status: 'down',
    text: /longer than 4 MiB/,
  },
  {
    name: 'a feed',
    kind: 'cloud_status',
    behaviour: () => endless(`${ok}\r\n<rss>`, '<item>'),
    check: report,
    status: 'down',
    text: /longer than 4 MiB/,
  },
  {
    name: 'a feed that is nested deeply',
    kind: 'cloud_status',
    behaviour: () => whole(Buffer.from(`${ok}\r\n<rss>${'<a>'.repeat(60_000)}${'</a>'.repeat(60_000)}</rss>`)),
    check: report,
    status: 'down',
    text: /No status report was found/,
  },
  {
    name: 'an answer about threats',
    kind: 'malware',
    behaviour: () => endless(`${ok}\r\n{"threat":"`, 'x'),
    check: (port) => ({ url: 'https://example.com/', services: { webRiskUrl: `http://127.0.0.1:${port}` } }),
    status: 'degraded',
    text: /not its JSON/,
  },
  {
    name: 'a measurement',
    kind: 'page_speed',
    behaviour: () => endless(`${ok}\r\n{"lighthouseResult":"`, 'x'),
    check: (port) => ({ url: 'https://example.com/', services: { pageSpeedUrl: `http://127.0.0.1:${port}` } }),
    status: 'degraded',
    text: /not its JSON/,
  },
]

const nobody = { host: '127.0.0.1', port: 1 }

const registries: Oversized[] = [
  {
    name: 'a list of registries',
    kind: 'domain',
    behaviour: () => endless(`${ok}\r\n{"services":[`, '[["test"],["http://127.0.0.1:1/"]],'),
    check: (port) => ({
      url: 'shop.test',
      services: { rdapBootstrapUrl: `http://127.0.0.1:${port}/dns.json`, whoisHost: nobody },
    }),
    status: 'degraded',
    text: /the list of RDAP servers: the answer is too long/,
  },
  {
    name: 'a registration',
    kind: 'domain',
    behaviour: () => endless('', '% Terms of use apply.\r\n'),
    check: (port) => ({
      url: 'shop.test',
      services: { rdapBootstrapUrl: 'http://127.0.0.1:1/', whoisHost: { host: '127.0.0.1', port } },
    }),
    status: 'degraded',
    text: /WHOIS server 127\.0\.0\.1 answered "Terms of use/,
  },
]

function varInt(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varInt(value >>> 7)]
}

const tooMuch = /sent more than 64 KiB where/
const speaking = { isAsked: false } as const

const hosts: Oversized[] = [
  {
    name: 'a status',
    kind: 'game_server',
    behaviour: () => endless(Buffer.from([...varInt(mebibyte), 0, ...varInt(mebibyte - 8)]), '{'),
    check: host,
    status: 'down',
    text: /sent a status with too many parts to be read/,
  },
  {
    name: 'a frame',
    kind: 'game_server',
    behaviour: () => endless(Buffer.from(varInt(2 * mebibyte)), 'x'),
    check: host,
    status: 'down',
    text: /not as a game server does/,
  },
  {
    name: 'a text',
    kind: 'tcp',
    behaviour: () => endless('', 'needl', speaking),
    check: (port) => ({ ...host(port), options: { expected_text: 'needle' } }),
    status: 'down',
    text: /not found/,
  },
  {
    name: 'lines before the identification',
    kind: 'ssh',
    behaviour: () => endless('', 'Welcome\r\n', speaking),
    check: host,
    status: 'down',
    text: /Not an SSH server/,
  },
  {
    name: 'an identification',
    kind: 'ssh',
    behaviour: () => endless('SSH-2.0-', 'x', speaking),
    check: host,
    status: 'down',
    text: tooMuch,
  },
]

const greetings = { smtp: '220-x\r\n', ftps: '220-x\r\n', imap: '* ', pop: '+OK ' } as const

const lines: Oversized[] = (['smtp', 'ftps', 'imap', 'pop'] as const).flatMap((kind) =>
  (['plain', 'tls'] as const).map((layer) => {
    const isEndlessLine = kind === 'imap' || kind === 'pop'
    const fill = isEndlessLine ? 'x' : greetings[kind]
    const security = layer === 'tls' ? 'tls' : 'starttls'
    return {
      name: `a greeting (${layer})`,
      kind,
      behaviour: () => endless(greetings[kind], fill, { ...speaking, layer }),
      check: (port: number) => ({ ...host(port), options: { security } }),
      status: 'down' as const,
      text: tooMuch,
    }
  }),
)

export const oversized: readonly Oversized[] = [
  ...bodies,
  ...heads,
  ...web,
  ...registries,
  ...hosts,
  ...lines,
  ...oversizedDatabases,
  ...oversizedSockets,
]
