import { type Certificate, chainPem } from './certificates.ts'
import { amazon, google, statuspage } from './cloud-reports.ts'
import { http2Server } from './http2-server.ts'
import { httpServer } from './http-server.ts'
import { rawServer } from './raw-server.ts'
import { offeringX402, pinnedSale } from './sale-offers.ts'
import { type Checked, filler, kindOf, type Subject } from './robust-check.ts'

const usual = { layer: 'plain', broken: 'down', isAsked: true, needs: 0.95 } as const

export function webSubjects(certificate: Certificate): Subject[] {
  const tls = { cert: chainPem(certificate), key: certificate.keyPem }
  const transactions = (['transaction', 'micro_transaction', 'extended_transaction'] as const).map(transactionSubject)
  return [
    {
      ...usual,
      name: 'http',
      kind: kindOf('http'),
      check: (port) => ({ url: `http://127.0.0.1:${port}/` }),
      good: () => serveText(filler),
    },
    {
      ...usual,
      name: 'http over TLS, with a keyword',
      kind: kindOf('http'),
      layer: 'tls',
      check: (port) => ({ url: `https://127.0.0.1:${port}/`, keyword: 'the end' }),
      good: async () => (await httpServer((_, response) => void response.end(`${filler}the end`), { tls })).port,
      needs: 0.9,
    },
    {
      ...usual,
      name: 'http by HTTP/2, with a keyword',
      kind: kindOf('http'),
      layer: 'tls',
      check: (port) => ({
        url: `https://127.0.0.1:${port}/`,
        keyword: 'the end',
        options: { http2: true, expected_http_version: '2' },
      }),
      good: async () => (await http2Server(certificate, (_, response) => void response.end(`${filler}the end`))).port,
      needs: 0.9,
    },
    {
      ...usual,
      name: 'api',
      kind: kindOf('api'),
      check: (port) => ({ url: `http://127.0.0.1:${port}/`, options: { json_path: 'status', expected_value: 'ok' } }),
      good: () => serveText(JSON.stringify({ status: 'ok', filler })),
    },
    ...transactions,
    paidSubject,
  ]
}

/** The offer stands in the headers, and no body follows. */
const paidSubject: Subject = {
  ...usual,
  name: 'paid_endpoint',
  kind: kindOf('paid_endpoint'),
  check: (port) => ({ url: `http://127.0.0.1:${port}/`, options: pinnedSale }),
  good: async () => {
    const headers = { 'payment-required': offeringX402(), 'content-length': 0 }
    return (await httpServer((_, response) => void response.writeHead(402, headers).end())).port
  },
}

function transactionSubject(name: 'transaction' | 'micro_transaction' | 'extended_transaction'): Subject {
  return {
    ...usual,
    name,
    kind: kindOf(name),
    check: (port) => ({ url: `http://127.0.0.1:${port}/`, options: { steps: [{}, { url: '/next' }] } }),
    good: () => serveText(filler),
  }
}

const item = '<item><title>All is well</title></item>'

/** A report of each source, which says that all is well. */
const reports = {
  statuspage: JSON.stringify(statuspage('none', { API: 'operational', EU: 'operational' })),
  google: JSON.stringify([google[1]]),
  amazon: JSON.stringify(amazon.slice(1)),
  feed: `<?xml version="1.0"?><rss version="2.0"><channel><title>Azure status</title>${item.repeat(20)}</channel></rss>`,
}

/** Kinds that ask an outside service, and kinds that read the reports of other operators. */
export function serviceSubjects(): Subject[] {
  const cloud = Object.entries(reports).map(([source, text]) => cloudSubject(source, text))
  return [...cloud, malwareSubject, pageSpeedSubject, rdapSubject, whoisSubject]
}

function cloudSubject(source: string, text: string): Subject {
  return {
    ...usual,
    name: `cloud_status by ${source}`,
    kind: kindOf('cloud_status'),
    check: (port) => ({ url: `http://127.0.0.1:${port}/report.json` }),
    good: () => serveText(text.replaceAll('All is well', '[Resolved] All is well')),
  }
}

const malwareSubject: Subject = {
  ...usual,
  broken: 'degraded',
  name: 'malware',
  kind: kindOf('malware'),
  check: (port) => ({ url: 'https://example.com/', services: { webRiskUrl: `http://127.0.0.1:${port}` } }),
  good: () => serveText(JSON.stringify({ filler })),
}

const pageSpeedSubject: Subject = {
  ...usual,
  broken: 'degraded',
  name: 'page_speed',
  kind: kindOf('page_speed'),
  check: (port) => ({ url: 'https://example.com/', services: { pageSpeedUrl: `http://127.0.0.1:${port}` } }),
  good: () => serveText(JSON.stringify({ lighthouseResult: { filler, categories: { performance: { score: 0.9 } } } })),
}

const farAhead = new Date(Date.now() + 400 * 86_400_000).toISOString()
const nobody = { rdapBootstrapUrl: 'http://127.0.0.1:1/dns.json', whoisHost: { host: '127.0.0.1', port: 1 } }

/** The list of servers and the server itself are at one port. */
const rdapSubject: Subject = {
  ...usual,
  broken: 'degraded',
  name: 'domain by RDAP',
  kind: kindOf('domain'),
  check: (port): Checked => ({
    url: 'shop.test',
    services: { ...nobody, rdapBootstrapUrl: `http://127.0.0.1:${port}/dns.json` },
  }),
  good: async () => {
    const { port } = await httpServer((request, response) => {
      const services = [[['test'], [`http://${request.headers.host}/`]]]
      const events = [{ eventAction: 'expiration', eventDate: farAhead }]
      const description = { objectClassName: 'domain', filler, events }
      response.end(JSON.stringify(request.url === '/dns.json' ? { services } : description))
    })
    return port
  },
}

const whoisAnswer = `${'% Terms of use.\r\n'.repeat(50)}Registry Expiry Date: ${farAhead}\r\n`

const whoisSubject: Subject = {
  ...usual,
  broken: 'degraded',
  name: 'domain by WHOIS',
  kind: kindOf('domain'),
  check: (port) => ({ url: 'shop.test', services: { ...nobody, whoisHost: { host: '127.0.0.1', port } } }),
  good: async () => (await rawServer((socket) => void socket.once('data', () => socket.end(whoisAnswer)))).port,
  needs: 0.9,
}

async function serveText(text: string): Promise<number> {
  return (await httpServer((_, response) => void response.end(text))).port
}
