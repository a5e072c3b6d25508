import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { describe, it } from 'node:test'
import { makeCertificate } from '../../../test/support/certificates.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { answerOf, failureOf, get } from '../../../test/support/net.ts'
import { httpProxy, socksProxy } from '../../../test/support/proxy-server.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { rawServer } from '../../../test/support/raw-server.ts'
import type { Proxy } from './proxy.ts'

const known = { name: 'ann', secret: 'open sesame' }
const wrong = { name: 'ann', secret: 'open' }

function proxyAt(port: number, protocol: Proxy['protocol'], credentials: Proxy['credentials'] = null): Proxy {
  return { protocol, host: '127.0.0.1', port, credentials }
}

const { pem, keyPem } = makeCertificate({ name: 'shop.example', names: ['shop.example'] })
const tls = { host: 'shop.example', authorities: pem }

describe('an exchange by a proxy', async () => {
  const plain = await httpServer((request, response) => {
    if (request.url === '/moved') {
      response.writeHead(302, { location: '/end' }).end()
      return
    }
    response.end(JSON.stringify({ url: request.url, ...request.headers }))
  })
  const secure = await httpServer((_, response) => void response.end('inside'), { tls: { cert: pem, key: keyPem } })
  const servers: [Proxy['protocol'], typeof httpProxy][] = [
    ['http', httpProxy],
    ['socks5', socksProxy],
  ]

  for (const [protocol, start] of servers) {
    it(`reaches a server within TLS by ${protocol}, which looks up its name`, async () => {
      const { port, asked } = await start()
      const proxy = proxyAt(port, protocol)
      const outcome = await get(`https://shop.example:${secure.port}/`, { proxy, tls })
      assert.equal(answerOf(outcome).text, 'inside')
      const place = `shop.example:${secure.port}`
      assert.deepEqual(asked, [protocol === 'http' ? `CONNECT ${place}` : `socks ${place}`])
      assert.equal(outcome.phases.dnsMs, 0, 'the proxy is a literal address')
      assert.notEqual(outcome.phases.tlsMs, null)
    })

    it(`reaches a server without TLS by ${protocol}, also after a redirect`, async () => {
      const { port, asked } = await start()
      const proxy = proxyAt(port, protocol)
      const { text, redirects } = answerOf(await get(`http://shop.example:${plain.port}/moved`, { proxy }))
      const seen = JSON.parse(text)
      assert.deepEqual([seen.url, seen.host, redirects.length], ['/end', `shop.example:${plain.port}`, 1])
      const origin = `http://shop.example:${plain.port}`
      const byHttp = [`GET ${origin}/moved`, `GET ${origin}/end`]
      const bySocks = [`socks shop.example:${plain.port}`, `socks shop.example:${plain.port}`]
      assert.deepEqual(asked, protocol === 'http' ? byHttp : bySocks)
    })

    it(`signs in at ${protocol}, and tells the target nothing of that`, async () => {
      const { port } = await start({ credentials: known })
      const proxy = proxyAt(port, protocol, known)
      const { text } = answerOf(await get(`http://shop.example:${plain.port}/`, { proxy }))
      assert.ok(!text.includes('authorization'))
      assert.equal(answerOf(await get(`https://shop.example:${secure.port}/`, { proxy, tls })).text, 'inside')
    })

    it(`says that ${protocol} lets it in only with another password, or with one`, async () => {
      const { port } = await start({ credentials: known })
      for (const credentials of [wrong, null])
        for (const url of [`http://shop.example:${plain.port}/`, `https://shop.example:${secure.port}/`]) {
          const failure = failureOf(await get(url, { proxy: proxyAt(port, protocol, credentials) }))
          assert.equal(failure.code, 'proxy_sign_in')
          assert.match(failure.message, credentials === null ? /asks for a user name/ : /does not accept the user name/)
        }
    })

    it(`says that ${protocol} could not connect to the target`, async () => {
      const { port } = await start()
      const away = await freePort()
      const { code, phase, message } = failureOf(
        await get(`https://shop.example:${away}/`, { proxy: proxyAt(port, protocol), tls }),
      )
      const why = protocol === 'http' ? '(502 Bad Gateway)' : ': the connection was refused'
      const text = `The proxy could not connect to shop.example:${away}${protocol === 'http' ? ' ' : ''}${why}`
      assert.deepEqual([code, phase, message], ['proxy_failed', 'connect', text])
    })

    it(`says that the proxy for ${protocol} is not there`, async () => {
      const away = await freePort()
      const { code, message } = failureOf(await get('http://shop.example/', { proxy: proxyAt(away, protocol) }))
      assert.deepEqual([code, message], ['connection_refused', `By the proxy: Connection refused by 127.0.0.1:${away}`])
    })
  }

  it('asks no proxy for a literal address that may not be checked, at first or after a redirect', async () => {
    const { port, asked } = await httpProxy()
    const proxy = proxyAt(port, 'http')
    const options = { allowPrivate: ['127.0.0.1/32'] }
    const direct = failureOf(await get('http://10.1.2.3/', { proxy }, options))
    assert.equal(direct.code, 'forbidden_address')
    const inside = await httpServer((_, response) => response.writeHead(302, { location: 'http://[fd00::1]/' }).end())
    const led = failureOf(await get(`http://shop.example:${inside.port}/`, { proxy }, options))
    assert.equal(led.code, 'forbidden_address')
    assert.deepEqual(asked, [`GET http://shop.example:${inside.port}/`])
  })

  it('dials no proxy at an address that may not be checked', async () => {
    const { port, asked } = await httpProxy()
    const failure = failureOf(
      await get('http://shop.example/', { proxy: proxyAt(port, 'http') }, { allowPrivate: 'none' }),
    )
    assert.deepEqual([failure.code, asked], ['forbidden_address', []])
  })
})

/** What is said at the first bytes of a client, whatever they are. */
function saying(bytes: string | number[]): (socket: Socket) => void {
  return (socket) => socket.once('data', () => void socket.write(Buffer.from(bytes)))
}

describe('a proxy that does not speak its protocol', () => {
  const cases: [string, Proxy['protocol'], (socket: Socket) => void, RegExp][] = [
    ['closes at once', 'http', (socket) => socket.end(), /^The proxy 127\.0\.0\.1:\d+ closed the connection$/],
    ['closes at once', 'socks5', (socket) => socket.end(), /^The proxy 127\.0\.0\.1:\d+ closed the connection$/],
    ['is silent', 'http', () => {}, /^Timed out after 500 ms while waiting for the proxy 127/],
    ['is silent', 'socks5', () => {}, /^Timed out after 500 ms while waiting for the proxy 127/],
    ['says something else', 'http', saying('220 mail\r\n\r\n'), /does not answer as an HTTP proxy does$/],
    ['says something else', 'socks5', saying('220 mail\r\n\r\n'), /does not answer as a SOCKS5 proxy does$/],
    ['never ends its head', 'http', saying('a'.repeat(20_000)), /says too much$/],
    ['goes on', 'http', saying('HTTP/1.1 200 OK\r\n\r\nmore'), /says too much$/],
    [
      'refuses',
      'http',
      saying('HTTP/1.1 403 No\u0001Way\r\n\r\n'),
      /does not open a way to shop\.example:443 \(403 No\?Way\)$/,
    ],
    ['has no such method', 'socks5', saying([5, 9]), /does not answer as a SOCKS5 proxy does$/],
    ['forbids it', 'socks5', saying([5, 0, 5, 2, 0, 1]), /rules do not allow a connection to shop\.example:443$/],
    ['cannot', 'socks5', saying([5, 0, 5, 77, 0, 1]), /could not connect to shop\.example:443: reply 77$/],
    ['binds to what is no address', 'socks5', saying([5, 0, 5, 0, 0, 9]), /does not answer as a SOCKS5 proxy does$/],
    ['binds to a name', 'socks5', saying([5, 0, 5, 0, 0, 3, 1, 65, 0, 80, 7]), /says too much$/],
  ]
  for (const [name, protocol, onSocket, text] of cases)
    it(`${name} (${protocol})`, async () => {
      const { port } = await rawServer(onSocket)
      const wishes = { proxy: proxyAt(port, protocol), timeoutMs: 500 }
      assert.match(failureOf(await get('https://shop.example/', wishes)).message, text)
    })
})
