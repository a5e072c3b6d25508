import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { catalogEntrySchema } from '#core/software/vulnerability.ts'
import { testApi } from '../../../test/support/api.ts'
import { softwareCatalogOperations } from './software-catalog.ts'

const catalogSchema = z.strictObject({ data: z.array(catalogEntrySchema) })

describe('the catalogue of software', async () => {
  const api = await testApi({ operations: softwareCatalogOperations })

  it('shows key, name and kind of every product', async () => {
    const { status, body } = await api.get('/software-catalog')
    assert.equal(status, 200)
    const { data } = catalogSchema.parse(body)
    assert.ok(data.length >= 150)
    assert.deepEqual(
      data.filter(({ key }) => key === 'nginx' || key === 'ubuntu'),
      [
        { key: 'ubuntu', name: 'Ubuntu', kind: 'os' },
        { key: 'nginx', name: 'nginx', kind: 'software' },
      ],
    )
  })
})
