import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { ssh } from '#kinds/ssh.ts'
import { checkOnce } from '../support/check.ts'
import { skipReason } from '../support/peers/daemon.ts'
import { startFullOpenssh, startOpenssh } from '../support/peers/openssh.ts'
import { startVsftpd } from '../support/peers/vsftpd.ts'
import { freePort } from '../support/free-port.ts'
import { rawServer } from '../support/raw-server.ts'
import { until } from '../support/until.ts'

const skip = skipReason(['sshd', 'vsftpd'])
const server = skip === false ? await startOpenssh() : { port: 0, log: '' }

describe('ssh against openssh-server', { skip }, () => {
  it('is up, and the server sees an orderly guest', async () => {
    const { status, error, details } = await checkOnce(ssh, { url: `127.0.0.1:${server.port}` })
    assert.deepEqual([status, error], ['up', null])
    assert.match(String(details['banner']), /^SSH-2\.0-OpenSSH_/)
    await until('the server to log the end', async () =>
      readFileSync(server.log, 'utf8').includes('Connection closed by'),
    )
    assert.doesNotMatch(readFileSync(server.log, 'utf8'), /error|invalid|bad protocol/i)
  })

  it('is up when the identification has the expected text, else down', async () => {
    const url = `localhost:${server.port}`
    assert.equal((await checkOnce(ssh, { url, options: { expected_text: 'OpenSSH_' } })).status, 'up')
    const { status, error } = await checkOnce(ssh, { url, options: { expected_text: 'dropbear' } })
    assert.equal(status, 'down')
    assert.match(String(error), /^Text "dropbear" not found in the identification "SSH-2\.0-OpenSSH_/)
  })

  it('is down when the connection is refused', async () => {
    const port = await freePort()
    assert.equal((await checkOnce(ssh, { url: `127.0.0.1:${port}` })).error, `Connection refused by 127.0.0.1:${port}`)
  })

  it('is down when nothing is said, and when the server has enough of guests', async () => {
    const silent = await rawServer(() => {})
    assert.equal(
      (await checkOnce(ssh, { url: `127.0.0.1:${silent.port}`, timeoutMs: 300 })).error,
      'Timed out after 300 ms while waiting for the identification of an SSH server',
    )
    const { status, error } = await checkOnce(ssh, { url: `127.0.0.1:${await startFullOpenssh()}` })
    assert.deepEqual([status, error], ['down', 'The server turns this location away: "Exceeded MaxStartups"'])
  })

  it('is down at an FTP server', async () => {
    const port = await startVsftpd({ certificate: null })
    const { status, error } = await checkOnce(ssh, { url: `127.0.0.1:${port}` })
    assert.deepEqual([status, error], ['down', 'Not an SSH server: it says "220 (vsFTPd 3.0.3)"'])
  })
})
