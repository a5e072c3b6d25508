// A wall for a screen: its link is made and shown once, opens without an account, follows what happens, and ends.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { fill, press, see, signUp, startConsole } from './support/console.ts'
import { assertSecretsKept } from './support/kept-secrets.ts'
import { workspaceIdOf } from './support/workspace-calls.ts'

const stateOf = (name: string, state: string): string => `
update monitor_state set current_status = '${state}', round_at = now()
where monitor_key = (select key from monitors where name = '${name}')`

/** Tiles that are in the window as a whole, and the height of the letters of their names. */
const seenTiles = `Array.from(document.querySelectorAll('li'), (tile) => {
  const { top, left, right, bottom } = tile.getBoundingClientRect()
  const isSeen = top >= 0 && left >= 0 && right <= innerWidth && bottom <= innerHeight
  return { isSeen, letters: Number.parseFloat(getComputedStyle(tile.firstElementChild).fontSize) }
})`

describe('a wall for a screen', async () => {
  const service = await startConsole()
  const { visitor, inspect, complaints } = service
  const { page } = await visitor()
  await signUp(page, service, { email: 'ops@example.com', name: 'Ops' })
  const workspaceId = await workspaceIdOf(page)
  await page.evaluate(async (workspace) => {
    for (const name of ['Shop', 'Mail', 'Till in the hall of the second floor', 'Blog'])
      await fetch('/api/v1/monitors', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Perigee-Workspace': workspace },
        body: JSON.stringify({
          name,
          kind: 'heartbeat',
          interval_seconds: 86_400,
          tags: name === 'Blog' ? [] : ['Office'],
        }),
      })
  }, workspaceId)
  for (const name of ['Shop', 'Mail', 'Till in the hall of the second floor']) await service.change(stateOf(name, 'up'))
  const { page: screen, context } = await visitor()
  let link = ''

  /** Has as much time pass on the screen as lies between two readings. */
  const readAgain = (): Promise<void> => screen.clock.runFor(15_000)
  const tile = (name: string) => screen.getByRole('listitem').filter({ hasText: name })

  it('is reached from the wall, and its link is shown once', async () => {
    await page.goto('/monitors?layout=wall')
    await page.getByRole('link', { name: 'Show on a screen' }).press('Enter')
    await see(page, 'Screens')
    await inspect(page, 'screens, none')
    await page.getByRole('button', { name: 'New screen' }).press('Enter')
    await press(page, 'Create the link')
    await page.getByText('Must not be empty.').waitFor()
    await fill(page, { Name: 'Office, 2nd floor', Tags: 'office' })
    await inspect(page, 'screens, new')
    await page.getByLabel('Name', { exact: true }).press('Enter')
    link = (await page.getByLabel('Link', { exact: true }).textContent()) ?? ''
    assert.match(link, /\/screen\/open\/[\w-]{43}$/)
    service.collected.note(JSON.stringify({ token: link.split('/').at(-1) }))
    await inspect(page, 'screens, link')
    await page.getByRole('button', { name: 'Done' }).press('Enter')
    await page.getByText('not opened yet').waitFor()
    await inspect(page, 'screens')
    assert.ok(!(await page.content()).includes(link))
  })

  it('is changed by keyboard', async () => {
    await page.getByRole('button', { name: 'Change Office, 2nd floor' }).press('Enter')
    await fill(page, { Name: 'Hall' })
    await page.getByLabel('Colours').selectOption('light')
    await inspect(page, 'screens, change')
    await page.getByRole('button', { name: 'Save' }).press('Enter')
    await page.getByRole('button', { name: 'Delete Hall' }).waitFor()
    await page.getByText('Its link stays').waitFor()
    await page.getByRole('button', { name: 'Change Hall' }).press('Enter')
    assert.equal(await page.getByLabel('Colours').inputValue(), 'light')
    await page.getByLabel('Colours').selectOption('dark')
    await page.getByRole('button', { name: 'Save' }).press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('opens in a browser without an account by the link that it had, and leaves that', async () => {
    await screen.clock.install()
    await screen.goto(link)
    await see(screen, 'All 3 are up')
    assert.match(screen.url(), /\/screen\/[0-9a-f-]{36}$/)
    assert.equal(await screen.evaluate<string>('document.cookie'), '', 'no script reads the cookie')
    assert.equal(await tile('Blog').count(), 0)
    await screen.reload()
    await see(screen, 'All 3 are up')
    await inspect(screen, 'screen, all up')
  })

  it('fills the window of a large screen with letters to be read from afar', async () => {
    await screen.setViewportSize({ width: 1920, height: 1080 })
    const tiles = await screen.evaluate<{ isSeen: boolean; letters: number }[]>(seenTiles)
    assert.equal(tiles.length, 3)
    for (const { isSeen, letters } of tiles) assert.ok(isSeen && letters > 60, `${letters} px`)
    assert.equal(await isScrolled(screen), false)
  })

  it('shows what goes down, first and without another visit', async () => {
    await service.change(stateOf('Shop', 'down'))
    await readAgain()
    await see(screen, '1 down')
    await screen.getByRole('status').getByText('1 down').waitFor({ state: 'attached' })
    await tile('Shop').getByText('Down').waitFor()
    assert.match((await screen.getByRole('listitem').first().textContent()) ?? '', /^Shop/)
    assert.equal(await screen.title(), '1 down')
    await service.change(stateOf('Mail', 'degraded'))
    await readAgain()
    await tile('Mail').getByText('Degraded').waitFor()
    await inspect(screen, 'screen, one down')
    await service.change(`update screens set look = 'auto'`)
    await screen.reload()
    await see(screen, '1 down')
    await inspect(screen, 'screen, in light and dark')
    await service.change(`update screens set look = 'dark'`)
    await screen.reload()
  })

  it('of many monitors still fits, upright too', async () => {
    await service.change(many(workspaceId, 77))
    await readAgain()
    await screen.getByText('Extra 77', { exact: true }).waitFor()
    for (const size of [
      { width: 1920, height: 1080 },
      { width: 1080, height: 1920 },
    ]) {
      await screen.setViewportSize(size)
      const tiles = await screen.evaluate<{ isSeen: boolean; letters: number }[]>(seenTiles)
      assert.equal(tiles.length, 80)
      for (const { isSeen, letters } of tiles) assert.ok(isSeen && letters >= 20, `${letters} px`)
      assert.equal(await isScrolled(screen), false)
    }
    await inspect(screen, 'screen, 80 monitors')
  })

  it('beyond that shows what needs somebody, and counts the others', async () => {
    await service.change(many(workspaceId, 40))
    await readAgain()
    await screen.getByText('1 degraded, 118 up').waitFor()
    assert.equal(await screen.getByRole('listitem').count(), 2)
    await inspect(screen, 'screen, two of 120')
    await service.change(stateOf('Shop', 'up') + ';' + stateOf('Mail', 'up'))
    await readAgain()
    await see(screen, 'All 120 are up')
    await inspect(screen, 'screen, all of 120')
  })

  it('turns grey and says so when the service is silent, with a script and without', async () => {
    const stale = screen.getByText(/^Not updated since/)
    assert.equal(await stale.isVisible(), false)
    await screen.evaluate('document.getAnimations().forEach((each) => { each.currentTime = 51_000 })')
    await stale.waitFor()
    await readAgain()
    await stale.waitFor({ state: 'hidden' })
    const fresh = await headingColour(screen)
    await context.setOffline(true)
    await screen.clock.runFor(66_000)
    await stale.waitFor()
    await screen.getByText(/^As of/).waitFor({ state: 'hidden' })
    await see(screen, 'All 120 are up')
    assert.notEqual(await headingColour(screen), fresh)
    await inspect(screen, 'screen, silent')
    await context.setOffline(false)
    await readAgain()
    await screen.getByText(/^As of/).waitFor()
  })

  it('ends with its link', async () => {
    await page.reload()
    await page.getByText(/last shown/).waitFor()
    await page.getByRole('button', { name: 'Delete Hall' }).press('Enter')
    await press(page, 'Delete permanently')
    await page.getByText('None yet.').waitFor()
    await readAgain()
    await see(screen, 'There is nothing to show here')
    await inspect(screen, 'screen, ended')
    await screen.goto(link)
    await see(screen, 'There is nothing to show here')
    assert.deepEqual(complaints, [])
  })

  it('leaves its secret nowhere', () => assertSecretsKept(service, ['password', 'cookie', 'token']))
})

function headingColour(page: Page): Promise<string> {
  return page.evaluate(`getComputedStyle(document.querySelector('h1')).color`)
}

function isScrolled(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollHeight > innerHeight')
}

/** So many more monitors that are up, each like the first one. */
function many(workspaceId: string, count: number): string {
  return `
with added as (
  insert into monitors (
    id, workspace_id, partition, name, kind, url, method, interval_seconds, timeout_ms, locations, expected_status_min,
    expected_status_max, failure_threshold, recovery_threshold, confirmation_threshold, expiry_alerts,
    vulnerability_alerts, vulnerability_severity, charts, billing, tags
  )
  select
    gen_random_uuid(), workspace_id, partition, 'Extra ' || (select count(*) from monitors where name like 'Extra %') + number,
    kind, url, method, interval_seconds, timeout_ms, locations, expected_status_min, expected_status_max,
    failure_threshold, recovery_threshold, confirmation_threshold, expiry_alerts, vulnerability_alerts,
    vulnerability_severity, charts, billing, tags
  from monitors
  cross join generate_series(1, ${count}) as number
  where workspace_id = '${workspaceId}' and name = 'Shop'
  returning key
)
insert into monitor_state (monitor_key, version, current_status, round_at)
select key, 1, 'up', now() from added`
}
