import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setImmediate as afterOthers } from 'node:timers/promises'
import { createNet } from '#net/create-net.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import type { FeedParts } from './feed.ts'
import { readOsvFeed, type SeenChanges } from './osv-feed.ts'

/** As many as a list of changes is read to, and how many of them are looked at before others have the thread. */
const [listed, atOnce] = [300_000, 5_000]

function changedAt(index: number): string {
  return new Date(Date.UTC(2026, 10, 20) - index * 100).toISOString()
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Counts the turns of this thread, and how long the longest took of the processor. */
function watchTurns(): { turns: () => number; longestMs: () => number; beginAnew: () => void } {
  let [turns, longestMs, lastMs] = [0, 0, cpuMs()]
  const turn = (): void => {
    const nowMs = cpuMs()
    longestMs = Math.max(longestMs, nowMs - lastMs)
    lastMs = nowMs
    turns += 1
    next = setImmediate(turn)
  }
  let next = setImmediate(turn)
  after(() => clearImmediate(next))
  return {
    turns: () => turns,
    longestMs: () => longestMs,
    beginAnew: () => void (turns = 0),
  }
}

describe('a feed with hundreds of thousands of changes', () => {
  it('leaves the thread to others again and again, while it finds out which of them are new', async (t) => {
    const lines = Array.from({ length: listed }, (_, index) => `${changedAt(index)},CVE-2026-${index}\n`)
    const list = Buffer.from(lines.join(''))
    const { port } = await httpServer((_, response) => response.end(list))
    const net = createNet({ allowPrivate: 'all' })
    const watched = watchTurns()
    const parts: FeedParts = {
      net: { http: async (asked, signal) => net.http(asked, signal).finally(watched.beginAnew) },
      root: `http://127.0.0.1:${port}`,
      signal: AbortSignal.timeout(600_000),
      wait: async () => {},
      now: () => new Date(Date.UTC(2026, 10, 21)),
    }
    const seen: SeenChanges = { byId: new Map() }
    let asked = 0
    const readKnown = async (ids: readonly string[]): Promise<Map<string, Date>> => {
      asked += ids.length
      await afterOthers()
      return new Map(ids.map((id) => [id, new Date(changedAt(Number(id.slice('CVE-2026-'.length))))]))
    }
    for (const expected of [listed, 0]) {
      asked = 0
      const feed = { ecosystem: 'npm', cursor: '2026-11-20T00:00:00Z', readKnown, seen } as const
      for await (const { advisories } of readOsvFeed(parts, feed)) assert.deepEqual(advisories, [])
      assert.deepEqual([asked, seen.byId.size], [expected, listed])
      assert.ok(watched.turns() >= (2 * listed) / atOnce, `${watched.turns()} turns`)
    }
    t.diagnostic(`the longest turn took ${watched.longestMs().toFixed()} ms of the processor`)
  })
})
