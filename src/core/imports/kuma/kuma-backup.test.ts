import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { kumaExample } from '../../../../test/support/kuma-example.ts'
import { kumaMonitors } from '../../../../test/support/kuma-example-monitors.ts'
import { ImportError, type ImportedFile } from '#core/imports/imported.ts'
import { readKuma, readKumaBackup } from './kuma.ts'

const now = new Date('2026-11-26T12:00:00Z')

const backup = {
  version: '1.23.16',
  notificationList: [
    {
      id: 3,
      name: 'Slack',
      active: true,
      userId: 1,
      isDefault: false,
      config: '{"type":"slack","slackwebhookURL":"https://hooks.slack.com/services/T0/B0/x"}',
    },
  ],
  monitorList: [
    {
      id: 7,
      name: 'Shop',
      type: 'keyword',
      url: 'https://shop.example.com/',
      method: 'GET',
      active: true,
      interval: 60,
      retryInterval: 60,
      maxretries: 1,
      keyword: 'Sign in',
      invertKeyword: false,
      upsideDown: false,
      accepted_statuscodes: ['200-299'],
      notificationIDList: { 3: true, 4: true },
      tags: [{ id: 1, monitor_id: 7, tag_id: 2, value: 'eu', name: 'zone', color: '#fff' }],
      kafkaProducerBrokers: [],
    },
    { id: 8, name: 'Job', type: 'push', active: false, interval: 60, pushToken: 'abc', parent: null },
  ],
}

describe('a backup of Uptime Kuma 1.x', () => {
  it('is read as its database is', () => {
    const file = readKumaBackup(JSON.stringify(backup), now)
    assert.deepEqual(file.monitors[0]?.input, {
      name: 'Shop',
      kind: 'http',
      url: 'https://shop.example.com/',
      method: 'GET',
      keyword: 'Sign in',
      interval_seconds: 60,
      failure_threshold: 2,
      recovery_threshold: 1,
      expected_status_min: 200,
      expected_status_max: 299,
      expiry_alerts: false,
      tags: ['zone:eu'],
      contacts: ['slack'],
    })
    assert.deepEqual(file.heartbeats, [{ monitorKey: 'job', address: { type: 'kuma_push', token: 'abc' } }])
    assert.deepEqual(
      file.monitors.map(({ isPaused }) => isPaused),
      [false, true],
    )
  })

  it('is refused with the place of what is wrong in it', () => {
    const refusals: [content: string, message: string][] = [
      ['{', 'It is not JSON.'],
      ['[]', 'The file has no monitorList, so it is not an Uptime Kuma backup.'],
      ['{"monitorList":[{"id":"x"}],"notificationList":[]}', 'monitorList[0].id: Must be a whole number.'],
      ['{"monitorList":[{"id":1}],"notificationList":[]}', 'monitor[0].type: Must be a text.'],
      ['{"monitorList":[{"id":1,"type":"http","name":{}}]}', 'notificationList: Must be a list.'],
    ]
    for (const [content, message] of refusals)
      assert.throws(() => readKumaBackup(content, now), new ImportError(message))
  })
})

describe('the readers of Uptime Kuma', () => {
  const cell = fc.oneof(
    fc.constantFrom(
      null,
      0,
      1,
      '',
      '[]',
      '{}',
      '[0]',
      '["1-"]',
      '{"type":"ntfy"}',
      '2026-13-45 25:61',
      '99:99',
      1e300,
      -1,
      0.5,
    ),
    fc.string(),
    fc.anything(),
  )
  const columns = [...new Set(kumaMonitors.flatMap((row) => Object.keys(row)))]
  const types = [...new Set(kumaMonitors.map(({ type }) => type))]

  it('throw nothing but their own error for any rows', () => {
    const row = fc.record(
      {
        id: fc.nat(5),
        type: fc.constantFrom(...types),
        ...Object.fromEntries(columns.filter((name) => name !== 'id' && name !== 'type').map((name) => [name, cell])),
      },
      { requiredKeys: ['id', 'type'] },
    )
    const others = fc.record(
      Object.fromEntries(
        Object.entries(kumaExample).flatMap(([table, rows]) =>
          table === 'monitor'
            ? []
            : [
                [
                  table,
                  fc.array(
                    fc.record(
                      Object.fromEntries(
                        Object.keys(rows[0] ?? {}).map((name) => [name, name.endsWith('id') ? fc.nat(5) : cell]),
                      ),
                    ),
                  ),
                ],
              ],
        ),
      ),
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), others, (monitor, rest) => {
        readOrRefuse(() => readKuma({ ...rest, monitor }, now))
      }),
      { numRuns: 300 },
    )
  })

  it('throw nothing but their own error for any text', () => {
    const document = fc.record({
      monitorList: fc.array(
        fc.record({ id: fc.nat(5), type: fc.constantFrom(...types), tags: fc.anything(), url: cell, active: cell }),
      ),
      notificationList: fc.array(fc.record({ id: fc.nat(5), config: cell, active: fc.boolean() })),
    })
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          document.map((value) => JSON.stringify(value)),
        ),
        (content) => {
          readOrRefuse(() => readKumaBackup(content, now))
        },
      ),
      { numRuns: 300 },
    )
  })
})

function readOrRefuse(read: () => ImportedFile): void {
  try {
    const { monitors } = read()
    assert.equal(new Set(monitors.map(({ key }) => key)).size, monitors.length)
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
  }
}
