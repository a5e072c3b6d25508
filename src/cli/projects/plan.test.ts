import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { testApi } from '../../../test/support/api.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { spawnPerigee } from '../../../test/support/perigee-process.ts'
import { listen } from '../../http/listen.ts'

const file = (names: readonly string[]) => `
project: shop
monitors:
${names.map((name) => `  - {key: ${name.toLowerCase()}, name: ${name}, url: "https://\${HOST}/${name}", interval_seconds: 300}\n`).join('')}`

const schedule = (year: number) => `{type: once, starts_at: ${year}-01-01T00:00:00Z, ends_at: ${year}-01-01T01:00:00Z}`

describe('perigee plan', async () => {
  const api = await testApi()
  const service = await listen(api.app, { host: '127.0.0.1', port: 0 })
  after(() => service.close(1000))
  const folder = mkdtempSync(join(tmpdir(), 'perigee-plan-'))
  after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'shop.yaml')
  const site = await createMonitor(api, { name: 'Site', url: 'https://example.com/Site' })
  const blog = await createMonitor(api, { name: 'Blog', url: 'https://example.com/Blog' })
  await createMonitor(api, { name: 'Twice', url: 'https://example.com/Twice' })
  await createMonitor(api, { name: 'Twice', url: 'https://example.com/Twice' })

  async function run(command: string, args: string[] = [], environment: Record<string, string> = {}) {
    const reached = { PERIGEE_URL: `http://127.0.0.1:${service.port}`, PERIGEE_TOKEN: api.token, HOST: 'example.com' }
    const perigee = spawnPerigee({ args: [command, '-f', path, ...args], environment: { ...reached, ...environment } })
    const code = await perigee.ended()
    return [code, perigee.stdout().split('\n').slice(0, -1), perigee.stderr()] as const
  }

  it('goes from what is there to what the files say', async () => {
    writeFileSync(path, file(['Site', 'Blog', 'Twice']))
    assert.deepEqual(await run('plan', [], { PERIGEE_TOKEN: api.readToken }), [
      2,
      [
        '+ monitors.site  (the workspace has one of this name)',
        '+ monitors.blog  (the workspace has one of this name)',
        '+ monitors.twice',
        'shop: 3 to create.',
      ],
      '',
    ])
    assert.deepEqual(await run('plan', ['--adopt']), [
      2,
      [
        '= monitors.site  adopts "Site"',
        '= monitors.blog  adopts "Blog"',
        '+ monitors.twice',
        'shop: 2 to adopt, 1 to create.',
      ],
      '',
    ])
    writeFileSync(path, file(['Site', 'Blog']))
    assert.deepEqual(await run('adopt'), [
      0,
      ['= monitors.site  Site', '= monitors.blog  Blog', 'shop: 2 adopted, 0 left alone.'],
      '',
    ])
    assert.deepEqual(await run('plan'), [0, ['shop: the workspace matches the files.'], ''])
    assert.deepEqual(await run('adopt'), [0, ['shop: 0 adopted, 2 left alone.'], ''])
    assert.deepEqual(await run('adopt', ['--json']), [0, ['{"project":"shop","adopted":[],"left":2}'], ''])
  })

  it('tells drift, also of what got another name, and no value that came from the environment', async () => {
    writeFileSync(path, file(['Site']))
    await api.request('PATCH', `/monitors/${site.id}`, { body: { name: 'Renamed', interval_seconds: 600 } })
    assert.deepEqual(await run('plan', [], { HOST: 'secret.example.com' }), [
      2,
      [
        '~ monitors.site',
        '    name: "Renamed" -> "Site"',
        '    url: differs',
        '    interval_seconds: 600 -> 300',
        '- monitors.blog  "Blog" is no longer in the files',
        'shop: 1 to change, 1 no longer in the files.',
      ],
      '',
    ])
    const [code, [json = '']] = await run('plan', ['--json'])
    assert.equal(code, 2)
    assert.deepEqual(JSON.parse(json), {
      project: 'shop',
      adopt: [],
      create: [],
      change: [
        {
          section: 'monitors',
          key: 'site',
          id: site.id,
          fields: [
            { field: 'name', before: 'Renamed', after: 'Site' },
            { field: 'interval_seconds', before: 600, after: 300 },
          ],
        },
      ],
      gone: [{ section: 'monitors', key: 'blog', id: blog.id, name: 'Blog' }],
      unclear: [],
      over_limits: [],
      price: null,
    })
  })

  it('leaves alone what another project has', async () => {
    writeFileSync(path, file(['Site', 'Blog']).replace('project: shop', 'project: other'))
    const [code, lines] = await run('plan', ['--adopt'])
    assert.deepEqual([code, lines.at(-1)], [2, 'other: 2 to create.'])
  })

  it('asks for no maintenance that is over, and says which names are unclear', async () => {
    writeFileSync(
      path,
      `project: windows
maintenance:
  - {key: past, name: Past, schedule: ${schedule(2020)}}
  - {key: future, name: Future, schedule: ${schedule(2099)}, monitors: [{name: Twice}]}
monitors:
  - {key: child, name: Child, url: "https://example.com/", contacts: [{name: Nobody}]}
`,
    )
    const [code, lines] = await run('plan')
    assert.deepEqual(
      [code, lines],
      [
        2,
        [
          '+ monitors.child',
          '+ maintenance.future',
          '? contacts: "Nobody" is missing or ambiguous in the workspace',
          '? monitors: "Twice" is missing or ambiguous in the workspace',
          'windows: 2 to create, 2 ambiguous names.',
        ],
      ],
    )
  })

  it('says what monitors beyond the plan would cost', async () => {
    writeFileSync(path, file(Array.from({ length: 100 }, (_, at) => `M${at}`)))
    const [code, lines] = await run('plan')
    assert.deepEqual(
      [code, ...lines.slice(-2)],
      [
        2,
        'shop: 100 to create, 2 no longer in the files.',
        '4 new monitors have no free slot: $0.04 every 30 days; the service takes no payments, and the credit is $0.00.',
      ],
    )
  })

  it('ends with 1 where the difference is not known', async () => {
    writeFileSync(path, file(['Site']))
    const dead = await run('plan', [], { PERIGEE_URL: `http://127.0.0.1:${await freePort()}` })
    assert.equal(dead[0], 1)
    assert.match(dead[2], /^The service cannot be reached: /)
    assert.equal((await run('plan', ['--wrong']))[0], 1)
    writeFileSync(path, 'monitors: [')
    assert.equal((await run('plan'))[0], 1)
    const reading = await run('adopt', [], { PERIGEE_TOKEN: api.readToken })
    assert.equal(reading[0], 1)
  })
})
