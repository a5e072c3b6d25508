import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { createMemoryBus } from '#bus/memory.ts'
import type { Engine } from '#engine/engine.ts'
import { createPresenceBook } from '#engine/locations/presence.ts'
import { createMetrics } from '#metrics/metrics.ts'
import { testDatabase } from '../../test/support/database.ts'
import type { Flow } from './flow.ts'
import { createProberSystem, createSystem, type SystemParts } from './system.ts'

const dataFolder = mkdtempSync(join(tmpdir(), 'perigee-readiness-'))
after(() => rmSync(dataFolder, { recursive: true, force: true }))

const config: SystemParts['config'] = {
  nats: null,
  locations: [{ code: 'here', name: 'Here' }],
  metricsToken: null,
  dataFolder,
  host: '127.0.0.1',
  port: 0,
  publicUrl: null,
  trustedProxies: [],
  allowPrivateTargets: 'none',
}

/** An engine that has none of the partitions, and probers of which a thread does not run. */
function troubledFlow(): Flow {
  const engine: Engine = {
    stop: async () => {},
    watching: 0,
    partitions: 0,
    unchecked: () => 0,
    lagMs: () => 0,
    waiting: 0,
  }
  return {
    engine,
    probers: { missing: 1 },
    bus: createMemoryBus(),
    presence: createPresenceBook(),
    isOnline: () => true,
    online: async () => {},
    witnessOf: () => null,
    tryCheck: () => Promise.reject(new Error('No prober answers.')),
  }
}

describe('a process that can store and read', () => {
  it('is ready although its engine and its probers are in trouble, of which its status tells', async () => {
    const database = await testDatabase()
    const roles = new Set(['api', 'engine', 'prober'] as const)
    const metrics = createMetrics({ roles, version: '1.0.0' })
    const foundation = { database, engineDatabase: database, now: Date.now }
    const system = createSystem({ config, roles, name: 'here', foundation, flow: troubledFlow(), metrics })
    assert.deepEqual(await system.readiness(), { database: true, bus: true })
    const { troubles, process } = await system.status()
    assert.deepEqual(troubles.slice(0, 2), [
      'The engine of this process holds no partition, so it watches nothing.',
      '1 prober threads of this process are not running.',
    ])
    assert.deepEqual([process?.engine?.partitions, process?.prober?.threads_missing], [0, 1])
    const { text } = await metrics.read()
    assert.match(text, /^perigee_partitions 0$/m)
    assert.match(text, /^perigee_prober_threads_missing 1$/m)
  })
})

describe('a process that only checks', () => {
  it('is ready once its threads have begun, and while it has its broker, whatever becomes of the threads', async () => {
    const bus = { isConnected: (): boolean => isConnected }
    const probers = { haveBegun: false, missing: 2 }
    let isConnected = true
    const roles = new Set(['prober'] as const)
    const metrics = createMetrics({ roles, version: '1.0.0' })
    const { readiness, status } = createProberSystem({ config, roles, name: 'here', metrics, bus, probers })
    assert.deepEqual(await readiness(), { bus: true, threads: false })
    probers.haveBegun = true
    assert.deepEqual(await readiness(), { bus: true, threads: true })
    assert.match(JSON.stringify(await status()), /2 prober threads of this process are not running\./)
    isConnected = false
    assert.deepEqual(await readiness(), { bus: false, threads: true })
  })
})
