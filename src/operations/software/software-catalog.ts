import { z } from 'zod'
import { softwareCatalog } from '#core/software/software-catalog.ts'
import { catalogEntrySchema } from '#core/software/vulnerability.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'

const data = softwareCatalog.map(({ key, name, kind }) => ({ key, name, kind }))

const listSoftwareCatalog = defineOperation({
  name: 'list_software_catalog',
  method: 'GET',
  path: '/software-catalog',
  scope: 'read',
  tag: 'Software and vulnerabilities',
  summary: 'List the software that Perigee knows by name',
  description:
    'Packages with the prefix `npm:`, `composer:`, `pypi:`, `gem:`, `go:`, `maven:`, `nuget:`, `cargo:`, ' +
    '`wp-plugin:` or `wp-theme:`, and `cpe:<vendor>:<product>`, are known as well.',
  errors: [401],
  success: {
    status: 200,
    description: 'The catalogue, operating systems first.',
    schema: z.strictObject({ data: z.array(catalogEntrySchema) }),
  },
  run: async () => ({ status: 200, body: { data } }),
})

export const softwareCatalogOperations = [listSoftwareCatalog]
