import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import { createConfigurationCache } from './configuration-cache.ts'

function configurationOf(monitorId: string, requestBody: string | null = null): CheckConfiguration {
  return {
    monitorId,
    version: 3,
    kind: 'http',
    url: 'https://example.com',
    method: 'POST',
    timeoutMs: 500,
    expectedStatusMin: 200,
    expectedStatusMax: 399,
    keyword: null,
    requestHeaders: {},
    requestBody,
    options: {},
  }
}

describe('the cache of configurations', () => {
  it('keeps the newest version and has none for an assignment of a newer one', () => {
    const cache = createConfigurationCache()
    const configuration = configurationOf('a')
    cache.put(configuration)
    assert.equal(cache.get('a', 3), configuration)
    assert.equal(cache.get('a', 2), configuration)
    assert.equal(cache.get('a', 4), null)
    assert.equal(cache.get('b', 1), null)
  })

  it('lets go of those used longest ago when their bytes exceed the limit', () => {
    const cache = createConfigurationCache(8_000)
    for (const id of ['a', 'b', 'c', 'd']) cache.put(configurationOf(id))
    assert.notEqual(cache.get('a', 3), null)
    cache.put(configurationOf('e', 'x'.repeat(2_000)))
    assert.deepEqual(
      ['a', 'b', 'c', 'd', 'e'].filter((id) => cache.get(id, 3) !== null),
      ['a', 'd', 'e'],
    )
    assert.equal(cache.size, 3)
  })

  it('counts a configuration that is put again once, and keeps one that is larger than the limit', () => {
    const cache = createConfigurationCache(8_000)
    for (let round = 0; round < 20; round += 1) cache.put(configurationOf('a'))
    for (const id of ['b', 'c', 'd']) cache.put(configurationOf(id))
    assert.equal(cache.size, 4)
    cache.put(configurationOf('large', 'x'.repeat(20_000)))
    assert.equal(cache.size, 1)
    assert.notEqual(cache.get('large', 3), null)
  })
})
