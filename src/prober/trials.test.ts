import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { createMemoryBus } from '#bus/memory.ts'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import { noPhases, type Verdict } from '#core/results/result.ts'
import type { AnyKind } from '#kinds/kind.ts'
import { MissingMeans, OwnTrouble } from '#net/dial/own-trouble.ts'
import { configuration } from '../../test/support/bus-contract.ts'
import { createTraffic } from '#net/ground/trace.ts'
import { firmGround, lostGround } from '../../test/support/ground.ts'
import { noNet } from '../../test/support/net.ts'
import { systemTime } from '#time/time.ts'
import { startProber } from './prober.ts'
import { watchStalls } from './stall.ts'
import { createTally } from './tally.ts'

const up: Verdict = { status: 'up', statusCode: 200, latencyMs: 1, error: null, phases: noPhases, details: {} }
const down: Verdict = { ...up, status: 'down', statusCode: null, error: 'Connection refused' }

type Asked = {
  check: AnyKind['check']
  lookFor?: AnyKind['check'] | null
  isOnline?: boolean
  changes?: Partial<CheckConfiguration>
}

/** A prober on a real bus, with its answers and everything that it told or counted besides. */
async function tryOnce({ check, lookFor = null, isOnline = true, changes = {} }: Asked): Promise<Verdict | null> {
  const bus = createMemoryBus()
  bus.onResults(async () => assert.fail('a trial became a result'))
  bus.onConfigurationRequest(async () => assert.fail('a trial asked for a configuration'))
  const stalls = watchStalls()
  const tally = createTally()
  const prober = startProber({
    location: 'here',
    locationName: 'Here',
    name: 'p1',
    witness: 'this machine',
    time: systemTime,
    random: Math.random,
    bus,
    net: noNet,
    lookFor,
    kinds: { http: async () => ({ check, secretOptions: [] }) },
    stalls,
    observer: tally,
    ground: isOnline ? firmGround : lostGround,
    traffic: createTraffic(),
    marks: { of: () => ({ check: 1, text: '', tookMs: 0 }), tookMs: () => 0 },
    asides: { reasonFor: () => null, monitors: () => [] },
    log: { warn: () => {}, warnRarely: () => {} },
  })
  try {
    const asked = { ...configuration, monitorId: randomUUID(), ...changes }
    return await bus.tryCheck('here', 'p1', { configuration: asked, withinMs: 5_000 })
  } finally {
    await prober.stop()
    stalls.stop()
    await bus.close()
    assert.deepEqual(tally.take({ ...prober.load(), stalls: 0 })?.checks ?? [], [])
  }
}

describe('a trial', () => {
  const table: { what: string; asked: Asked; expected: Verdict | null }[] = [
    { what: 'is answered with what the check found', asked: { check: async () => up }, expected: up },
    { what: 'of a bad target is bad', asked: { check: async () => down }, expected: down },
    {
      what: 'that asks for a product looks for it in place of the check',
      asked: { check: async () => down, lookFor: async () => up, changes: { looksFor: 'nginx' } },
      expected: up,
    },
    {
      what: 'that asks for a product tells nothing where the location does not look for software',
      asked: { check: async () => up, changes: { looksFor: 'nginx' } },
      expected: null,
    },
    {
      what: 'tells nothing while the location has no network of its own',
      asked: { check: async () => down, isOnline: false },
      expected: null,
    },
    {
      what: 'of an inverted monitor is good where its target does not answer',
      asked: { check: async () => down, changes: { options: { inverted: true } } },
      expected: { ...down, status: 'up', error: null, details: { inverted: 'Connection refused' } },
    },
    {
      what: 'of an inverted monitor tells nothing while the location has no network of its own',
      asked: { check: async () => down, isOnline: false, changes: { options: { inverted: true } } },
      expected: null,
    },
    {
      what: 'tells nothing when the prober has trouble of its own',
      asked: { check: () => Promise.reject(new OwnTrouble('EMFILE', new Error('no sockets'))) },
      expected: null,
    },
    {
      what: 'says what the location lacks for good',
      asked: { check: () => Promise.reject(new MissingMeans('No leave to ping.', new Error('EPERM'))) },
      expected: { ...up, status: 'degraded', statusCode: null, latencyMs: null, error: 'No leave to ping.' },
    },
    {
      what: 'of a kind that the location does not know tells nothing',
      asked: { check: async () => up, changes: { kind: 'dns' } },
      expected: null,
    },
    {
      what: 'ends at its own deadline',
      asked: {
        changes: { timeoutMs: 50 },
        check: (_configuration, _net, signal) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => resolve(down))
          }),
      },
      expected: down,
    },
    {
      what: 'brings texts that are cut and can be stored',
      asked: { check: async () => ({ ...down, error: `\0${'x'.repeat(600)}` }) },
      expected: { ...down, error: `${'x'.repeat(498)}…` },
    },
  ]
  for (const { what, asked, expected } of table)
    it(what, async () => {
      assert.deepEqual(await tryOnce(asked), expected)
    })
})
