import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Verdict } from '#core/results/result.ts'
import { createNet } from '#net/create-net.ts'
import { checkOnce, configurationOf } from '../../../test/support/check.ts'
import { dnsServer } from '../../../test/support/dns-server.ts'
import { type DnsZone, zoneReply } from '../../../test/support/dns-zone.ts'
import {
  bedrockFields,
  bedrockServer,
  goodStatus,
  javaServer,
  pong,
  statusPacket,
} from '../../../test/support/game-server.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { answering, rawServer } from '../../../test/support/raw-server.ts'
import { closedUdpPort, udpServer } from '../../../test/support/udp-server.ts'
import { gameServer } from './game-server.ts'

const good = statusPacket(JSON.stringify(goodStatus))
const bedrock = { edition: 'bedrock' }

/** One check of a name that only this zone knows. */
async function checkIn(
  zone: DnsZone,
  url: string,
  wishes: { timeoutMs?: number; allowPrivate?: 'none' } = {},
): Promise<Verdict> {
  const { address } = await dnsServer(zoneReply(zone))
  const net = createNet({ allowPrivate: wishes.allowPrivate ?? 'all', dnsServers: [address] })
  const configuration = configurationOf(gameServer, { url, timeoutMs: wishes.timeoutMs ?? 3000 })
  return gameServer.check(configuration, net, AbortSignal.timeout(configuration.timeoutMs))
}

describe('a check of kind game_server, java edition', () => {
  it('is up when the server tells its status', async () => {
    const { port, handshakes } = await javaServer((socket) => socket.write(good))
    const verdict = await checkOnce(gameServer, { url: `127.0.0.1:${port}` })
    assert.deepEqual([verdict.status, verdict.statusCode, verdict.error], ['up', null, null])
    assert.ok(Number.isInteger(verdict.latencyMs))
    assert.deepEqual(verdict.details, {
      version: '1.20.4',
      protocol: 765,
      players_online: 3,
      players_max: 20,
      message: 'A fine server',
    })
    assert.deepEqual(handshakes, [{ protocol: -1, host: '127.0.0.1', port, nextState: 1 }])
  })

  it('puts a status together that drips', async () => {
    const { port } = await javaServer((socket) => {
      socket.setNoDelay(true)
      const next = (offset: number): void => {
        if (offset < good.length) socket.write(good.subarray(offset, offset + 7), () => setImmediate(next, offset + 7))
      }
      next(0)
    })
    assert.equal((await checkOnce(gameServer, { url: `127.0.0.1:${port}` })).status, 'up')
  })

  it('says what is wrong with what came', async () => {
    const endless = Buffer.alloc(2 * 1024 * 1024, 'x')
    Buffer.from([0x80, 0x80, 0x40, 0x00, 0xfc, 0xff, 0x3f]).copy(endless)
    const cases: [(url: string) => string, ReturnType<typeof answering>][] = [
      [(url) => `${url} closed the connection before its status came`, (socket) => socket.end()],
      [(url) => `${url} closed the connection in the middle of its status`, answering(good.subarray(0, 40))],
      [(url) => `${url} answered, but not as a game server does`, answering('HTTP/1.1 400 Bad Request\r\n\r\n')],
      [(url) => `${url} sent a status that is not JSON`, answering(statusPacket('{"version":'))],
      [(url) => `${url} sent a status of more than 1024 KiB`, answering(endless)],
      [
        (url) => `The connection was reset by ${url} before the answer came`,
        (socket) => {
          socket.once('data', () => socket.resetAndDestroy())
        },
      ],
      [() => 'Timed out after 500 ms while waiting for the answer', () => {}],
      [() => 'Timed out after 500 ms while reading the answer', answering(good.subarray(0, 40), { staysOpen: true })],
    ]
    for (const [error, behaviour] of cases) {
      const { port } = await rawServer(behaviour)
      const url = `127.0.0.1:${port}`
      const verdict = await checkOnce(gameServer, { url, timeoutMs: 500 })
      assert.deepEqual([verdict.status, verdict.latencyMs, verdict.error], ['down', null, error(url)])
    }
    const free = await freePort()
    const refused = await checkOnce(gameServer, { url: `127.0.0.1:${free}` })
    assert.equal(refused.error, `Connection refused by 127.0.0.1:${free}`)
  })

  it('follows the SRV record of a name, and tells the server its name there', async () => {
    const { port, handshakes } = await javaServer((socket) => socket.write(good))
    const dead = await freePort()
    const zone = {
      'SRV _minecraft._tcp.play.example': [
        `20 0 ${dead} far.example`,
        `5 1 ${dead} node.example`,
        `5 9 ${port} node.example`,
      ],
      'A node.example': '127.0.0.1',
      'A far.example': '127.0.0.1',
    }
    const verdict = await checkIn(zone, 'play.example')
    assert.deepEqual([verdict.status, verdict.error], ['up', null])
    assert.equal(verdict.details['srv'], `node.example:${port}`)
    assert.deepEqual(
      handshakes.map(({ host }) => host),
      ['node.example'],
    )
  })

  it('goes on to the next place when one cannot be connected to, and names the last', async () => {
    const { port } = await javaServer((socket) => socket.write(good))
    const dead = await freePort()
    const zone = {
      'SRV _minecraft._tcp.play.example': [`1 0 ${dead} node.example`, `2 0 ${port} node.example`],
      'SRV _minecraft._tcp.dead.example': [`1 0 ${dead} node.example`, `2 0 ${dead} gone.example`],
      'A node.example': '127.0.0.1',
      'A gone.example': 'nxdomain',
    }
    assert.equal((await checkIn(zone, 'play.example')).details['srv'], `node.example:${port}`)
    const down = await checkIn(zone, 'dead.example')
    assert.deepEqual([down.status, down.details], ['down', { srv: `gone.example:${dead}` }])
    assert.match(down.error ?? '', /^The name gone\.example does not exist \(NXDOMAIN\)$/)
  })

  it('looks at the name itself when there is no record, its server fails, or a port is given', async () => {
    const { port } = await javaServer((socket) => socket.write(good))
    const zone = { 'A named.example': '127.0.0.1', 'SRV _minecraft._tcp.named.example': '1 0 1 other.example' }
    assert.equal((await checkIn(zone, `named.example:${port}`)).status, 'up')
    for (const reply of ['nxdomain', 'servfail', 'silent']) {
      const verdict = await checkIn(
        { 'A plain.example': '127.0.0.3', 'SRV _minecraft._tcp.plain.example': reply },
        'plain.example',
        { timeoutMs: 1500 },
      )
      assert.equal(verdict.error, 'Connection refused by plain.example:25565')
    }
  })

  it('is down when the record says that there is no such service', async () => {
    const zone = { 'SRV _minecraft._tcp.none.example': '0 0 0 .', 'A none.example': '127.0.0.1' }
    const verdict = await checkIn(zone, 'none.example')
    assert.deepEqual(
      [verdict.status, verdict.error],
      ['down', 'The SRV record of none.example says that there is no game server'],
    )
  })

  it('does not dial private addresses that a record leads to', async () => {
    const { port, connections } = await javaServer((socket) => socket.write(good))
    for (const target of ['inside.example', '127.0.0.1']) {
      const zone = { 'SRV _minecraft._tcp.sly.example': `1 0 ${port} ${target}`, 'A inside.example': '127.0.0.1' }
      const verdict = await checkIn(zone, 'sly.example', { allowPrivate: 'none' })
      assert.match(verdict.error ?? '', /private or reserved/)
    }
    assert.equal(connections(), 0)
  })
})

describe('a check of kind game_server, bedrock edition', () => {
  it('is up when the server answers', async () => {
    const { port } = await bedrockServer((ping) => pong(ping, bedrockFields))
    const verdict = await checkOnce(gameServer, { url: `127.0.0.1:${port}`, options: bedrock })
    assert.deepEqual([verdict.status, verdict.error], ['up', null])
    assert.deepEqual(verdict.details, {
      version: '1.20.80',
      protocol: 671,
      players_online: 3,
      players_max: 20,
      message: 'A fine server',
    })
  })

  it('says what is wrong', async () => {
    const strange = await udpServer((_, send) => send(Buffer.from('hello')))
    const cut = await bedrockServer((ping) => pong(ping, bedrockFields).subarray(0, -5))
    const empty = await bedrockServer((ping) => pong(ping, ''))
    const silent = await bedrockServer(() => null)
    const free = await closedUdpPort()
    const cases = [
      [strange.port, `127.0.0.1:${strange.port} answered, but not as a game server does`],
      [empty.port, `127.0.0.1:${empty.port} answered, but not as a game server does`],
      [cut.port, `127.0.0.1:${cut.port} sent a status that is cut off`],
      [silent.port, 'Timed out after 500 ms while waiting for the answer'],
      [free, `Connection refused by 127.0.0.1:${free}: nothing listens on this UDP port`],
    ] as const
    for (const [port, error] of cases) {
      const verdict = await checkOnce(gameServer, { url: `127.0.0.1:${port}`, options: bedrock, timeoutMs: 500 })
      assert.deepEqual([verdict.status, verdict.latencyMs, verdict.error], ['down', null, error])
    }
    assert.equal(silent.received.length, 2)
  })
})

describe('the options of kind game_server', () => {
  it('are an edition and nothing else', () => {
    assert.deepEqual([{}, { edition: 'java' }, { edition: 'bedrock' }].map(isValid), [true, true, true])
    assert.deepEqual([{ edition: 'other' }, { edition: null }, { port: 1 }].map(isValid), [false, false, false])
  })

  it('come with a host that may have a port', () => {
    assert.equal(
      gameServer.targetProblem('play.example.com', () => false),
      null,
    )
    assert.equal(
      gameServer.targetProblem('play.example.com:25566', () => false),
      null,
    )
    assert.match(gameServer.targetProblem('https://play.example.com', () => false) ?? '', /Must be a host/)
  })
})

function isValid(options: Record<string, unknown>): boolean {
  return gameServer.options.safeParse(options).success
}
