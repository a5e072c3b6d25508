import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createGuard } from '#net/dial/guard.ts'
import { kinds } from '#kinds/index.ts'
import { testApi } from '../../../test/support/api.ts'
import { exampleOf, type PageExample } from '../../../test/support/kind-pages.ts'
import { createMonitor, monitorOf, refusalOf } from '../../../test/support/monitors.ts'
import { member, openApiDocument } from '../../../test/support/openapi.ts'

const schemas = member(openApiDocument(), 'components', 'schemas')

const api = await testApi({ services: { isForbiddenAddress: createGuard([]).isForbiddenAddress } })
const memberIds = [(await createMonitor(api)).id, (await createMonitor(api)).id]

describe('every kind, asked for by the API', () => {
  for (const [name, { secretOptions }] of Object.entries(kinds)) {
    const options = member(optionsSchema(name), 'properties')

    it(`creates what the page of ${name} shows, and keeps its secrets to itself`, async () => {
      const input = inputOf(name)
      const answer = await api.post('/monitors', input)
      assert.equal(answer.status, 201, answer.text)
      const { kind, check_options: shown } = monitorOf(answer)
      assert.equal(kind, name)
      const given = withoutSecrets(input.check_options ?? {}, secretOptions)
      assert.deepEqual({ ...shown, ...given }, shown)
    })

    it(`names an option that ${name} does not have`, async () => {
      const input = inputOf(name)
      const answer = await api.post('/monitors', { ...input, check_options: { ...input.check_options, no_such: 1 } })
      assert.deepEqual(refusalOf(answer), [422, 'validation_failed', 'check_options.no_such'])
    })

    for (const option of Object.keys(options).filter((each) => member(options, each)['type'] !== undefined))
      it(`names ${option} of ${name} when its value is of the wrong type`, async () => {
        const input = inputOf(name)
        const wrong = member(options, option)['type'] === 'object' ? ['wrong'] : { wrong: true }
        const answer = await api.post('/monitors', {
          ...input,
          check_options: { ...input.check_options, [option]: wrong },
        })
        assert.deepEqual(refusalOf(answer), [422, 'validation_failed', `check_options.${option}`])
      })

    for (const option of requiredOf(name))
      it(`names ${option} of ${name} when it is missing`, async () => {
        const { check_options: given = {}, ...input } = inputOf(name)
        const others = Object.fromEntries(Object.entries(given).filter(([each]) => each !== option))
        const answer = await api.post('/monitors', { ...input, check_options: others })
        assert.deepEqual(refusalOf(answer), [422, 'validation_failed', `check_options.${option}`])
      })
  }
})

describe('an option that is a choice with a default', () => {
  for (const [kind, url, shown] of [
    ['game_server', 'play.example.com', { edition: 'java' }],
    ['page_speed', 'https://example.com', { strategy: 'mobile' }],
    ['cloud_status', 'https://status.example.com', { down_on: 'major' }],
    ['dns', 'example.com', { record_type: 'A' }],
  ] as const)
    it(`is shown where nobody chose: ${kind}`, async () => {
      assert.deepEqual((await createMonitor(api, { kind, url })).check_options, shown)
    })
})

/** The example of the page; a group's members are monitors that are there. */
function inputOf(name: string): PageExample {
  const example = exampleOf(name)
  return name === 'group' ? { ...example, check_options: { ...example.check_options, member_ids: memberIds } } : example
}

function optionsSchema(name: string): Record<string, unknown> {
  const words = name.split('_').map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
  return member(schemas, `${words.join('')}Options`)
}

function requiredOf(name: string): string[] {
  const { required } = optionsSchema(name)
  return Array.isArray(required) ? required.map(String) : []
}

type Secrets = (typeof kinds)[keyof typeof kinds] & object

function withoutSecrets(options: Record<string, unknown>, secrets: Secrets['secretOptions']): Record<string, unknown> {
  const shown = structuredClone(options)
  for (const secret of secrets) {
    if (typeof secret === 'string') delete shown[secret]
    else for (const item of itemsOf(shown[secret.list])) Reflect.deleteProperty(item, secret.member)
  }
  return shown
}

function itemsOf(list: unknown): object[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'object' && item !== null) : []
}
