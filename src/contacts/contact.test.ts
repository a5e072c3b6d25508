import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { testAlert } from '#core/contacts/alerting.ts'
import { testCarriers } from '../../test/support/jobs.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import { defineHttpKind } from './contact.ts'
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
