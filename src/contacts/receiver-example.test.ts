import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { testAlert } from '#core/contacts/alerting.ts'
import { createNet } from '#net/create-net.ts'
import { until } from '../../test/support/until.ts'
import type { HttpMessage } from './message.ts'
import { type Attempt, sendMessage } from './send.ts'
import { signingSecretOf, webhookMessage } from './webhook.ts'
import { freePort } from '../../test/support/free-port.ts'

describe('the receiver that docs/alerts.md shows', async () => {
  const secret = signingSecretOf(randomBytes(32))
  const folder = await mkdtemp(join(tmpdir(), 'perigee-receiver-'))
  const port = await freePort()
  let receiver: ChildProcess | null = null
  let printed = ''

  before(async () => {
    const page = await readFile(new URL('../../docs/alerts.md', import.meta.url), 'utf8')
    const [, example = ''] = /^```js\n(.*?)^```/ms.exec(page) ?? []
    await writeFile(join(folder, 'receiver.mjs'), example)
    receiver = spawn(process.execPath, [join(folder, 'receiver.mjs')], {
      env: { SIGNING_SECRET: secret, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    receiver.stdout?.on('data', (piece: Buffer) => {
      printed += piece.toString('utf8')
    })
    await until('the receiver waits', async () => printed.includes('Waiting for alerts.'))
  })
  after(async () => {
    receiver?.kill()
    await rm(folder, { recursive: true, force: true })
  })

  const message = (signingSecrets: string[], sentAt = new Date()): HttpMessage =>
    webhookMessage(testAlert(sentAt), {
      deliveryId: '7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
      sentAt,
      destination: `http://127.0.0.1:${port}/`,
      signingSecrets,
      publicUrl: 'https://perigee.example',
      unsubscribeUrl: '',
    })
  it('accepts an alert, also while its secret is being replaced', async () => {
    assert.equal((await send(message([secret]))).statusCode, 204)
    assert.equal((await send(message([signingSecretOf(randomBytes(32)), secret]))).statusCode, 204)
    await until('it said so', async () => printed.includes('test 7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b'))
  })

  it('refuses another secret, another body and an old message', async () => {
    assert.equal((await send(message([signingSecretOf(randomBytes(32))]))).statusCode, 401)
    assert.equal((await send({ ...message([secret]), body: '{}' })).statusCode, 401)
    assert.equal((await send(message([secret], new Date(Date.now() - 301_000)))).statusCode, 401)
  })
})

function send(sent: HttpMessage): Promise<Attempt> {
  const carriers = { net: createNet({ allowPrivate: 'all' }), sendMail: () => assert.fail('this is no mail') }
  return sendMessage(sent, { carriers, signal: AbortSignal.timeout(5000) })
}
