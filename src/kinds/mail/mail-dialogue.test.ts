import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import fc from 'fast-check'
import { noPhases } from '#core/results/result.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { brokenServers } from '../../../test/support/broken-servers.ts'
import { checkOnce } from '../../../test/support/check.ts'
import { lineServer } from '../../../test/support/line-server.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { rawServer } from '../../../test/support/raw-server.ts'
import { testCertificates } from '../../../test/support/test-certificates.ts'
import { ftps, ftpsProtocol } from './ftps.ts'
import { imap, imapProtocol } from './imap.ts'
import type { AnyKind } from '#kinds/kind.ts'
import { dialogueRequest, judgeMail, type LineProtocol, type MailOptions, type Security } from './mail-dialogue.ts'
import { pop, popProtocol } from './pop.ts'
import { smtp, smtpProtocol } from './smtp.ts'

const { root, good } = testCertificates()
setDefaultCACertificates([...getCACertificates('default'), root.pem])

type Case = { kind: AnyKind; protocol: LineProtocol; greeting: string; answers: readonly [RegExp, string][] }

const cases: Case[] = [
  {
    kind: smtp,
    protocol: smtpProtocol,
    greeting: '220-mx.example\r\n220 ESMTP\r\n',
    answers: [
      [/^EHLO \[127\.0\.0\.1\]$/, '250-mx.example\r\n250 STARTTLS\r\n'],
      [/^STARTTLS$/, '220 Go\r\n'],
    ],
  },
  {
    kind: imap,
    protocol: imapProtocol,
    greeting: '* OK ready\r\n',
    answers: [
      [/^a1 CAPABILITY$/, '* CAPABILITY IMAP4rev1 STARTTLS\r\na1 OK\r\n'],
      [/^a2 STARTTLS$/, 'a2 OK\r\n'],
      [/^a3 CAPABILITY$/, '* CAPABILITY IMAP4rev1\r\na3 OK\r\n'],
    ],
  },
  {
    kind: pop,
    protocol: popProtocol,
    greeting: '+OK ready\r\n',
    answers: [
      [/^CAPA$/, '+OK\r\nSTLS\r\n.\r\n'],
      [/^STLS$/, '+OK\r\n'],
    ],
  },
  {
    kind: ftps,
    protocol: ftpsProtocol,
    greeting: '220 ready\r\n',
    answers: [
      [/^AUTH TLS$/, '234 Go\r\n'],
      [/^PBSZ 0$/, '200 fine\r\n'],
    ],
  },
]

for (const { kind, protocol, greeting, answers } of cases) {
  const answer = (line: string): string | null => answers.find(([command]) => command.test(line))?.[1] ?? null
  const upgrades = /STARTTLS$|^STLS$|^AUTH TLS$/

  describe(`a check of kind ${kind.name}`, () => {
    it('is up with STARTTLS, and shows the banner and the version of TLS', async () => {
      const { port, heard } = await lineServer({ greeting, answer, certificate: good, upgrades })
      const verdict = await checkOnce(kind, { url: `localhost:${port}`, options: { security: 'starttls' } })
      assert.deepEqual([verdict.status, verdict.statusCode, verdict.error], ['up', null, null])
      assert.deepEqual(verdict.details, {
        banner: greeting.replaceAll('\r\n', '\n').trim(),
        tls_protocol: 'TLSv1.3',
      })
      assert.ok(verdict.latencyMs !== null && verdict.phases.tlsMs !== null && verdict.phases.ttfbMs !== null)
      assert.ok(heard.some((line) => line.startsWith('tls ')))
    })

    it('is up with TLS from the start', async () => {
      const { port } = await lineServer({ greeting, answer, certificate: good, isTls: true })
      const { status, error } = await checkOnce(kind, { url: `localhost:${port}`, options: { security: 'tls' } })
      assert.deepEqual([status, error], ['up', null])
    })

    it('is down and keeps the banner when the answer is cut off', async () => {
      const { port } = await rawServer((socket) => void socket.once('data', () => socket.end('2')).write(greeting))
      const { status, error, details } = await checkOnce(kind, {
        url: `127.0.0.1:${port}`,
        options: { security: 'starttls' },
      })
      assert.equal(status, 'down')
      assert.match(String(error), /closed the connection in the middle of the answer to /)
      assert.equal(details['banner'], greeting.replaceAll('\r\n', '\n').trim())
    })

    it('is down when the connection is refused', async () => {
      const port = await freePort()
      const { status, error } = await checkOnce(kind, { url: `127.0.0.1:${port}` })
      assert.deepEqual([status, error], ['down', `Connection refused by 127.0.0.1:${port}`])
    })

    it('ends by its deadline with a text whatever the server does', async () => {
      for (const { name, behave } of brokenServers)
        for (const security of ['tls', 'starttls']) {
          const { port } = await rawServer(behave)
          const startedAt = performance.now()
          const url = `127.0.0.1:${port}`
          const { status, error } = await checkOnce(kind, { url, options: { security }, timeoutMs: 300 })
          assert.equal(status, 'down', name)
          assert.match(
            String(error),
            /^(?:Timed out|Not an|The port does not speak TLS|The TLS handshake|127\.0\.0\.1:\d+ |The connection )/,
            name,
          )
          assert.ok(performance.now() - startedAt < 5_000, name)
        }
    })

    it('advises the other mode where the port seems to want it', async () => {
      const plain = await lineServer({ greeting, answer })
      const early = await checkOnce(kind, { url: `127.0.0.1:${plain.port}`, options: { security: 'tls' } })
      assert.equal(
        early.error,
        `The port does not speak TLS (127.0.0.1:${plain.port}). If TLS begins there with STARTTLS, set security to starttls`,
      )
      const wrapped = await lineServer({ greeting, answer, certificate: good, isTls: true })
      const late = { url: `127.0.0.1:${wrapped.port}`, options: { security: 'starttls' }, timeoutMs: 300 }
      assert.equal(
        (await checkOnce(kind, late)).error,
        'Timed out after 300 ms while waiting for the greeting. If the port speaks TLS from the start, set security to tls',
      )
    })

    it('reads any lines without throwing', () => {
      const usual = [greeting.trim(), ...answers.map(([, text]) => text)].flatMap((text) => text.split('\r\n'))
      const line = fc.oneof(fc.string({ unit: anyCharacter }), fc.constantFrom(...usual))
      const steps = [...protocol.steps.tls, ...protocol.steps.starttls]
      fc.assert(
        fc.property(fc.constantFrom(...steps), fc.array(line, { minLength: 1 }), (step, lines) => {
          const reading = step.read(lines)
          assert.ok(typeof reading === 'string' || reading.problem.length < 300)
        }),
      )
    })
  })
}

describe('the mode and the port of a mail check', () => {
  it('are the usual ones unless something else is said', () => {
    assert.deepEqual(find(smtpProtocol, 'a.example'), ['starttls', 587, false])
    assert.deepEqual(find(imapProtocol, 'a.example'), ['tls', 993, true])
    assert.deepEqual(find(popProtocol, 'a.example'), ['tls', 995, true])
    assert.deepEqual(find(ftpsProtocol, 'a.example'), ['starttls', 21, false])
  })

  it('follow the option', () => {
    assert.deepEqual(find(smtpProtocol, 'a.example', { security: 'tls' }), ['tls', 465, true])
    assert.deepEqual(find(imapProtocol, 'a.example', { security: 'starttls' }), ['starttls', 143, false])
    assert.deepEqual(find(popProtocol, 'a.example', { security: 'starttls' }), ['starttls', 110, false])
    assert.deepEqual(find(ftpsProtocol, 'a.example', { security: 'tls' }), ['tls', 990, true])
    assert.deepEqual(find(smtpProtocol, 'a.example:25', { security: 'tls' }), ['tls', 25, true])
  })

  it('follow the port where the option is left out', () => {
    assert.deepEqual(find(smtpProtocol, 'a.example:465'), ['tls', 465, true])
    assert.deepEqual(find(smtpProtocol, 'a.example:25'), ['starttls', 25, false])
    assert.deepEqual(find(imapProtocol, 'a.example:143'), ['starttls', 143, false])
    assert.deepEqual(find(imapProtocol, '[2001:db8::1]:1993'), ['tls', 1993, true])
    assert.deepEqual(find(ftpsProtocol, 'a.example:990'), ['tls', 990, true])
  })

  it('are options of these kinds and nothing else is', () => {
    for (const { kind } of cases) {
      const isValid = (options: Record<string, unknown>): boolean => kind.options.safeParse(options).success
      assert.deepEqual([{}, { security: 'tls' }, { security: 'starttls' }].map(isValid), [true, true, true])
      assert.deepEqual([{ security: 'none' }, { security: 'TLS' }, { port: 1 }].map(isValid), [false, false, false])
      assert.match(kind.targetProblem('https://a.example/', () => false) ?? '', /^Must be a host/)
      assert.match(kind.targetProblem('10.0.0.1:25', () => true) ?? '', /private/)
    }
  })
})

function find(protocol: LineProtocol, url: string, options: MailOptions = {}): [string, number, boolean] {
  const { security, request } = dialogueRequest(protocol, { url, timeoutMs: 1000, options })
  return [security, request.port, request.isTls]
}

describe('the verdict of a mail check', () => {
  const session = { protocol: 'TLSv1.2', cipher: 'x', certificate: null, isResumed: false }
  const seen = { latencyMs: 12, phases: noPhases, replies: [], tls: null }

  it('is up with what was seen', () => {
    const outcome = {
      ...seen,
      replies: [['220-a', '220 \u001bb'], ['250 c']],
      tls: session,
      ok: true,
      address: '::1',
    } as const
    assert.deepEqual(judgeMail({ outcome, security: 'tls' }), {
      status: 'up',
      statusCode: null,
      latencyMs: 12,
      error: null,
      phases: noPhases,
      details: { banner: '220-a\n220 ?b', tls_protocol: 'TLSv1.2' },
    })
  })

  it('is down with the text of the failure, and advice where the mode may be wrong', () => {
    const toTls = 'no. If the port speaks TLS from the start, set security to tls'
    const toStarttls = 'no. If TLS begins there with STARTTLS, set security to starttls'
    const table: [Security, NetFailure['phase'], string, string[][], string][] = [
      ['starttls', 'request', 'timed_out', [], toTls],
      ['starttls', 'request', 'connection_closed', [], toTls],
      ['starttls', 'request', 'timed_out', [['220 a']], 'no'],
      ['starttls', 'dns', 'timed_out', [], 'no'],
      ['starttls', 'connect', 'timed_out', [], 'no'],
      ['starttls', 'request', 'unexpected_reply', [], 'no'],
      ['starttls', 'tls', 'not_tls', [['220 a'], ['220 b']], 'no'],
      ['tls', 'tls', 'not_tls', [], toStarttls],
      ['tls', 'tls', 'certificate_expired', [], 'no'],
      ['tls', 'request', 'timed_out', [], 'no'],
    ]
    for (const [security, phase, code, replies, error] of table) {
      const outcome = { ...seen, replies, ok: false, failure: { phase, code, message: 'no' } } as const
      const verdict = judgeMail({ outcome, security })
      assert.deepEqual([verdict.status, verdict.latencyMs, verdict.error], ['down', null, error])
    }
  })
})
