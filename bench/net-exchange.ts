import { bareSocket, type Client, type Cost, costOf, nodeHttp, ownExchange } from './support/clients.ts'
import { startTarget } from './support/target.ts'
import { whole } from './support/figures.ts'

const checks = 8_000
const warmUpChecks = 2_000
const rounds = 3
const goalMs = 0.17

/** Measures the cost of one plain HTTP check to its process, by node:http, our own exchange and a bare socket. */
export async function netExchange(): Promise<void> {
  const target = await startTarget()
  const clients: [string, Client][] = [
    ['node:http', nodeHttp],
    ['ours', ownExchange()],
    ['bare socket', bareSocket],
  ]
  const best = new Map<string, Cost>()
  try {
    for (const [, client] of clients) await costOf(client, target.urls, warmUpChecks)
    for (let round = 0; round < rounds; round += 1)
      for (const [name, client] of clients) {
        const cost = await costOf(client, target.urls, checks)
        if (cost.cpuMs < (best.get(name)?.cpuMs ?? Infinity)) best.set(name, cost)
      }
  } finally {
    await target.stop()
  }
  const reference = best.get('node:http')?.cpuMs ?? Number.NaN
  for (const [name, { cpuMs, perSecond }] of best)
    console.log(
      `${name.padEnd(12)} ${cpuMs.toFixed(3)} ms CPU a check, ${whole(perSecond)} checks/s, ` +
        `${(cpuMs / reference).toFixed(2)} of node:http`,
    )
  console.log(`net-exchange: ${(best.get('ours')?.cpuMs ?? Number.NaN).toFixed(3)} ms CPU a check, goal ${goalMs} ms`)
}
