import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createMemoryBus } from '#bus/memory.ts'
import { publicServices } from '#core/outside-services.ts'
import { until } from '../../test/support/until.ts'
import { startProberThreads } from './threads.ts'

describe('the threads of the probers', () => {
  it('say in the log of the process what went wrong in them', async () => {
    const bus = createMemoryBus()
    const present: { location: string; prober: string }[] = []
    const warnings: { message: string; details?: Record<string, unknown> | undefined }[] = []
    bus.onPresence((presence) => present.push(presence))
    bus.onConfigurationRequest(() => Promise.reject(new Error('The database is away.')))
    const threads = startProberThreads({
      threads: 1,
      name: 'test',
      locations: ['here'],
      allowPrivate: 'none',
      dnsServers: [],
      services: publicServices,
      references: [],
      attach: bus.attach,
      log: { warn: (message, details) => warnings.push({ message, details }) },
    })
    after(() => threads.stop())
    await until('the prober is present', async () => present.length > 0)
    bus.assign('here', present[0]?.prober ?? assert.fail(), [{ monitorId: 'm', version: 1, round: 1 }])
    await until('its warning', async () => warnings.length > 0)
    assert.equal(warnings[0]?.message, 'Configurations could not be read.')
    assert.match(String(warnings[0]?.details?.['error']), /The database is away/)
    await bus.close()
  })
})
