import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspectBroker } from '#bus/inspect-broker.ts'
import { BusStartError } from '#bus/nats-options.ts'
import { openBusBench } from '../support/nats-bus.ts'
import { noNatsServer } from '../support/nats-server.ts'

const withinMs = 3_000

describe('a look at the broker', { skip: noNatsServer }, () => {
  it('makes no stream, and tells of the one that an engine has made', async () => {
    const bench = await openBusBench()
    const { options } = bench.server
    assert.equal((await inspectBroker(options, withinMs)).stream, null)
    await bench.engine()
    const { stream, isTls } = await inspectBroker(options, withinMs)
    assert.equal(isTls, false)
    assert.ok(stream !== null && typeof stream !== 'string')
    assert.deepEqual(stream.differing, [])
    assert.equal(stream.maxBytes, options.stream.maxBytes)
    assert.equal(stream.backlog.messages, 0)
    const other = await inspectBroker({ ...options, stream: { ...options.stream, maxBytes: 1_000_000 } }, withinMs)
    assert.ok(other.stream !== null && typeof other.stream !== 'string')
    assert.deepEqual(other.stream.differing, ['max_bytes'])
  })

  it('says that it is away', async () => {
    const bench = await openBusBench()
    await bench.server.kill()
    await assert.rejects(inspectBroker(bench.server.options, 500), BusStartError)
  })
})
