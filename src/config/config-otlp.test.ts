import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { examineConfig, readConfig } from './config.ts'

const problemsOf = (environment: NodeJS.ProcessEnv): readonly string[] => examineConfig(environment).problems

describe('what is pushed to a receiver of OpenTelemetry', () => {
  it('goes to the paths of OTLP below the address', () => {
    for (const [endpoint, root] of [
      ['https://o.example:4318', 'https://o.example:4318'],
      ['http://o.example/otlp/', 'http://o.example/otlp'],
    ] as const) {
      const { otlp, traces } = readConfig({ PERIGEE_OTLP_ENDPOINT: endpoint })
      assert.deepEqual(otlp, { url: `${root}/v1/metrics`, headers: {} })
      assert.deepEqual(traces?.receiver, { url: `${root}/v1/traces`, headers: {} })
    }
  })

  it('takes headers for results that are pushed as OpenTelemetry writes them, not without an address', () => {
    const address = { PERIGEE_OTLP_ENDPOINT: 'https://o.example' }
    const headers = 'Authorization=Bearer%20a%3Db, X-Scope = 1'
    assert.deepEqual(readConfig({ ...address, PERIGEE_OTLP_HEADERS: headers }).otlp?.headers, {
      authorization: 'Bearer a=b',
      'x-scope': '1',
    })
    assert.deepEqual(problemsOf({ PERIGEE_OTLP_HEADERS: headers, PERIGEE_TRACE_SHARE: '1' }), [
      'PERIGEE_OTLP_HEADERS needs PERIGEE_OTLP_ENDPOINT. Without an endpoint, nothing is sent.',
      'PERIGEE_TRACE_SHARE needs PERIGEE_OTLP_ENDPOINT. Without an endpoint, nothing is sent.',
    ])
  })

  it('traces a hundredth of all rounds where there is an address, another share, or none', () => {
    const address = { PERIGEE_OTLP_ENDPOINT: 'https://o.example/a', PERIGEE_OTLP_HEADERS: 'x=1' }
    const receiver = { url: 'https://o.example/a/v1/traces', headers: { x: '1' } }
    assert.deepEqual(readConfig(address).traces, { receiver, share: 0.01 })
    for (const [text, share] of [
      ['1', 1],
      ['0.25', 0.25],
      ['.5', 0.5],
      ['1.0', 1],
    ] as const)
      assert.deepEqual(readConfig({ ...address, PERIGEE_TRACE_SHARE: text }).traces, { receiver, share })
    assert.equal(readConfig({ ...address, PERIGEE_TRACE_SHARE: '0' }).traces, null)
    for (const text of ['2', '-0.1', '1%', 'all', '1e-3', '1.1'])
      assert.equal(problemsOf({ ...address, PERIGEE_TRACE_SHARE: text }).length, 1, text)
  })
})
