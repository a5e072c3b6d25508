// Servers that misbehave, in a thread of their own: a server that sends at full speed must not share an event loop with
// the checks that have to bear it.
import { once } from 'node:events'
import { after } from 'node:test'
import { Worker } from 'node:worker_threads'
import type {
  Relay,
  TcpBehaviour,
  UdpBehaviour,
  UdpRelay,
  WorldCalls,
  WorldCertificate,
  WorldReply,
  WorldRequest,
  WorldState,
} from './broken-behaviours.ts'

/** Each opens a server on loopback and resolves to its port. All are closed after the file. */
export type BrokenWorld = {
  tcp: (behaviour: TcpBehaviour) => Promise<number>
  relay: (relay: Relay) => Promise<number>
  udp: (behaviour: UdpBehaviour) => Promise<number>
  udpRelay: (relay: UdpRelay) => Promise<number>
  dns: (both: WorldCalls['dns']['given']) => Promise<number>
  state: () => Promise<WorldState>
}

type Unnumbered<Request> = Request extends WorldRequest ? Omit<Request, 'id'> : never

export async function openBrokenWorld(certificate: WorldCertificate): Promise<BrokenWorld> {
  const worker = new Worker(new URL('./broken-world-worker.ts', import.meta.url), { workerData: certificate })
  after(async () => {
    await worker.terminate()
  })
  await once(worker, 'online')
  const waiting = new Map<number, PromiseWithResolvers<WorldReply['value']>>()
  let last = 0
  worker.on('message', ({ id, value }: WorldReply) => {
    waiting.get(id)?.resolve(value)
    waiting.delete(id)
  })
  worker.on('error', (error) => {
    for (const { reject } of waiting.values()) reject(error)
  })
  const ask = (request: Unnumbered<WorldRequest>): Promise<WorldReply['value']> => {
    const answer = Promise.withResolvers<WorldReply['value']>()
    last += 1
    waiting.set(last, answer)
    worker.postMessage({ ...request, id: last })
    return answer.promise
  }
  const open = async (request: Unnumbered<WorldRequest>): Promise<number> => Number(await ask(request))
  return {
    tcp: (given) => open({ call: 'tcp', given }),
    relay: (given) => open({ call: 'relay', given }),
    udp: (given) => open({ call: 'udp', given }),
    udpRelay: (given) => open({ call: 'udpRelay', given }),
    dns: (given) => open({ call: 'dns', given }),
    state: async () => {
      const state = await ask({ call: 'state' })
      if (typeof state === 'number') throw new TypeError('The thread answered something else.')
      return state
    },
  }
}
