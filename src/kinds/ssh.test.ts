import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../test/support/any-character.ts'
import { brokenServers } from '../../test/support/broken-servers.ts'
import { checkOnce } from '../../test/support/check.ts'
import { freePort } from '../../test/support/free-port.ts'
import { rawServer } from '../../test/support/raw-server.ts'
import { replay } from '../../test/support/replay.ts'
import { identification, ssh } from './ssh.ts'

describe('a check of kind ssh', () => {
  it('is up when the server names itself, and names itself too', async () => {
    const heard = Promise.withResolvers<string>()
    const { port } = await rawServer((socket) => {
      socket.once('data', (bytes) => heard.resolve(bytes.toString())).write('SSH-2.0-Test_1 hello\r\n')
    })
    const verdict = await checkOnce(ssh, { url: `127.0.0.1:${port}` })
    const { status, statusCode, error, details } = verdict
    assert.deepEqual([status, statusCode, error, details], ['up', null, null, { banner: 'SSH-2.0-Test_1 hello' }])
    assert.ok(Number.isInteger(verdict.latencyMs) && Number.isInteger(verdict.phases.ttfbMs))
    assert.equal(await heard.promise, 'SSH-2.0-Perigee\r\n')
  })

  it('reads what servers say before they name themselves', () => {
    const cases: [string[], string][] = [
      [['SSH-2.0-x'], 'done'],
      [['SSH-1.99-x'], 'done'],
      [['Welcome', '', 'SSH-2.0-x'], 'done'],
      [[...Array.from({ length: 50 }, () => 'line'), 'SSH-2.0-x'], 'done'],
      [Array.from({ length: 51 }, () => 'line'), 'Not an SSH server: it says "line"'],
      [['SSH-1.5-old'], 'The server only speaks an obsolete SSH version: "SSH-1.5-old"'],
      [['220 mx ESMTP'], 'Not an SSH server: it says "220 mx ESMTP"'],
      [['HTTP/1.1 400 Bad Request'], 'Not an SSH server: it says "HTTP/1.1 400 Bad Request"'],
      [['Exceeded MaxStartups'], 'The server turns this location away: "Exceeded MaxStartups"'],
      [['Not allowed at this time'], 'The server turns this location away: "Not allowed at this time"'],
      [['Welcome'], 'waiting for the identification of an SSH server'],
    ]
    for (const [lines, found] of cases) assert.equal(replay([identification], lines), found)
  })

  it('looks for the expected text in the identification', async () => {
    const { port } = await rawServer((socket) => void socket.write('Dropbear here\r\nSSH-2.0-OpenSSH_9.2\r\n'))
    const url = `127.0.0.1:${port}`
    assert.equal((await checkOnce(ssh, { url, options: { expected_text: 'OpenSSH_9' } })).status, 'up')
    const { status, error } = await checkOnce(ssh, { url, options: { expected_text: 'Dropbear' } })
    assert.deepEqual([status, error], ['down', 'Text "Dropbear" not found in the identification "SSH-2.0-OpenSSH_9.2"'])
  })

  it('is down when the connection is refused', async () => {
    const port = await freePort()
    const { status, error } = await checkOnce(ssh, { url: `127.0.0.1:${port}` })
    assert.deepEqual([status, error], ['down', `Connection refused by 127.0.0.1:${port}`])
  })

  it('ends by its deadline with a text whatever the server does', async () => {
    for (const { name, behave } of brokenServers) {
      const { port } = await rawServer(behave)
      const startedAt = performance.now()
      const { status, error } = await checkOnce(ssh, { url: `127.0.0.1:${port}`, timeoutMs: 400 })
      assert.equal(status, 'down', name)
      assert.match(String(error), /^(?:Timed out|Not an|127\.0\.0\.1:\d+ (?:closed|sent more)|The connection )/, name)
      assert.ok(performance.now() - startedAt < 5_000, name)
    }
  })

  it('reads any lines without throwing, and ends with them or wants more', () => {
    const line = fc.oneof(fc.string({ unit: anyCharacter }), fc.constantFrom('SSH-2.0-x', 'SSH-', '220 '))
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 60 }), (lines) => {
        const reading = identification.read(lines)
        assert.ok(typeof reading === 'string' || reading.problem.length < 300)
      }),
    )
  })

  it('takes a host with or without a port, and an expected text of 1 to 256 characters', () => {
    assert.equal(
      ssh.targetProblem('example.com', () => false),
      null,
    )
    assert.equal(
      ssh.targetProblem('[2001:db8::1]:2222', () => false),
      null,
    )
    assert.match(ssh.targetProblem('ssh://example.com', () => false) ?? '', /^Must be a host/)
    assert.match(ssh.targetProblem('10.0.0.1', () => true) ?? '', /private/)
    assert.deepEqual([{}, { expected_text: 'x' }, { expected_text: 'x'.repeat(256) }].map(isValid), [true, true, true])
    assert.deepEqual([{ expected_text: '' }, { expected_text: 'x'.repeat(257) }, { user: 'x' }].map(isValid), [
      false,
      false,
      false,
    ])
  })
})

function isValid(options: Record<string, unknown>): boolean {
  return ssh.options.safeParse(options).success
}
