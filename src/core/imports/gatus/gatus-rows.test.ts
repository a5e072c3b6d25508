import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gatusSchema } from './gatus-rows.ts'

const lists: [what: string, most: number, fileOf: (list: unknown[]) => object, item: unknown][] = [
  ['conditions', 200, (conditions) => ({ endpoints: [{ conditions }] }), '[STATUS] == 200'],
  ['alerts of an endpoint', 50, (alerts) => ({ endpoints: [{ alerts }] }), {}],
  ['alerts of an external endpoint', 50, (alerts) => ({ 'external-endpoints': [{ alerts }] }), {}],
  ['windows', 50, (windows) => ({ endpoints: [{ 'maintenance-windows': windows }] }), {}],
  ['days of a window', 7, (every) => ({ maintenance: { every } }), 'Monday'],
  ['announcements', 10_000, (announcements) => ({ announcements }), {}],
]

describe('a file of Gatus', () => {
  for (const [what, most, fileOf, item] of lists)
    it(`has up to ${most} ${what}`, () => {
      const files = [most, most + 1].map((length) => fileOf(Array.from({ length }, () => item)))
      assert.deepEqual(
        files.map((file) => gatusSchema.safeParse(file).success),
        [true, false],
      )
    })

  it('has endpoints that are enabled unless they say otherwise', () => {
    const given = [undefined, null, true, 'yes', 'false', false].map((enabled) => ({ enabled }))
    const { endpoints } = gatusSchema.parse({ endpoints: given })
    assert.deepEqual(
      endpoints?.map(({ enabled }) => enabled),
      [true, true, true, true, false, false],
    )
  })

  it('has questions of GraphQL where it says so', () => {
    const given = [undefined, null, false, 'yes', 'true', true].map((graphql) => ({ graphql }))
    const { endpoints } = gatusSchema.parse({ endpoints: given })
    assert.deepEqual(
      endpoints?.map(({ graphql }) => graphql),
      [false, false, false, false, true, true],
    )
  })
})
