import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { testAlert } from '#core/contacts/alerting.ts'
import { testCarriers } from '../../test/support/jobs.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import { defineHttpKind } from './contact.ts'
import { judgeHttp } from './judge.ts'
import { errorOf } from './send.ts'
import { webhookMessage } from './webhook.ts'

describe('the id of a delivered message', async () => {
  const server = await startReceiver()
  /** Takes for the id whatever is answered. */
  const kind = defineHttpKind({
    name: 'webhook',
    options: z.strictObject({}),
    secretOptions: [],
    destinationProblem: () => null,
    message: webhookMessage,
    judge: ({ body }) => ({ outcome: 'delivered', reference: body }),
  })

  for (const [answer, kept] of [
    ['4711', '4711'],
    ['$event:matrix.example', '$event:matrix.example'],
    ['a'.repeat(256), 'a'.repeat(256)],
    ['a'.repeat(257), undefined],
    ['', undefined],
    ['two words', undefined],
    ['nul\0', undefined],
    ['ü', undefined],
  ] as const)
    it(`is ${kept === undefined ? 'not ' : ''}kept where it is ${JSON.stringify(answer.slice(0, 30))}, ${answer.length} long`, async () => {
      server.react(() => ({ status: 200, body: answer }))
      const context = {
        deliveryId: '7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
        sentAt: new Date(),
        destination: server.url,
        signingSecrets: [],
        publicUrl: 'https://perigee.example',
        unsubscribeUrl: 'https://perigee.example/contacts/unsubscribe/c/s',
        options: {},
      }
      const way = { carriers: testCarriers(), signal: AbortSignal.timeout(10_000) }
      assert.deepEqual(await kind.attempt(testAlert(new Date()), context, way), {
        outcome: 'delivered',
        statusCode: 200,
        ...(kept === undefined ? {} : { reference: kept }),
      })
    })
})

describe('a kind of contact', async () => {
  const server = await startReceiver()
  const plain = { name: 'webhook', secretOptions: [], destinationProblem: () => null, judge: judgeHttp } as const
  const context = {
    deliveryId: '7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
    sentAt: new Date(),
    destination: server.url,
    signingSecrets: [],
    publicUrl: 'https://perigee.example',
    unsubscribeUrl: 'https://perigee.example/contacts/unsubscribe/c/s',
  }

  for (const [names, hasOptions] of [
    [[], false],
    [['token'], true],
    [['token', 'room'], true],
  ] as const)
    it(`${hasOptions ? 'has' : 'has no'} options with ${names.length} of them`, () => {
      const options = z.strictObject(Object.fromEntries(names.map((name) => [name, z.string()])))
      assert.equal(defineHttpKind({ ...plain, options, message: webhookMessage }).hasOptions, hasOptions)
    })

  it('has an address of its own, or that of its destination', () => {
    const options = z.strictObject({ server: z.string().optional() })
    const own = defineHttpKind({
      ...plain,
      options,
      message: webhookMessage,
      addressOf: () => 'https://chat.example/in',
    })
    assert.equal(own.addressOf({})?.href, 'https://chat.example/in')
    assert.equal(defineHttpKind({ ...plain, options, message: webhookMessage }).addressOf({}), null)
  })

  it('repeats none of its secrets, whatever the other side says', async () => {
    const options = z.strictObject({
      room: z.string(),
      keys: z.array(z.strictObject({ key: z.string() })),
      none: z.null(),
    })
    const kind = defineHttpKind({ ...plain, options, secretOptions: ['keys', 'none'], message: webhookMessage })
    const acknowledgeUrl = 'https://perigee.example/incidents/acknowledge/token'
    server.react(() => ({ status: 400, body: `No hunter2hunter2 in lobby-of-all by ${acknowledgeUrl}` }))
    const given = { room: 'lobby-of-all', keys: [{ key: 'hunter2hunter2' }], none: null }
    const way = { carriers: testCarriers(), signal: AbortSignal.timeout(10_000) }
    const attempted = await kind.attempt(testAlert(new Date()), { ...context, acknowledgeUrl, options: given }, way)
    assert.equal(errorOf(attempted), 'The contact answered 400: No •••••••• in lobby-of-all by ••••••••')
    const other = await kind.attempt(testAlert(new Date()), { ...context, options: given }, way)
    assert.equal(errorOf(other), `The contact answered 400: No •••••••• in lobby-of-all by ${acknowledgeUrl}`)
  })

  it('is told the keys of the installation, where it has any', async () => {
    const seen: unknown[] = []
    const kind = defineHttpKind({
      ...plain,
      options: z.strictObject({}),
      message: (alert, { pushKeys, ...rest }) => {
        seen.push(pushKeys)
        return webhookMessage(alert, rest)
      },
    })
    const pushKeys = { publicKey: 'public', privateKey: 'private' }
    for (const carriers of [testCarriers({ pushKeys }), testCarriers()])
      await kind.attempt(
        testAlert(new Date()),
        { ...context, options: {} },
        { carriers, signal: AbortSignal.timeout(10_000) },
      )
    assert.deepEqual(seen, [pushKeys, undefined])
  })
})
