import { MessageChannel } from 'node:worker_threads'
import { busContract } from '../../test/support/bus-contract.ts'
import { createMemoryBus } from './memory.ts'
import { connectPort } from './memory-port.ts'

busContract('in one thread', async () => {
  const bus = createMemoryBus()
  return { engine: bus, prober: bus, close: bus.close }
})

busContract('through a port to a thread', async () => {
  const bus = createMemoryBus()
  const { port1, port2 } = new MessageChannel()
  bus.attach(port1)
  const prober = connectPort(port2)
  const close = async (): Promise<void> => {
    prober.close()
    await bus.close()
  }
  return { engine: bus, prober, close }
})
