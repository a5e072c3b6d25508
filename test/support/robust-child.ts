// Checks what it is told to, in a process of little memory, and says what came of it and what memory it holds. Run by
// src/kinds/robustness-memory.test.ts.
import { setDefaultCACertificates } from 'node:tls'
import type { Verdict } from '#core/results/result.ts'
import { oversized } from './oversized.ts'
import { checkRobustly, kindOf } from './robust-check.ts'

export type ChildOrder = { rootPem: string; ports: number[]; rounds: number }

export type ChildReport = {
  /** The verdicts of the last round. */
  verdicts: Pick<Verdict, 'status' | 'error'>[]
  /** After the first round and after the last one, without garbage; bytes. */
  first: Memory
  last: Memory
  peakBytes: number
}

type Memory = { rss: number; heapUsed: number; arrayBuffers: number }

const timeoutMs = 30_000

process.once('message', (order: ChildOrder) => void run(order))

async function run({ rootPem, ports, rounds }: ChildOrder): Promise<void> {
  setDefaultCACertificates([rootPem])
  await runRound(ports)
  const first = memory()
  for (let round = 2; round < rounds; round++) await runRound(ports)
  const verdicts = await runRound(ports)
  const last = memory()
  const report: ChildReport = { verdicts, first, last, peakBytes: process.resourceUsage().maxRSS * 1024 }
  process.send?.(report, () => process.disconnect())
}

async function runRound(ports: readonly number[]): Promise<ChildReport['verdicts']> {
  const verdicts: ChildReport['verdicts'] = []
  for (const [index, { kind, check }] of oversized.entries()) {
    const { verdict } = await checkRobustly(kindOf(kind), check(ports[index] ?? 0), timeoutMs)
    verdicts.push({ status: verdict.status, error: verdict.error })
  }
  return verdicts
}

function memory(): Memory {
  for (let round = 0; round < 3; round++) globalThis.gc?.()
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage()
  return { rss, heapUsed, arrayBuffers }
}
