import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { Verdict } from '#core/results/result.ts'
import { http } from '#kinds/web/http.ts'
import { checkOnce } from '../support/check.ts'
import { startBind } from '../support/peers/bind.ts'
import { skipReason } from '../support/peers/daemon.ts'
import { startNginx } from '../support/peers/nginx.ts'
import { startMicrosocks, startTinyproxy } from '../support/peers/proxies.ts'
import { freePort } from '../support/free-port.ts'
import { rawServer } from '../support/raw-server.ts'
import { testCertificates } from '../support/test-certificates.ts'

// The way to a web server: by proxies of Debian, beside curl, and with a name server of the monitor's own.

type Route = Record<string, string>

const skip = skipReason(['tinyproxy', 'microsocks', 'nginx', 'named', 'curl'])
const ann = { name: 'ann', secret: 'open-sesame' }

function check(url: string, route: Route): Promise<Verdict> {
  return checkOnce(http, { url, options: route, timeoutMs: 2000 })
}

/** Whether curl gets an answer of the target by the same way. */
function curl(url: string, { proxy = '', proxy_name: name, proxy_secret: secret = '' }: Route): Promise<boolean> {
  // With socks5h the proxy looks up the name, as ours does.
  const way = ['--proxy', proxy.replace('socks5:', 'socks5h:')]
  const signIn = name === undefined ? [] : ['--proxy-user', `${name}:${secret}`]
  return new Promise((resolve) => {
    execFile('curl', ['-sSfk', '--max-time', '3', '--noproxy', '', ...way, ...signIn, url], (error) =>
      resolve(error === null),
    )
  })
}

describe('a website by a proxy', { skip }, async () => {
  const { root, good, expired } = testCertificates()
  setDefaultCACertificates([...getCACertificates('default'), root.pem])
  const directives = 'location = / { return 200 "hello"; }\nlocation = /moved { return 302 /; }'
  const [plain = 0, secure = 0, old = 0] = await startNginx([
    { directives },
    { certificate: good, directives },
    { certificate: expired, directives },
  ])
  const closed = await freePort()
  const open = { http: await startTinyproxy(), socks5: await startMicrosocks() }
  const guarded = {
    http: await startTinyproxy({ credentials: ann }),
    socks5: await startMicrosocks({ credentials: ann }),
  }
  const narrow = await startTinyproxy({ tunnelPort: 443 })
  const { port: silent } = await rawServer(() => {})
  const known = { proxy_name: 'ann', proxy_secret: 'open-sesame' }
  const wrong = { proxy_name: 'ann', proxy_secret: 'close' }

  type Case = [name: string, url: string, route: Route, error: RegExp | null]
  const cases: Case[] = (['http', 'socks5'] as const).flatMap((protocol): Case[] => {
    const by = (port: number): Route => ({ proxy: `${protocol}://127.0.0.1:${port}` })
    const away = { proxy: `${protocol}://127.0.0.1:${closed}` }
    return [
      [`${protocol}, without TLS`, `http://localhost:${plain}/`, by(open[protocol]), null],
      [`${protocol}, with TLS`, `https://localhost:${secure}/`, by(open[protocol]), null],
      [`${protocol}, to an address`, `https://127.0.0.1:${secure}/`, by(open[protocol]), null],
      [`${protocol}, with a password`, `https://localhost:${secure}/`, { ...by(guarded[protocol]), ...known }, null],
      [
        `${protocol}, with a password, without TLS`,
        `http://localhost:${plain}/`,
        { ...by(guarded[protocol]), ...known },
        null,
      ],
      [
        `${protocol}, with a wrong password`,
        `https://localhost:${secure}/`,
        { ...by(guarded[protocol]), ...wrong },
        /^The proxy does not accept the user name and password/,
      ],
      [
        `${protocol}, without a password`,
        `https://localhost:${secure}/`,
        by(guarded[protocol]),
        /^The proxy asks for a user name and a password/,
      ],
      [
        `${protocol}, to a closed port`,
        `https://localhost:${closed}/`,
        by(open[protocol]),
        /^The proxy could not connect to localhost:\d+/,
      ],
      [
        `${protocol}, to a name that is not there`,
        'https://nowhere.invalid/',
        by(open[protocol]),
        /^The proxy could not connect to nowhere\.invalid:443/,
      ],
      [`${protocol}, which is not there`, `https://localhost:${secure}/`, away, /^By the proxy: Connection refused/],
      [
        `${protocol}, which is silent`,
        `https://localhost:${secure}/`,
        by(silent),
        /^Timed out after 2000 ms while waiting for the proxy/,
      ],
    ]
  })
  cases.push([
    'http, which allows no tunnel there',
    `https://localhost:${secure}/`,
    { proxy: `http://127.0.0.1:${narrow}` },
    /^The proxy does not open a way to localhost:\d+ \(403 /,
  ])

  for (const [name, url, route, error] of cases)
    it(`is as curl finds it by ${name}`, async () => {
      const verdict = await check(url, route)
      if (error === null) assert.deepEqual([verdict.error, verdict.status], [null, 'up'])
      else assert.match(verdict.error ?? '', error)
      assert.equal(await curl(url, route), error === null)
    })

  for (const protocol of ['http', 'socks5'] as const) {
    const route = { proxy: `${protocol}://127.0.0.1:${open[protocol]}` }
    it(`is judged by its certificate by ${protocol}, too`, async () => {
      const { error } = await check(`https://localhost:${old}/`, route)
      assert.match(error ?? '', /^The certificate of localhost expired on /)
    })

    it(`may redirect by ${protocol}`, async () => {
      const { status, details } = await check(`https://localhost:${secure}/moved`, route)
      assert.deepEqual([status, details['final_url']], ['up', `https://localhost:${secure}/`])
    })
  }
})

describe('a website with a name server of its own', { skip }, async () => {
  const [port = 0] = await startNginx([{ directives: 'location = / { return 200 "hello"; }' }])
  const server = await startBind({ zones: { 'inside.example': 'shop A 127.0.0.1' }, forwards: {} })

  it('is found where only that server knows its name', async () => {
    const { status, error } = await check(`http://shop.inside.example:${port}/`, { resolver: server })
    assert.deepEqual([status, error], ['up', null])
  })

  it('is down where that server does not know its name, is not there, or refuses to say', async () => {
    const gone = await check(`http://gone.inside.example:${port}/`, { resolver: server })
    assert.equal(gone.error, 'The name gone.inside.example does not exist (NXDOMAIN)')
    const away = await check(`http://shop.inside.example:${port}/`, { resolver: `127.0.0.1:${await freePort()}` })
    assert.equal(away.error, 'The name shop.inside.example could not be looked up: no name server listens')
  })
})
