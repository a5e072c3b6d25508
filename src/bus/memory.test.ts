import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MessageChannel } from 'node:worker_threads'
import type { Result } from '#core/results/result.ts'
import { busContract, resultOf } from '../../test/support/bus-contract.ts'
import { until } from '../../test/support/until.ts'
import { portLink } from './link.ts'
import { createMemoryBus } from './memory.ts'
import { connectPort } from './memory-port.ts'

busContract('in one thread', async () => {
  const bus = createMemoryBus()
  return { engine: bus, prober: bus, close: bus.close }
})

busContract('through a port to a thread', async () => {
  const bus = createMemoryBus()
  const { port1, port2 } = new MessageChannel()
  bus.attach(portLink(port1), ['here'])
  const prober = connectPort(port2)
  const close = async (): Promise<void> => {
    prober.close()
    await bus.close()
  }
  return { engine: bus, prober, close }
})

describe('the bus inside one process', () => {
  it('resolves a publication only when the handler has: it is durable with the commit', async () => {
    const bus = createMemoryBus()
    const { promise: commit, resolve: doCommit } = Promise.withResolvers<void>()
    const received: Result[] = []
    bus.onResults(async (results) => {
      received.push(...results)
      await commit
    })
    const order: string[] = []
    const publication = bus.publishResults('here', [resultOf(1)]).then(() => order.push('published'))
    await until('the result arrives', async () => received.length === 1)
    order.push('committed')
    doCommit()
    await publication
    assert.deepEqual(order, ['committed', 'published'])
    await bus.close()
  })

  it('rejects a publication that the handler refused, so that it is sent again', async () => {
    const bus = createMemoryBus()
    bus.onResults(async () => {
      throw new Error('the database is away')
    })
    await assert.rejects(bus.publishResults('here', [resultOf(1)]))
    await bus.close()
  })
})
