import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  alwaysScannedKinds,
  calledKinds,
  choosablyScannedKinds,
  expiryAlertKinds,
  isKindName,
  kindNames,
  passiveKinds,
  registrationKinds,
  scannedKindsText,
  singleLocationKinds,
} from './kind-traits.ts'

describe('the traits of kinds', () => {
  const lists = [
    ['that no location checks', passiveKinds, ['group', 'webhook', 'heartbeat', 'push_metric']],
    ['that are called', calledKinds, ['webhook', 'heartbeat', 'push_metric']],
    ['that take one location', singleLocationKinds, ['group', 'webhook', 'heartbeat', 'repository', 'push_metric']],
    ['whose checks report the end of a registration', registrationKinds, ['domain']],
    ['whose domain and certificate alert', expiryAlertKinds, ['http', 'api']],
    ['that are always scanned', alwaysScannedKinds, ['repository']],
    ['that are scanned by choice', choosablyScannedKinds, ['http', 'api']],
  ] as const
  for (const [which, actual, expected] of lists) it(`name the kinds ${which}`, () => assert.deepEqual(actual, expected))

  it('name the kinds with software in words', () => assert.equal(scannedKindsText, 'http, api and repository'))

  it('know a kind by its name, and nothing that every object has', () => {
    assert.ok(kindNames.every(isKindName))
    for (const text of ['', 'HTTP', 'toString', '__proto__']) assert.equal(isKindName(text), false, text)
  })
})
