import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, it } from 'node:test'
import { answering, rawServer } from '../../test/support/raw-server.ts'
import { createNet } from './create-net.ts'
import { createTraffic } from './ground/trace.ts'
import type { Net } from './net.ts'

const signal = AbortSignal.timeout(20_000)

describe('a net that is watched', () => {
  it('says before what a target sent is worked on, in the course of its own check', async () => {
    const checks = new AsyncLocalStorage<string>()
    const entered: (string | undefined)[] = []
    const traffic = createTraffic({ onEntered: () => void entered.push(checks.getStore()) })
    const net = createNet({ allowPrivate: 'all', traffic })
    const { port } = await rawServer(answering('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'))
    const looks: Record<string, (net: Net) => Promise<unknown>> = {
      http: () =>
        net.http(
          {
            url: new URL(`http://127.0.0.1:${port}/`),
            method: 'GET',
            headers: {},
            body: null,
            maxRedirects: 0,
            maxBodyBytes: 100,
            maxWireBytes: 1_000,
            headersOnly: false,
          },
          signal,
        ),
      tcp: () => net.tcp({ host: '127.0.0.1', port, expectedText: null, maxBytes: 10 }, signal),
      tls: () => net.tls({ host: '127.0.0.1', port }, signal),
    }
    for (const [name, look] of Object.entries(looks)) {
      entered.length = 0
      await checks.run(name, () => look(net))
      assert.deepEqual([...new Set(entered)], [name])
    }
  })
})
