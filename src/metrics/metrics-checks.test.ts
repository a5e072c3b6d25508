import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Registry } from 'prom-client'
import { createChecks } from './metrics-checks.ts'

it('monitors that are set aside are counted up to a thousand, whatever probers say', () => {
  const checks = createChecks([new Registry()])
  for (let index = 0; index < 999; index += 1) checks.setAside({ monitorId: `m${index}`, forMs: 60_000 })
  checks.setAside({ monitorId: 'over at once', forMs: 0 })
  checks.setAside({ monitorId: 'in its place', forMs: 60_000 })
  assert.equal(checks.load().setAside, 1_000)
  for (let index = 0; index < 5_000; index += 1) checks.setAside({ monitorId: `more ${index}`, forMs: 60_000 })
  checks.setAside({ monitorId: 'm0', forMs: 60_000 })
  assert.equal(checks.load().setAside, 1_000)
})
