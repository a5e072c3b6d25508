// The audit log: in words, filtered, and saved as a file.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { operations } from '#operations/index.ts'
import { press, see, signUp, startConsole } from './support/console.ts'
import { callerOf } from './support/workspace-calls.ts'

const words = new URL('../../web/src/pages/workspaces/audit-words.ts', import.meta.url)

describe('the audit log in the console', async () => {
  const service = await startConsole()
  const { visitor, inspect, complaints } = service
  const { page } = await visitor()
  await signUp(page, service, { email: 'ops@example.com', name: 'Zoë' })
  const call = callerOf(page)
  const shop = await call('POST', '/monitors', { name: 'Shop', kind: 'heartbeat' })
  await call('PATCH', `/monitors/${shop.id}`, { name: 'Shop', interval_seconds: 600, tags: [] })
  await call('POST', '/monitors', { name: '=1+1', kind: 'heartbeat' })
  await call('POST', `/monitors/${shop.id}/pause`)
  const list = page.getByRole('list', { name: 'Changes' })
  const entry = (sentence: string) => list.getByRole('listitem').filter({ hasText: sentence })

  it('says in words what each operation changed', () => {
    const source = readFileSync(words, 'utf8')
    const changing = operations.filter(
      ({ method, actsFor, changesNothing }) => method !== 'GET' && actsFor === 'workspace' && changesNothing !== true,
    )
    const missing = changing.map(({ name }) => name).filter((name) => !source.includes(`\n  ${name}: (`))
    assert.deepEqual(missing, [])
  })

  it('names what a form changed, and not all that it sent', async () => {
    await page.goto('/settings/audit-log')
    await list.getByText('Zoë paused the monitor Shop.').waitFor()
    await list.getByText('Zoë created the workspace.').waitFor()
    const changed = entry('Zoë changed the monitor Shop.')
    assert.match(await changed.innerText(), /Changed: Interval$/)
    const created = entry('Zoë created the monitor Shop.')
    assert.match(await created.innerText(), /Kind: Heartbeat$/)
    await inspect(page, 'audit log')
  })

  it('tells details in the words of the pages that make them', async () => {
    await call('POST', '/api-tokens', { name: 'Reports', scope: 'read' })
    await call('POST', '/invitations', { email: 'vera@example.com', role: 'viewer' })
    await call('POST', '/alert-channels', { name: 'Mails', kind: 'email', destination: 'ops@example.com' })
    await page.reload()
    await entry('Zoë created the API token Reports.')
      .getByText(/ · Reads$/)
      .waitFor()
    await entry('Zoë invited vera@example.com.')
      .getByText(/ · Role: Viewer$/)
      .waitFor()
    await entry('Zoë added the contact Mails.')
      .getByText(/ · Kind: Email$/)
      .waitFor()
  })

  it('shows what is asked for, by an address that can be passed on', async () => {
    await page.getByLabel('What was changed').selectOption({ label: 'Workspace' })
    await list.getByText('Zoë created the workspace.').waitFor()
    await list.getByText('Zoë paused the monitor Shop.').waitFor({ state: 'detached' })
    await page.getByLabel('What was changed').selectOption({ label: 'Everything' })
    await page.getByLabel('Name of a person or a thing').fill('sho')
    await list.getByText('Zoë created the monitor =1+1.').waitFor({ state: 'detached' })
    await list.getByText('Zoë created the monitor Shop.').waitFor()
    assert.match(page.url(), /name=sho$/)
    await page.goto(`${page.url()}&actor=token`)
    await page.getByText('No change matches this.').waitFor()
    assert.equal(await page.getByLabel('Who').inputValue(), 'token')
    await page.goto('/settings/audit-log?since=2020-01-01&until=2020-01-31')
    await page.getByText('No change matches this.').waitFor()
  })

  it('is saved as a file that has no formulas', async () => {
    await page.goto('/settings/audit-log')
    await see(page, 'Audit log')
    const csv = await saved(page, 'Save as CSV')
    assert.deepEqual(
      [csv.name, csv.text.split('\r\n')[0]?.startsWith('time,actor_kind,actor,')],
      ['audit-log.csv', true],
    )
    assert.match(csv.text, /,monitor,[0-9a-f-]{36},'=1\+1,Zoë created the monitor =1\+1\.,/)
    const json = await saved(page, 'Save as JSON')
    const entries: unknown = JSON.parse(json.text)
    assert.ok(Array.isArray(entries) && entries.length === csv.text.trim().split('\r\n').length - 1)
    assert.deepEqual(complaints, [])
  })
})

async function saved(page: Page, button: string): Promise<{ name: string; text: string }> {
  const begun = page.waitForEvent('download')
  await press(page, button)
  const file = await begun
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') }
}
