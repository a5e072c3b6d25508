import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, it } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { dnsServer } from '../../../test/support/dns-server.ts'
import { lineServer } from '../../../test/support/line-server.ts'
import { failureOf, openNet } from '../../../test/support/net.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { rawServer } from '../../../test/support/raw-server.ts'
import { testCertificates } from '../../../test/support/test-certificates.ts'
import { timed } from '../../../test/support/timed.ts'
import { until } from '../../../test/support/until.ts'
import { createNet } from '#net/create-net.ts'
import type { DialogueOutcome, DialogueRequest, DialogueStep } from './dialogue.ts'

const { root, good, expired, wrongName, selfSigned } = testCertificates()
setDefaultCACertificates([...getCACertificates('default'), root.pem])

/** A reply of this protocol ends with a line that begins with a dot. */
const read: DialogueStep['read'] = (lines) => (lines.at(-1)?.startsWith('.') === true ? 'finished' : 'unfinished')
const greeting: DialogueStep = { awaited: 'the greeting', send: null, read }
const hello: DialogueStep = { awaited: 'the answer to HELLO', send: (own) => `HELLO ${own}`, read }
const upgrade: DialogueStep = { awaited: 'the answer to UPGRADE', send: () => 'UPGRADE', read, isTlsNext: true }

function talk(port: number, wishes: Partial<DialogueRequest> = {}): Promise<DialogueOutcome> {
  const timeoutMs = wishes.timeoutMs ?? 3000
  const request = { host: 'localhost', port, isTls: false, steps: [greeting, hello], farewell: 'BYE', maxBytes: 1024 }
  return timed(() => openNet.dialogue({ ...request, timeoutMs, ...wishes }, AbortSignal.timeout(timeoutMs)))
}

async function messageOf(port: number, wishes: Partial<DialogueRequest> = {}): Promise<string> {
  return failureOf(await talk(port, wishes)).message.replace(`:${port}`, '')
}

const answer = (line: string): string | null => (line === 'BYE' ? null : `you said ${line}\r\n.\r\n`)

describe('a dialogue', () => {
  it('takes each reply in turn and says farewell', async () => {
    const { port, heard } = await lineServer({ greeting: 'welcome\r\n. here\n', answer })
    const outcome = await talk(port)
    assert.ok(outcome.ok)
    assert.deepEqual(outcome.replies, [
      ['welcome', '. here'],
      ['you said HELLO 127.0.0.1', '.'],
    ])
    assert.equal(outcome.tls, null)
    const { dnsMs, connectMs, tlsMs, ttfbMs, transferMs } = outcome.phases
    assert.deepEqual(
      [dnsMs, connectMs, ttfbMs, transferMs].map((ms) => Number.isInteger(ms)),
      [true, true, true, true],
    )
    assert.equal(tlsMs, null)
    await until('the farewell', async () => heard.includes('BYE'))
  })

  it('tells the time of the first reply from that of the others', async () => {
    const { port } = await rawServer((socket) => {
      socket.write('.\r\n')
      socket.once('data', () => setTimeout(() => socket.write('.\r\n'), 300))
    })
    const { transferMs } = (await talk(port)).phases
    assert.ok(transferMs !== null && transferMs >= 250, `${transferMs} ms`)
  })

  it('takes as many bytes as it may', async () => {
    const { port } = await lineServer({ greeting: `.${'x'.repeat(1021)}\r\n`, answer })
    assert.ok((await talk(port, { steps: [greeting] })).ok)
  })

  it('looks its name up afresh', async () => {
    const { address, questions } = await dnsServer(() => ({ addresses: ['127.0.0.1'], ttlSeconds: 300 }))
    const net = createNet({ allowPrivate: 'all', dnsServers: [address] })
    const { port } = await lineServer({ greeting: '.\r\n', answer })
    const request = { host: 'here.example', port, isTls: false, steps: [greeting], farewell: 'BYE', maxBytes: 1024 }
    for (const looks of [1, 2]) {
      assert.ok((await net.dialogue(request, AbortSignal.timeout(5_000))).ok)
      assert.equal(questions.filter((question) => question.startsWith('A ')).length, looks)
    }
  })

  it('keeps what comes before it is asked for', async () => {
    const { port } = await lineServer({ greeting: '.a\r\n.b\r\n', answer: () => null })
    assert.deepEqual((await talk(port)).replies, [['.a'], ['.b']])
  })

  it('hears a reply that comes byte by byte', async () => {
    const { port } = await rawServer((socket) => {
      void drip(socket.setNoDelay(true), 'welc\u00f6me\r\n.\r\n.\r\n')
    })
    assert.deepEqual((await talk(port)).replies, [['welc\u00f6me', '.'], ['.']])
  })

  it('speaks TLS from the start, though the server speaks at once', async () => {
    for (let turn = 0; turn < 20; turn++) {
      const { port, heard } = await lineServer({ greeting: '.hello\r\n', answer, certificate: good, isTls: true })
      const outcome = await talk(port, { isTls: true })
      assert.ok(outcome.ok)
      assert.deepEqual(outcome.replies[0], ['.hello'])
      assert.match(outcome.tls?.protocol ?? '', /^TLSv1\.3$/)
      assert.equal(heard[0], 'tls HELLO 127.0.0.1')
    }
  })

  it('upgrades to TLS in between', async () => {
    const { port, heard } = await lineServer({ greeting: '.\r\n', answer, certificate: good, upgrades: /^UPGRADE$/ })
    const outcome = await talk(port, { steps: [greeting, upgrade, hello] })
    assert.ok(outcome.ok)
    assert.equal(outcome.tls?.certificate?.subject, 'localhost')
    assert.equal(Number.isInteger(outcome.phases.tlsMs), true)
    await until('the farewell', async () => heard.length === 3)
    assert.deepEqual(heard, ['UPGRADE', 'tls HELLO 127.0.0.1', 'tls BYE'])
  })

  it('refuses what was slipped in before TLS began', async () => {
    for (const slipped of ['.injected\r\n', 'in', '\r\n']) {
      const { port, heard } = await lineServer({
        greeting: '.\r\n',
        answer: () => `.\r\n${slipped}`,
        certificate: good,
        upgrades: /^UPGRADE$/,
      })
      const outcome = await talk(port, { steps: [greeting, upgrade, hello] })
      assert.equal(failureOf(outcome).code, 'starttls_injected')
      assert.match(failureOf(outcome).message, /STARTTLS/)
      assert.deepEqual(heard, ['UPGRADE'])
    }
  })

  it('says nothing within a TLS whose certificate is not good, and names what is wrong', async () => {
    const cases = [
      [expired, /^The certificate of localhost expired on \d{4}-\d\d-\d\d \(3 days ago\)$/],
      [wrongName, /^The certificate is for other\.example, not for localhost$/],
      [selfSigned, /^The certificate of localhost is self-signed and not trusted$/],
    ] as const
    for (const [certificate, text] of cases) {
      const direct = await lineServer({ greeting: '.\r\n', answer, certificate, isTls: true })
      assert.match(await messageOf(direct.port, { isTls: true }), text)
      const upgraded = await lineServer({ greeting: '.\r\n', answer, certificate, upgrades: /^UPGRADE$/ })
      assert.match(await messageOf(upgraded.port, { steps: [greeting, upgrade, hello] }), text)
      assert.deepEqual([...direct.heard, ...upgraded.heard], ['UPGRADE'])
    }
  })

  it('ends with what a reading finds wrong, and keeps what was said before', async () => {
    const { port } = await lineServer({ greeting: '.first\r\n', answer })
    const strict: DialogueStep = { ...hello, read: ([line]) => ({ problem: `heard ${line}` }) }
    const outcome = await talk(port, { steps: [greeting, strict] })
    assert.equal(failureOf(outcome).message, 'heard you said HELLO 127.0.0.1')
    assert.deepEqual(outcome.replies, [['.first']])
  })

  it('names what it waited for when the server closes, resets, or says nothing until the deadline', async () => {
    const closing = await rawServer((socket) => socket.end())
    assert.equal(await messageOf(closing.port), 'localhost closed the connection instead of sending the greeting')
    const begun = await rawServer((socket) => socket.end('welcome\r\n'))
    assert.equal(await messageOf(begun.port), 'localhost closed the connection in the middle of the greeting')
    const breaking = await rawServer((socket) => socket.end('.\r\nhalf'))
    assert.match(
      await messageOf(breaking.port),
      /closed the connection in the middle of the answer to HELLO$|was reset/,
    )
    const resetting = await rawServer((socket) => void socket.once('data', () => socket.resetAndDestroy()).write('.\n'))
    assert.equal(await messageOf(resetting.port), 'The connection was reset by localhost before the answer came')
    const silent = await rawServer(() => {})
    assert.equal(
      await messageOf(silent.port, { timeoutMs: 200 }),
      'Timed out after 200 ms while waiting for the greeting',
    )
    const stopping = await lineServer({ greeting: '.\r\n', answer: () => 'no end\r\n' })
    assert.equal(
      await messageOf(stopping.port, { timeoutMs: 200 }),
      'Timed out after 200 ms while waiting for the answer to HELLO',
    )
    assert.equal(
      await messageOf(silent.port, { timeoutMs: 200, isTls: true }),
      `Timed out after 200 ms while agreeing on TLS with localhost`,
    )
    const port = await freePort()
    assert.equal(await messageOf(port), 'Connection refused by localhost')
  })

  it('takes no more than it may, and ends by its deadline when the server never stops', async () => {
    const text = 'localhost sent more than 1 KiB where the greeting was expected'
    const line = await rawServer((socket) => flood(socket, 'x'.repeat(9000)))
    assert.equal(await messageOf(line.port), text)
    const sockets: Socket[] = []
    const lines = await rawServer((socket) => {
      sockets.push(socket)
      flood(socket, '\n'.repeat(9000))
    })
    assert.equal(await messageOf(lines.port), text)
    await until('the connection to end', async () => sockets.every((socket) => socket.destroyed))
    assert.ok(sockets.every((socket) => socket.bytesWritten < 20_000_000))
    const dripping = await rawServer((socket) => {
      const timer = setInterval(() => socket.write('x'), 20)
      socket.once('close', () => clearInterval(timer))
    })
    const startedAt = performance.now()
    assert.match(await messageOf(dripping.port, { timeoutMs: 300 }), /^Timed out after 300 ms/)
    assert.ok(performance.now() - startedAt < 5_000)
  })

  it('names a port that does not speak TLS', async () => {
    const { port } = await lineServer({ greeting: '220 plain\r\n', answer })
    assert.equal(await messageOf(port, { isTls: true }), 'The port does not speak TLS (localhost)')
    const pretending = await lineServer({ greeting: '.\r\n', answer })
    const outcome = await talk(pretending.port, { steps: [greeting, upgrade, hello], timeoutMs: 300 })
    assert.equal(failureOf(outcome).phase, 'tls')
  })

  it('refuses private addresses', async () => {
    const { port, connections } = await lineServer({ greeting: '.\r\n', answer })
    const request = { host: '127.0.0.1', port, isTls: false, steps: [greeting], farewell: '', maxBytes: 1 }
    const outcome = await createNet({ allowPrivate: 'none' }).dialogue(request, AbortSignal.timeout(1000))
    assert.equal(failureOf(outcome).code, 'forbidden_address')
    assert.equal(connections(), 0)
  })
})

async function drip(socket: Socket, text: string): Promise<void> {
  for (const byte of Buffer.from(text)) {
    socket.write(Uint8Array.of(byte))
    await nextTurn()
  }
}

function flood(socket: Socket, piece: string): void {
  const more = (): void => void (socket.writable && socket.write(piece, more))
  more()
}
