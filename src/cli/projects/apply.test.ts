import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { applyTo, nothing, shop, shopApi, stateOf } from '../../../test/support/applying.ts'
import type { KillAt } from '../../../test/support/killing-proxy.ts'
import { createMonitor } from '../../../test/support/monitors.ts'

const labels = [
  '+ contacts.hook',
  '+ contacts.spare',
  '+ monitors.router',
  '+ monitors.site',
  '+ monitors.blog',
  '+ monitors.all',
  '+ monitors.cron',
  '+ status_pages.page',
  '+ maintenance.nights',
]

describe('perigee apply', () => {
  it('makes all that a project has, in the order in which it can be made', async () => {
    const api = await shopApi()
    const { run, folder } = await applyTo(api)
    const secrets = join(folder, 'secrets')
    assert.deepEqual(await run(shop, ['--secrets', secrets]), [0, [...labels, 'shop: 9 created.'], ''])
    assert.equal(statSync(secrets).mode & 0o777, 0o600)
    assert.match(
      readFileSync(secrets, 'utf8'),
      /^contacts\.hook\.signing_secret=whsec_\S+\ncontacts\.spare\.signing_secret=whsec_\S+\nmonitors\.cron\.heartbeat_url=http\S+\n$/,
    )
    assert.deepEqual(await run(shop), [0, [nothing], ''])
    const state = await stateOf(api)
    assert.partialDeepStrictEqual(state, {
      monitors: [{ key: 'router' }, { key: 'site' }, { key: 'blog', depends_on: ['site'], paused: true }],
    })
    const changed = shop
      .replace('name: Blog,', 'name: The blog,')
      .replace(', paused: true', '')
      .replace('enabled: false', 'enabled: true')
      .replace('title: Shop', 'title: The shop')
      .replace('starts: "02:00"', 'starts: "03:00"')
    assert.deepEqual(await run(changed), [
      0,
      ['~ contacts.spare', '~ monitors.blog', '~ status_pages.page', '~ maintenance.nights', 'shop: 4 changed.'],
      '',
    ])
    assert.deepEqual(await run(changed), [0, [nothing], ''])
  })

  it('comes to the same state where it is killed again and again', async () => {
    const whole = await shopApi()
    await (await applyTo(whole)).run(shop)
    const killed = await shopApi()
    const points: KillAt[] = [
      { request: 1, moment: 'before' },
      { request: 1, moment: 'after' },
      { request: 3, moment: 'after' },
      { request: 2, moment: 'before' },
      { request: 2, moment: 'after' },
      { request: 2, moment: 'after' },
      { request: 1, moment: 'after' },
    ]
    const { run } = await applyTo(killed, points)
    const ends: (number | string)[] = []
    while (ends.length < points.length) ends.push((await run(shop))[0])
    assert.deepEqual(
      ends,
      points.map(() => 'SIGKILL'),
    )
    assert.equal((await run(shop))[0], 0)
    assert.deepEqual(await stateOf(killed), await stateOf(whole))
    assert.deepEqual(await run(shop), [0, [nothing], ''])
  })

  it('asks again where an answer was lost, and makes nothing twice', async () => {
    const api = await shopApi()
    const { run } = await applyTo(api, [{ request: 4, moment: 'after', cutsOnly: true }])
    assert.deepEqual((await run(shop)).slice(0, 2), [0, [...labels, 'shop: 9 created.']])
    assert.deepEqual(await run(shop), [0, [nothing], ''])
  })

  it('keeps what is shown once out of what it prints', async () => {
    const api = await shopApi()
    const { run } = await applyTo(api)
    const [, out, err] = await run(shop)
    assert.doesNotMatch(`${out.join('\n')}${err}`, /whsec_|heartbeat\/|\/h\//)
    assert.match(
      err,
      /^The service showed these only once, and without --secrets they were not kept: contacts\.hook \(signing_secret\), /,
    )
  })

  it('tells what is refused, keeps back what names it, and makes the rest', async () => {
    const api = await shopApi()
    const { run } = await applyTo(api)
    const wrong = shop.replace(
      'kind: tcp, url: "example.com:443"',
      'kind: tcp, url: "example.com:443", locations: [nowhere]',
    )
    const [code, lines] = await run(wrong, ['--no-try'])
    assert.equal(code, 1)
    assert.deepEqual(
      lines.filter((line) => line.startsWith('+')),
      ['+ contacts.hook', '+ contacts.spare', '+ monitors.cron'],
    )
    assert.match(
      lines.find((line) => line.startsWith('! monitors.router')) ?? '',
      /The service answered 422: locations/,
    )
    assert.ok(lines.includes('! monitors.site: It names monitors.router, which does not exist.'))
    assert.equal(lines.at(-1), 'shop: 3 created, 6 failed.')
    assert.deepEqual((await run(shop)).slice(0, 1), [0])
  })

  it('makes nothing beside what has the name of an entry unless it is told to', async () => {
    const api = await shopApi()
    await createMonitor(api, { name: 'Site', url: 'https://example.com/' })
    const { run } = await applyTo(api)
    const one = 'project: shop\nmonitors:\n  - {key: site, name: Site, url: "https://example.com/"}\n'
    const [code, , err] = await run(one)
    assert.equal(code, 1)
    assert.match(
      err,
      /^Nothing was changed\. The workspace already has objects with the names of monitors\.site that belong to no/,
    )
    assert.deepEqual(await run(one, ['--adopt']), [0, ['= monitors.site', 'shop: 1 adopted.'], ''])
    assert.deepEqual(await run(one), [0, [nothing], ''])
  })

  it('prints one object for programs', async () => {
    const api = await shopApi()
    const { run } = await applyTo(api)
    const [code, [line = '']] = await run(shop, ['--json'])
    assert.equal(code, 0)
    assert.partialDeepStrictEqual(JSON.parse(line), { project: 'shop', changed: [], failed: [] })
  })
})
