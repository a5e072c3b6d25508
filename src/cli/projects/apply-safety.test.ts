import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addCredit, readCredit } from '#store/money/credit.ts'
import { applyTo, nothing, readWorkspace, shop, shopApi } from '../../../test/support/applying.ts'

function siteAt(locations: string): string {
  const site = `{key: site, name: Site, url: "https://example.com/", interval_seconds: 300, locations: [${locations}]}`
  return `project: shop\nmonitors:\n  - ${site}\n`
}

/** A site at a path, and one that is paused and down. */
function tryable(path: string, name = 'Site'): string {
  return (
    `project: shop\nmonitors:\n  - {key: site, name: ${name}, url: "https://example.com/${path}", contacts: [hook]}\n` +
    '  - {key: off, name: Off, url: "https://example.com/down", paused: true}\n' +
    'contacts: [{key: hook, name: Hook, kind: webhook, destination: "https://example.com/hook"}]\n'
  )
}

describe('perigee apply keeps people from harm:', () => {
  it('pays nothing that it was not allowed to', async () => {
    const api = await shopApi({ plan: 'pay_as_you_go' })
    const { run } = await applyTo(api)
    const one = 'project: shop\nmonitors:\n  - {key: cron, name: Cron, kind: heartbeat}\n'
    const [code, out, err] = await run(one)
    assert.deepEqual([code, out], [1, []])
    assert.equal(err, 'Nothing was changed. It would cost $0.01; allow that with --pay-up-to 0.01.\n')
    const poor = await run(one, ['--pay-up-to', '0.01'])
    assert.equal(poor[2], 'Nothing was changed. It would cost $0.01, and the credit is only $0.00.\n')
  })

  it('puts to rest what is gone from the files, wakes what comes back, and deletes after two weeks', async () => {
    let at = Date.parse('2026-05-01T12:00:00Z')
    const api = await shopApi({ now: () => new Date(at) })
    const { run } = await applyTo(api)
    assert.equal((await run(shop))[0], 0)
    const less = shop
      .replace(/ {2}- \{key: (spare|cron|page|nights), .*\n/g, '')
      .replace('status_pages:\n', '')
      .replace('maintenance:\n', '')
    assert.deepEqual((await run(less)).slice(0, 2), [0, [nothing]])
    const [tooMany, , problem] = await run(less, ['--prune'])
    assert.equal(tooMany, 1)
    assert.equal(
      problem,
      'Nothing was changed. 4 objects are no longer in the files, but only 1 may be pruned at a time. If that is right, give --prune=4.\n',
    )
    assert.deepEqual((await run(less, ['--prune=4'])).slice(0, 2), [
      0,
      [
        '- maintenance.nights  is deleted',
        '- status_pages.page  is deleted by the first --prune after 14 days',
        '- monitors.cron  is deleted by the first --prune after 14 days',
        '- contacts.spare  is deleted by the first --prune after 14 days',
        'shop: 3 rested, 1 deleted.',
      ],
    ])
    at += 13 * 86_400_000
    assert.deepEqual((await run(less, ['--prune'])).slice(0, 2), [0, [nothing]])
    const { monitors, status_pages: pages } = await readWorkspace(api)
    assert.deepEqual([monitors.find(({ name }) => name === 'Cron')?.status, pages[0]?.visibility], ['paused', 'draft'])
    const back =
      less.replace('status_pages:', '') + shop.slice(shop.indexOf('status_pages:'), shop.indexOf('maintenance:'))
    assert.deepEqual((await run(back, ['--prune'])).slice(0, 2), [0, ['~ status_pages.page', 'shop: 1 changed.']])
    assert.deepEqual((await run(back, ['--prune'])).slice(0, 2), [0, [nothing]])
    assert.equal((await readWorkspace(api)).status_pages[0]?.visibility, 'public')
    at += 86_400_000
    assert.deepEqual((await run(back, ['--prune=2'])).slice(0, 2), [
      0,
      ['- monitors.cron  is deleted', '- contacts.spare  is deleted', 'shop: 2 deleted.'],
    ])
    assert.deepEqual((await run(back, ['--prune'])).slice(0, 2), [0, [nothing]])
  })

  it('puts to rest anew what a person let run again', async () => {
    let at = Date.parse('2026-05-01T12:00:00Z')
    const api = await shopApi({ now: () => new Date(at) })
    const { run } = await applyTo(api)
    const two =
      'project: shop\nmonitors:\n  - {key: a, name: A, kind: heartbeat}\n  - {key: b, name: B, kind: heartbeat}\n'
    const one = two.replace(/ {2}- \{key: b.*\n/, '')
    await run(two)
    await run(one, ['--prune'])
    const found = (await readWorkspace(api)).monitors.find(({ name }) => name === 'B')
    await api.post(`/monitors/${found?.id}/resume`)
    at += 20 * 86_400_000
    const rested = ['- monitors.b  is deleted by the first --prune after 14 days', 'shop: 1 rested.']
    assert.deepEqual((await run(one, ['--prune'])).slice(0, 2), [0, rested])
    at += 13 * 86_400_000
    assert.deepEqual((await run(one, ['--prune'])).slice(0, 2), [0, [nothing]])
  })

  it('takes another secret in the environment for a change, and prints none', async () => {
    const api = await shopApi()
    const { run } = await applyTo(api)
    const text = `project: shop
contacts:
  - {key: bot, name: Bot, kind: telegram, destination: "-1001", options: {token: "\${BOT}"}}
monitors:
  - {key: site, name: Site, url: "https://example.com/", request_headers: {x-key: "\${KEY}", accept: text/plain}}
status_pages:
  - {key: page, slug: shop, title: Shop, visibility: password, password: "\${PASSWORD}"}
`
    const first = { BOT: '123456:AAHnDX0pfLqzGkQvE2yIuJm4oRtWb8cYsZ1', KEY: 'first key', PASSWORD: 'first password' }
    assert.equal((await run(text, [], first))[0], 0)
    assert.deepEqual(await run(text, [], first), [0, [nothing], ''])
    const second = { ...first, KEY: 'second key', PASSWORD: 'second password' }
    assert.deepEqual(await run(text, [], second), [
      0,
      ['~ monitors.site', '~ status_pages.page', 'shop: 2 changed.'],
      '',
    ])
    assert.deepEqual(await run(text, [], second), [0, [nothing], ''])
    const third = { ...second, BOT: '123456:BBHnDX0pfLqzGkQvE2yIuJm4oRtWb8cYsZ1' }
    assert.deepEqual((await run(text, [], third))[1], ['~ contacts.bot', 'shop: 1 changed.'])
    assert.deepEqual((await run(text, [], third))[1], [nothing])
    const reading = await run(text, [], { ...first, PERIGEE_TOKEN: api.readToken })
    assert.deepEqual(reading, [1, [], 'Nothing was changed. The token has read scope only.\n'])
  })

  it('prunes nothing where the files say nothing', async () => {
    const api = await shopApi()
    const { run } = await applyTo(api)
    await run('project: shop\nmonitors:\n  - {key: a, name: A, kind: heartbeat}\n')
    const [code, , problem] = await run('project: shop\nmonitors: []\n', ['--prune=1'])
    assert.deepEqual(
      [code, problem],
      [1, 'Nothing was changed. The files have no entries, and pruning with empty files is not allowed.\n'],
    )
  })

  it('tries new and changed checks before it writes anything', async () => {
    const api = await shopApi()
    const { run } = await applyTo(api)
    assert.deepEqual(await run(tryable('down')), [
      1,
      ['? monitors.site: is down: Connection refused'],
      'Nothing was changed: 1 check fails. To apply anyway, give --allow-failing.\n',
    ])
    assert.deepEqual((await run(tryable('up')))[1], [
      '+ contacts.hook',
      '+ monitors.site',
      '+ monitors.off',
      'shop: 3 created.',
    ])
    assert.deepEqual((await run(tryable('down')))[0], 1)
    assert.deepEqual((await run(tryable('down'), ['--allow-failing'])).slice(0, 2), [
      0,
      ['? monitors.site: is down: Connection refused', '~ monitors.site', 'shop: 1 changed.'],
    ])
    // What is down is so whatever it is called.
    assert.deepEqual((await run(tryable('down', 'The site'))).slice(0, 2), [0, ['~ monitors.site', 'shop: 1 changed.']])
    assert.deepEqual((await run(tryable('down2'), ['--no-try'])).slice(0, 2), [
      0,
      ['~ monitors.site', 'shop: 1 changed.'],
    ])
  })

  it('never pays more than it was allowed to, also for more locations', async () => {
    const api = await shopApi({ plan: 'pay_as_you_go' })
    await api.database.transaction((tx) =>
      addCredit(tx, {
        workspaceId: api.workspaceId,
        amountCents: 100,
        reason: 'payment',
        description: '',
        at: new Date(),
      }),
    )
    const { run } = await applyTo(api)
    const dear = 'Nothing was changed. It would cost $0.01; allow that with --pay-up-to 0.01.\n'
    assert.deepEqual(await run(siteAt('boston'), ['--no-try']), [1, [], dear])
    assert.equal((await run(siteAt('boston'), ['--no-try', '--pay-up-to', '0.01']))[0], 0)
    assert.deepEqual(await run(siteAt('boston, chennai'), ['--no-try']), [1, [], dear])
    assert.equal((await run(siteAt('boston, chennai'), ['--no-try', '--pay-up-to', '1']))[0], 0)
    assert.deepEqual((await run(siteAt('boston, chennai')))[1], [nothing])
    assert.equal(await readCredit(api.database, api.workspaceId), 98)
  })
})
