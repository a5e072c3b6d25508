// The world of the examples: `example.com` and what is below it, on this machine, in a network of its own.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer as createHttps } from 'node:https'
import { createServer as createTcp } from 'node:net'
import { join } from 'node:path'
import { after } from 'node:test'
import type { DnsReply } from '../support/dns-server.ts'
import { dnsServer } from '../support/dns-server.ts'
import { makeCertificate } from '../support/certificates.ts'

export type World = {
  /** With what the service, and the commands that check by themselves, see this world. */
  environment: Readonly<Record<string, string>>
}

/** Where the page for beginners sends its alerts to. */
const publicNtfy = 'ntfy.sh'

/** What servers say first, by their port. */
const greetings: Readonly<Record<number, string>> = {
  22: 'SSH-2.0-OpenSSH_10.0\r\n',
  25: '220 mail.example.com ESMTP\r\n',
}

/** Takes ports that only root has, and that only a network of its own has free. */
export async function startWorld(folder: string): Promise<World> {
  const authority = makeCertificate({ name: 'The authority of the examples', isAuthority: true })
  const names = ['example.com', '*.example.com', publicNtfy]
  const certificate = makeCertificate({ name: 'example.com', names, issuer: authority })
  const authorityFile = join(folder, 'authority.pem')
  writeFileSync(authorityFile, authority.pem)
  const web = createHttps({ key: certificate.keyPem, cert: certificate.pem }, (request, response) => {
    const { host = '' } = request.headers
    response.setHeader('Content-Type', host.startsWith('api.') ? 'application/json' : 'text/html')
    response.end(host.startsWith('api.') ? '{"database": {"status": "ok"}}' : page)
  })
  await listening(web.listen(443, '127.0.0.1'))
  for (const [port, greeting] of Object.entries(greetings)) {
    const server = createTcp((socket) => {
      socket.on('error', () => {})
      socket.write(greeting)
    })
    await listening(server.listen(Number(port), '127.0.0.1'))
  }
  const { address } = await dnsServer(reply)
  return { environment: { NODE_EXTRA_CA_CERTS: authorityFile, PERIGEE_DNS_SERVERS: address } }
}

const page = `<!doctype html><title>Example Domain</title>
<h1>Example Domain</h1><p>All systems go. Welcome. Hello probe. Green tea.</p>`

async function listening(server: ReturnType<typeof createTcp> | ReturnType<typeof createHttps>): Promise<void> {
  await once(server, 'listening')
  after(() => server.close())
}

const texts: Readonly<Record<string, string>> = {
  'example.com': 'v=spf1 mx -all',
  '_dmarc.example.com': 'v=DMARC1; p=quarantine',
  's1._domainkey.example.com': 'v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
}

function reply(name: string, type: string): DnsReply {
  if (name === publicNtfy) return { addresses: ['127.0.0.1'] }
  if (name !== 'example.com' && !name.endsWith('.example.com')) return 'nxdomain'
  if (type === 'MX' && name === 'example.com')
    return { records: [{ type: 'MX', name, ttl: 60, data: { preference: 10, exchange: 'mail.example.com' } }] }
  const text = texts[name]
  if (type === 'TXT' && text !== undefined) return { records: [{ type: 'TXT', name, ttl: 60, data: text }] }
  if (type === 'A') return { addresses: ['127.0.0.1'] }
  return { records: [] }
}
