// Status pages as their makers meet them: made in the console, read without scripts.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Locator } from 'playwright-core'
import { until } from '../support/until.ts'
import {
  type Group,
  moveGroup,
  moveMonitor,
  placeGroup,
  placeMonitor,
  sectionsOf,
} from '../../web/src/pages/status-pages/page-groups.ts'
import { attributesOf } from './support/attributes.ts'
import { fill, press, see, signUp, startConsole } from './support/console.ts'
import { callerOf } from './support/workspace-calls.ts'

describe('status pages in the console', async () => {
  const service = await startConsole()
  const { visitor, inspect, complaints, change, origin, linkTo } = service
  const { page, context } = await visitor()
  await signUp(page, service, { email: 'olivia@example.com', name: 'Olivia' })
  const call = callerOf(page)
  const browser = context.browser() ?? assert.fail('no browser')
  const reader = await (await browser.newContext({ baseURL: origin, javaScriptEnabled: false })).newPage()
  const dialog = page.getByRole('dialog')
  const heartbeat = { kind: 'heartbeat', interval_seconds: 3600 }
  const shop = await call('POST', '/monitors', { name: 'Shop', ...heartbeat })
  await call('POST', '/monitors', { name: 'Blog', ...heartbeat })
  const mail = await call('POST', '/monitors', { name: 'Mail', ...heartbeat })

  /** Readers see a change within ten seconds. */
  async function read(path: string, what: (reader: Locator) => Locator): Promise<void> {
    await until(
      `${path} shows it`,
      async () => {
        await reader.goto(path)
        return (await what(reader.locator('body')).count()) > 0
      },
      20_000,
    )
  }

  it('say what to do where there is none', async () => {
    await page.goto('/status-pages')
    await page.getByText('There is none yet.').waitFor()
    await inspect(page, 'status pages, none')
  })

  it('are made with an address that is looked at while it is typed', async () => {
    await page.getByRole('link', { name: 'New status page' }).click()
    await see(page, 'New status page')
    await fill(page, { Title: 'Acme', Address: 'api' })
    await page.getByText('Is reserved.').waitFor()
    await fill(page, { Address: 'a' })
    await page.getByText('Must have 3 to 63', { exact: false }).waitFor()
    await fill(page, { Address: 'acme' })
    await page.getByText('This address is free.').waitFor()
    await press(page, 'Add monitors to Group 1')
    await dialog.getByRole('checkbox', { name: 'Shop' }).check()
    await dialog.getByRole('checkbox', { name: 'Blog' }).check()
    await inspect(page, 'status page form, add monitors')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await page.getByLabel('Name of Shop on the page').fill('Our shop')
    await page.getByLabel('Heading (optional)').fill('Systems')
    await fill(page, { 'Your website': 'not an address' })
    await page.getByText('What to set up elsewhere').click()
    await page.getByText('status.example.com. CNAME localhost.').waitFor()
    await press(page, 'Create the page')
    await page.getByText('Must be an http:// or https:// address.').waitFor()
    await inspect(page, 'status page form, refused')
    await fill(page, { 'Your website': 'https://example.com' })
    await press(page, 'Create the page')
    await see(page, 'Acme')
    await page.getByRole('link', { name: `${origin}/status/acme` }).waitFor()
    await read('/status/acme', (body) => body.getByRole('heading', { name: 'Our shop' }))
    await reader.getByRole('heading', { name: 'Systems' }).waitFor()
  })

  it('wait for DNS before they are at a domain of their own', async () => {
    await fill(page, { 'Custom domain': 'status.acme.example' })
    await press(page, 'Save')
    await page.getByText('Acme is saved.', { exact: false }).waitFor()
    await page.getByText(/^Waiting for DNS: the page is at this name once the TXT record/).waitFor()
    await page.getByText(/^_perigee\.status\.acme\.example\. TXT "perigee-workspace=[\da-f-]{36}"$/).waitFor()
    await inspect(page, 'status page form, waiting for DNS')
    assert.equal(await page.getByRole('link', { name: 'https://status.acme.example' }).count(), 0)
    await fill(page, { 'Custom domain': '' })
    await press(page, 'Save')
    await page.getByText(/^Waiting for DNS/).waitFor({ state: 'detached' })
  })

  it('have groups whose monitors are moved by buttons and by keys, without losing the focus', async () => {
    await press(page, 'Add a group')
    await press(page, 'Add monitors to Group 2')
    await dialog.getByText('on the page already').first().waitFor()
    await dialog.getByRole('searchbox').fill('mail')
    await dialog.getByRole('checkbox', { name: 'Mail' }).check()
    await dialog.getByRole('button', { name: 'Add' }).click()
    assert.deepEqual(await placed(), ['Blog', 'Shop', 'Mail'])
    await press(page, 'Move Blog down')
    assert.deepEqual(await placed(), ['Shop', 'Blog', 'Mail'])
    await page.keyboard.press('Enter')
    await page.getByText('Blog is 1 of 2 in group 2.').waitFor({ state: 'attached' })
    assert.equal(await focused(), 'Move Blog down')
    await page.keyboard.press('Alt+ArrowDown')
    assert.deepEqual(await placed(), ['Shop', 'Mail', 'Blog'])
    await press(page, 'Move Systems down')
    assert.deepEqual(await placed(), ['Mail', 'Blog', 'Shop'])
    assert.equal(await focused(), 'Move Systems down')
    await press(page, 'Remove Mail from the page')
    await inspect(page, 'status page form')
    await press(page, 'Save')
    await page.getByText('Acme is saved.', { exact: false }).waitFor()
    await page.reload()
    await page.getByLabel('Name of Blog on the page').waitFor()
    assert.deepEqual(await placed(), ['Blog', 'Shop'])
    await read('/status/acme', (body) => body.getByRole('heading', { level: 3 }).first().filter({ hasText: 'Blog' }))
  })

  it('show monitors with a tag, of which the forms of monitors tell', async () => {
    await fill(page, { 'And monitors with a tag': 'Customers' })
    await press(page, 'Save')
    await page.getByText('Acme is saved.', { exact: false }).waitFor()
    await call('PATCH', `/monitors/${mail.id}`, { name: 'Mail', tags: ['customers'] })
    await read('/status/acme', (body) => body.getByRole('heading', { name: 'Mail' }))
    await page.goto(`/monitors/${mail.id}/edit`)
    await page.getByText(/Status pages show the names of monitors that have one of these: Customers\./).waitFor()
    await call('PATCH', `/monitors/${mail.id}`, { name: 'Mail', tags: [] })
    await page.goto('/status-pages')
    await page.getByRole('link', { name: 'Acme', exact: true }).click()
    await see(page, 'Acme')
  })

  it('are looked at as drafts before anybody else can', async () => {
    const { id } = await call('POST', '/status-pages', {
      slug: 'soon',
      title: 'Soon',
      visibility: 'draft',
      sections: [{ name: 'Systems', monitors: [{ monitor_id: shop.id, name: 'Our shop' }] }],
    })
    await page.goto(`/status-pages/${id}`)
    await page.getByRole('link', { name: 'Preview', exact: true }).click()
    const preview = page.frameLocator('iframe[title="Preview of Soon"]')
    await preview.getByRole('heading', { name: 'Our shop' }).waitFor()
    // Its style is there, which the policy of the console and the frame's own have to allow.
    const mark = await preview.locator('.st svg').boundingBox()
    assert.equal(mark?.width, 32)
    await inspect(page, 'status page, preview')
    assert.equal((await fetch(`${origin}/status/soon`)).status, 404)
    await call('PATCH', `/status-pages/${id}`, { title: 'Sooner' })
    await page.reload()
    await page.frameLocator('iframe').getByRole('heading', { name: 'Sooner' }).waitFor()
    await call('DELETE', `/status-pages/${id}`)
    await page.goto('/status-pages')
    await page.getByRole('link', { name: 'Acme', exact: true }).click()
    await see(page, 'Acme')
  })

  it('announce things, and take them back', async () => {
    await page.getByRole('link', { name: 'Announcements' }).click()
    await page.getByText('There is none yet.').waitFor()
    await press(page, 'Announce something')
    await inspect(page, 'status page, announce')
    await fill(page, { Title: 'We move', Text: 'To https://example.com/new' })
    await press(page, 'Publish')
    const list = page.getByRole('list', { name: 'Announcements' })
    await list.getByText('by Olivia').waitFor()
    await read('/status/acme', (body) => body.getByRole('link', { name: 'https://example.com/new' }))
    await inspect(page, 'status page, announcements')
    await press(page, 'Change We move')
    await fill(page, { Title: 'We moved', 'On top until': '2020-01-01T00:00' })
    await press(page, 'Save')
    await page.getByText('Must be after posted_at.').waitFor()
    await fill(page, { 'On top until': '' })
    await press(page, 'Save')
    await list.getByText(', edited').waitFor()
    await press(page, 'Delete We moved')
    await press(page, 'Delete permanently')
    await page.getByText('There is none yet.').waitFor()
  })

  it('show what is written about an incident', async () => {
    const incidentId = 'a3a1c1de-3f0f-4a86-8d0e-0a4f5f1d2c33'
    await change(
      `insert into incidents (id, workspace_id, monitor_id, monitor_name, status, title, started_at)
      select '${incidentId}', workspace_id, id, name, 'open', name || ' is down', now() - interval '1 hour'
      from monitors
      where id = '${shop.id}'`,
    )
    await page.goto(`/incidents/${incidentId}`)
    await see(page, 'Shop is down')
    await page.getByText('Nothing was written about it.').waitFor()
    await press(page, 'Write an update')
    await page.getByLabel('Incident status').selectOption({ label: 'Identified' })
    await inspect(page, 'incident, write an update')
    await press(page, 'Publish')
    await dialog.getByRole('textbox').and(page.locator('[aria-invalid=true]')).waitFor()
    await fill(page, { Text: 'A disk is full.' })
    await press(page, 'Publish')
    const updates = page.getByRole('list', { name: 'Updates on status pages' })
    await updates.getByText('Identified').waitFor()
    await read('/status/acme', (body) => body.getByText('A disk is full.'))
    await reader.getByText('Identified').waitFor()
    await inspect(page, 'incident, updates')
    await press(page, 'Change Identified')
    await page.getByLabel('Incident status').selectOption({ label: 'Resolved' })
    await fill(page, { Text: 'There is room again.' })
    await press(page, 'Save')
    await updates.getByText('There is room again.').waitFor()
    await press(page, 'Delete Resolved')
    await press(page, 'Delete permanently')
    await page.getByText('Nothing was written about it.').waitFor()
    await change(`delete from incidents where id = '${incidentId}'`)
  })

  it('have subscribers, who can be removed', async () => {
    await reader.goto('/status/acme')
    await reader.getByLabel('Email address').fill('reader@example.com')
    await reader.getByRole('button', { name: 'Subscribe' }).click()
    await reader.getByRole('heading', { name: 'Check your mailbox' }).waitFor()
    await page.goto('/status-pages')
    await page.getByRole('link', { name: 'Acme', exact: true }).click()
    await page.getByRole('link', { name: 'Subscribers' }).click()
    const list = page.getByRole('list', { name: 'Subscribers' })
    await list.getByText('not confirmed').waitFor()
    await reader.goto(await linkTo('reader@example.com', /Confirm updates/))
    await reader.getByRole('button', { name: 'Confirm' }).click()
    await reader.getByRole('heading', { name: 'You are subscribed' }).waitFor()
    await press(page, 'Add a webhook')
    await fill(page, { Address: 'https://hooks.example.com/status' })
    await press(page, 'Add')
    await dialog.getByLabel('Signing secret').getByText('whsec_', { exact: false }).waitFor()
    await press(page, 'Done')
    await list.getByText('https://hooks.example.com/status').waitFor()
    assert.equal(await list.getByText('not confirmed').count(), 0)
    await inspect(page, 'status page, subscribers')
    await press(page, 'Remove reader@example.com')
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await list.getByText('reader@example.com').waitFor({ state: 'detached' })
  })

  it('are put on other pages as frame and badges', async () => {
    await page.getByRole('link', { name: 'Embed' }).click()
    await page.getByText(`<iframe src="${origin}/status/acme/embed"`, { exact: false }).waitFor()
    await page.getByLabel('Monitor', { exact: true }).selectOption({ label: 'Our shop' })
    const badge = page.getByRole('img', { name: 'State of Our shop' })
    await badge.waitFor()
    const addresses = await attributesOf(page.getByRole('img'), 'src')
    assert.equal(addresses.length, 4)
    for (const address of addresses) {
      const answer = await page.request.get(address)
      assert.equal(answer.headers()['content-type'], 'image/svg+xml', address)
    }
    await inspect(page, 'status page, embed')
  })

  it('are kept from readers without the password, or from all, and deleted', async () => {
    await page.getByRole('link', { name: 'Page', exact: true }).click()
    await page.getByRole('radio', { name: 'Anyone with a password' }).check()
    await press(page, 'Save')
    await page.getByText('A page with the visibility password needs a password.').waitFor()
    await fill(page, { 'Password of the page': 'open sesame' })
    await press(page, 'Save')
    await page.getByText('One is set.', { exact: false }).waitFor()
    await read('/status/acme', (body) => body.getByLabel('Password'))
    await page.getByRole('link', { name: 'Embed' }).click()
    await page.getByRole('heading', { name: 'Only for public pages' }).waitFor()
    await inspect(page, 'status page, nothing to embed')
    await page.getByRole('link', { name: 'Page', exact: true }).click()
    await page.getByRole('radio', { name: 'No one yet' }).check()
    await press(page, 'Save')
    await page.getByText('A draft: no one can read it yet.').waitFor()
    await page.goto('/status-pages')
    await page.getByText('draft', { exact: true }).waitFor()
    await inspect(page, 'status pages')
    await change(`update members set role = 'viewer'`)
    await page.reload()
    await page.getByRole('link', { name: 'Acme', exact: true }).click()
    await page.getByText('Our shop', { exact: false }).waitFor()
    assert.equal(await page.getByRole('button', { name: /^(Save|Delete)$/ }).count(), 0)
    await inspect(page, 'status page, viewer')
    await change(`update members set role = 'owner'`)
    await page.reload()
    await press(page, 'Delete')
    await press(page, 'Delete permanently')
    await page.getByText('There is none yet.').waitFor()
    // What readers were answered last holds for some seconds.
    await until('it is gone for readers', async () => (await reader.goto('/status/acme'))?.status() === 404)
    await page.goto('/status-pages/6f1d4c0a-94b5-4f5e-8f3e-0a6f5f1d2c22')
    await see(page, 'There is no such status page')
  })

  it('give no page anything to complain of', () => assert.deepEqual(complaints, []))

  async function placed(): Promise<string[]> {
    const labels = await attributesOf(page.getByLabel(/^Name of .* on the page$/), 'aria-label')
    return labels.map((label) => /^Name of (.*) on/.exec(label)?.[1] ?? '')
  }

  function focused(): Promise<string> {
    return page.evaluate<string>(`document.activeElement.getAttribute('aria-label')`)
  }
})

describe('what stands on a page', () => {
  const groups: Group[] = [
    { key: 0, name: 'One', monitors: of('a', 'b') },
    { key: 1, name: 'Two', monitors: [] },
    { key: 2, name: 'Three', monitors: of('c') },
  ]
  for (const [id, direction, expected] of [
    ['a', 'down', ['ba', '', 'c']],
    ['b', 'down', ['a', 'b', 'c']],
    ['b', 'up', ['ba', '', 'c']],
    ['a', 'up', ['ab', '', 'c']],
    ['c', 'up', ['ab', 'c', '']],
    ['c', 'down', ['ab', '', 'c']],
    ['none', 'up', ['ab', '', 'c']],
  ] as const)
    it(`moves ${id} ${direction}`, () => {
      assert.deepEqual(orderOf(moveMonitor(groups, id, direction)), expected)
    })

  for (const [id, group, index, expected] of [
    ['a', 0, 0, ['ab', '', 'c']],
    ['a', 0, 1, ['ab', '', 'c']],
    ['a', 0, 2, ['ba', '', 'c']],
    ['b', 0, 0, ['ba', '', 'c']],
    ['a', 1, 0, ['b', 'a', 'c']],
    ['a', 2, 1, ['b', '', 'ca']],
    ['c', 0, 1, ['acb', '', '']],
    ['c', 3, 0, ['ab', '', 'c']],
    ['none', 0, 0, ['ab', '', 'c']],
  ] as const)
    it(`drops ${id} at ${index} of group ${group}`, () => {
      assert.deepEqual(orderOf(placeMonitor(groups, id, { group, index })), expected)
    })

  it('drops groups before others, or behind the last', () => {
    assert.deepEqual(orderOf(placeGroup(groups, 2, 0)), ['c', 'ab', ''])
    assert.deepEqual(orderOf(placeGroup(groups, 0, 3)), ['', 'c', 'ab'])
    assert.deepEqual(placeGroup(groups, 0, 1), groups)
    assert.deepEqual(placeGroup(groups, 9, 0), groups)
  })

  it('moves groups with what stands in them, and none beyond the ends', () => {
    assert.deepEqual(orderOf(moveGroup(groups, 0, 'down')), ['', 'ab', 'c'])
    assert.deepEqual(moveGroup(groups, 0, 'up'), groups)
    assert.deepEqual(moveGroup(groups, 2, 'down'), groups)
  })

  it('is sent under its own name where no other is typed', () =>
    assert.deepEqual(
      sectionsOf([{ key: 5, name: 'X', monitors: [{ monitorId: 'a', monitorName: 'A', shownName: ' ' }] }]),
      [{ name: 'X', monitors: [{ monitor_id: 'a', name: null }] }],
    ))
})

function of(...ids: string[]): Group['monitors'] {
  return ids.map((id) => ({ monitorId: id, monitorName: id, shownName: '' }))
}

function orderOf(groups: readonly Group[]): string[] {
  return groups.map(({ monitors }) => monitors.map(({ monitorId }) => monitorId).join(''))
}
