import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { endCycles, replaceCycles } from '#store/software/advisory-catalogs.ts'
import { testApi } from '../../../test/support/api.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { compare, found, importIn, reportIn } from '../../../test/support/software.ts'

const cycle = { isEnded: false, releasedOn: null }
const cycles = [
  { ...cycle, cycle: '2', endsOn: '2026-12-31', latest: '2.7.16' },
  { ...cycle, cycle: '3', endsOn: null, latest: '3.5.25' },
]

describe('the end of support of a product', async () => {
  const api = await testApi()
  const { database } = api

  async function monitorWith(content: string) {
    const { id } = await createMonitor(api)
    importIn(await api.post(`/monitors/${id}/software/import`, { content }))
    return async () => found(reportIn(await api.get(`/monitors/${id}/vulnerabilities`)))
  }

  it('is found of its packages and CPEs on the day, and of what is imported later at once', async () => {
    const before = new Date('2026-12-30T12:00:00Z')
    const names = ['Vue 2.7.0', 'npm:vue 2.6.14', 'cpe:vuejs:vue.js 2.5.0', 'npm:vue 3.4.0']
    const report = await monitorWith(names.join('\n'))
    await compare(database, () => before)
    await database.transaction((tx) => replaceCycles(tx, [{ product: 'vue', cycles }]))
    await compare(database, () => before)
    assert.deepEqual(await report(), [])
    const day = new Date('2026-12-31T00:30:00Z')
    await database.transaction((tx) => endCycles(tx, day))
    await compare(database, () => day)
    assert.deepEqual(await report(), ['EOL:vue-2', 'EOL:vue-2', 'EOL:vue-2'])
    const later = await monitorWith('npm:vue 2.0.1\nnpm:vue 3.0.0')
    await compare(database, () => day)
    assert.deepEqual(await later(), ['EOL:vue-2'])
  })

  it('that comes later after all ends the findings of packages too', async () => {
    const report = await monitorWith('npm:vue 2.6.1')
    const at = new Date('2027-01-01T12:00:00Z')
    await compare(database, () => at)
    assert.deepEqual(await report(), ['EOL:vue-2'])
    const extended = cycles.map((one) => Object.assign({}, one, { endsOn: null }))
    await database.transaction(async (tx) => {
      await replaceCycles(tx, [{ product: 'vue', cycles: extended }])
      await endCycles(tx, at)
    })
    await compare(database, () => at)
    assert.deepEqual(await report(), [])
  })
})
