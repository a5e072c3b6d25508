import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { contactKinds } from '#contacts/index.ts'
import { contactKindNames } from '#core/contacts/contact-kinds.ts'
import { kindNames } from '#core/monitors/kind-traits.ts'
import { testApi } from '../../test/support/api.ts'
import { rpc } from '../../test/support/mcp-call.ts'
import { addRunningIncident, createMonitor } from '../../test/support/monitors.ts'

const contentsSchema = z.object({ contents: z.tuple([z.object({ uri: z.string(), text: z.string() })]) })
const promptsSchema = z.object({
  prompts: z.array(z.object({ name: z.string(), arguments: z.array(z.object({ name: z.string() })).optional() })),
})
const downSchema = z.object({
  monitors: z.int(),
  down: z.int(),
  shown: z.int(),
  data: z.array(z.object({ monitor: z.looseObject({ id: z.uuid() }), incident: z.looseObject({}).nullable() })),
})

describe('resources and prompts', async () => {
  const api = await testApi({ now: () => new Date('2026-11-22T00:30:00Z') })
  const read = (uri: string, token = api.token) => rpc(api, ['resources/read', { uri }], { token })
  const bodyOf = ({ result }: Awaited<ReturnType<typeof read>>): unknown =>
    JSON.parse(contentsSchema.parse(result).contents[0].text)

  it('tell what is down, of this workspace alone', async () => {
    const [up, down] = [await createMonitor(api), await createMonitor(api, { name: 'Till' })]
    await addRunningIncident(api.database, down, new Date('2026-11-22T00:00:00Z'))
    const { monitors, data, ...counts } = downSchema.parse(bodyOf(await read('perigee://down')))
    assert.deepEqual([monitors, counts], [2, { down: 1, shown: 1 }])
    assert.deepEqual(
      data.map(({ monitor, incident }) => [monitor.id, incident?.['cause']]),
      [[down.id, 'The connection was refused.']],
    )
    const other = await api.addWorkspace()
    assert.equal(downSchema.parse(bodyOf(await read('perigee://down', other.token))).monitors, 0)
    assert.match(JSON.stringify(bodyOf(await read(`perigee://monitors/${up.id}`, api.readToken))), /"all_time"/)
    const foreign = await read(`perigee://monitors/${up.id}`, other.token)
    assert.deepEqual(
      [foreign.error?.code, foreign.error?.message],
      [-32_602, 'There is no such monitor in this workspace.'],
    )
  })

  it('have the options of each kind, for everybody', async () => {
    for (const kind of kindNames) {
      const { result } = await rpc(api, ['resources/read', { uri: `perigee://kinds/${kind}` }], { token: null })
      assert.match(contentsSchema.parse(result).contents[0].text, /^\{/)
    }
    const { error } = await rpc(api, ['resources/read', { uri: 'perigee://kinds/toaster' }], { token: null })
    assert.equal(error?.code, -32_602)
  })

  it('have the options of each kind of contact, for everybody', async () => {
    const schema = z.object({ properties: z.record(z.string(), z.unknown()), required: z.array(z.string()).optional() })
    for (const kind of contactKindNames) {
      const { result } = await rpc(api, ['resources/read', { uri: `perigee://contact-kinds/${kind}` }], { token: null })
      const { properties } = schema.parse(JSON.parse(contentsSchema.parse(result).contents[0].text))
      assert.deepEqual(Object.keys(properties).length > 0, contactKinds[kind].hasOptions)
    }
    const { error } = await rpc(api, ['resources/read', { uri: 'perigee://contact-kinds/fax' }], { token: null })
    assert.equal(error?.code, -32_602)
  })

  it('that need a credential are not shown without one', async () => {
    const shown = async (token: string | null): Promise<string> =>
      JSON.stringify(
        await Promise.all(
          ['resources/list', 'resources/templates/list', 'prompts/list'].map(
            async (method) => (await rpc(api, [method], { token })).result,
          ),
        ),
      )
    assert.match(
      await shown(api.token),
      /perigee:\/\/down.*perigee:\/\/monitors\/.*perigee:\/\/kinds\/.*what_is_down.*weekly_report/,
    )
    assert.doesNotMatch(await shown(null), /down|monitors\/|weekly/)
    assert.match(await shown(null), /perigee:\/\/kinds\//)
  })

  it('have guides as prompts, about what the person names, for who may do what they say', async () => {
    const listed = async (token: string) =>
      promptsSchema.parse((await rpc(api, ['prompts/list'], { token })).result).prompts
    const all = await listed(api.token)
    assert.deepEqual(
      all.map(({ name, arguments: given = [] }) => [name].concat(given.map((each) => each.name))),
      [
        ['what_is_down'],
        ['weekly_report'],
        ['watch_my_site', 'url'],
        ['why_is_it_down', 'monitor'],
        ['cut_noise'],
        ['prove_the_fix', 'monitor'],
      ],
    )
    assert.deepEqual(
      (await listed(api.readToken)).map(({ name }) => name),
      ['what_is_down', 'weekly_report'],
    )
    const texts = async (given: Record<string, unknown>) => {
      const { result } = await rpc(api, ['prompts/get', given])
      const { messages } = z
        .object({ messages: z.array(z.object({ content: z.object({ text: z.string() }) })) })
        .parse(result)
      return messages.map(({ content }) => content.text)
    }
    const name = 'watch_my_site'
    const [guide, ...none] = await texts({ name })
    assert.ok(guide?.startsWith('# Watch my site\n'))
    assert.deepEqual(none, [])
    const url = 'https://shop.example/'
    assert.deepEqual(await texts({ name, arguments: { url, colour: 'red' } }), [guide, `This is about: ${url}`])
    const [, about = ''] = await texts({ name, arguments: { url: 'x'.repeat(10_000) } })
    assert.ok(about.length < 2_100)
  })

  it('ask for the last seven whole days', async () => {
    const { result } = await rpc(api, ['prompts/get', { name: 'weekly_report' }])
    assert.match(JSON.stringify(result), /the UTC days 2026-11-15 to 2026-11-21\./)
    const { error } = await rpc(api, ['prompts/get', { name: 'daily_report' }])
    assert.equal(error?.code, -32_602)
  })
})
