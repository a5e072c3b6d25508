import type { Net } from '#net/net.ts'

/** What a kind remembers of its checks: of each net something of its own, kept as long as that net. */
export function perNet<Memory>(create: (net: Net) => Memory): (net: Net) => Memory {
  const memories = new WeakMap<Net, Memory>()
  return (net) => {
    const memory = memories.get(net) ?? create(net)
    memories.set(net, memory)
    return memory
  }
}
