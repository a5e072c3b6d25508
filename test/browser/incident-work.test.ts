// What members do with an incident: who has it, what they tell each other, and who was not told.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { httpServer } from '../support/http-server.ts'
import { signUp, startConsole } from './support/console.ts'
import { callerOf } from './support/workspace-calls.ts'

describe('the page of an incident', async () => {
  const service = await startConsole({})
  const { visitor, inspect } = service
  const { port } = await httpServer((_, response) => {
    response.writeHead(503).end('Out of order')
  })
  const { page } = await visitor()
  await signUp(page, service, { email: 'ops@example.com', name: 'Ops' })
  const call = callerOf(page)

  it('counts how long it goes on, shows the response time around it, and names who was not told', async () => {
    await call('POST', '/alert-channels', { name: 'Duty mail', kind: 'email', destination: 'duty@example.com' })
    const input = { interval_seconds: 300, failure_threshold: 1, url: `http://127.0.0.1:${port}/` }
    await call('POST', '/monitors', { name: 'Web shop', tags: ['shop'], ...input })
    await page.goto('/incidents')
    await page
      .getByRole('list', { name: 'Incidents' })
      .getByRole('link', { name: /Web shop/ })
      .click({ timeout: 60_000 })
    const timer = page.getByRole('timer')
    const first = (await timer.textContent()) ?? ''
    assert.match(first, /^ongoing for \d/)
    await timer.filter({ hasNotText: first }).waitFor()
    await page.getByRole('heading', { name: 'Response time around it' }).waitFor()
    await page.getByText('Not alerted: the address is not confirmed yet.').waitFor()
    await inspect(page, 'incident that goes on')
  })

  it('is given to a member, whom lists name', async () => {
    await page.getByLabel('Assigned to').selectOption({ label: 'Ops' })
    await page.getByText('Assigned to Ops by Ops.').waitFor()
    await page
      .getByRole('link', { name: /^Incidents/ })
      .first()
      .click()
    await page.getByRole('list', { name: 'Incidents' }).getByText('assigned to Ops').waitFor()
    await page
      .getByRole('list', { name: 'Incidents' })
      .getByRole('link', { name: /Web shop/ })
      .click()
  })

  it('has comments in Markdown, which their author changes and deletes', async () => {
    const comments = page.getByRole('list', { name: 'Comments' })
    await page.getByLabel('Your comment').fill('It is the **disk**.\n\n<img src=x onerror="document.title=1">')
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await comments.getByText('disk', { exact: true }).waitFor()
    assert.equal(await comments.locator('strong').count(), 1)
    assert.equal(await comments.locator('img').count(), 0)
    await inspect(page, 'incident with a comment')
    await page.getByRole('button', { name: 'Change your comment' }).click()
    await page.getByRole('dialog').getByLabel('Your comment').fill('It was the *network*.')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await comments.getByText('edited').waitFor()
    await page.getByRole('button', { name: 'Delete your comment' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await comments.waitFor({ state: 'detached' })
  })

  it('is reported and resolved by hand where no check can see it', async () => {
    await page
      .getByRole('link', { name: /^Incidents/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Report an incident' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('What is wrong?').fill('Orders arrive twice')
    await dialog.getByLabel('What is known').fill('The queue was replayed.')
    await dialog.getByLabel('Alert').selectOption({ label: 'No one' })
    await inspect(page, 'form of an incident by hand')
    await dialog.getByRole('button', { name: 'Report it' }).click()
    await page.getByRole('heading', { name: 'Orders arrive twice' }).waitFor()
    await page.getByRole('button', { name: 'Resolve', exact: true }).click()
    await page.getByText('Resolved by Ops.').waitFor()
    await page.getByText('lasted').waitFor()
  })

  it('has a post-mortem that is drafted from its timeline and published where readers see it', async () => {
    await call('POST', '/status-pages', { slug: 'acme', title: 'Acme', monitor_tags: ['shop'] })
    await page.getByRole('button', { name: 'Write the post-mortem' }).click()
    const dialog = page.getByRole('dialog')
    const text = dialog.getByLabel('Text')
    const draft = await text.inputValue()
    assert.match(draft, /^## Summary\n\nOrders arrive twice: for \d+ \S+, from \S+ \S+ UTC to /)
    assert.match(draft, /\n## Timeline\n\n- \*\*\S+ \S+ UTC\*\* The incident began\.\n/)
    assert.match(draft, /\n## Cause\n\nThe queue was replayed\.\n/)
    assert.doesNotMatch(draft, /Ops/, 'names of members are nobody else’s')
    await inspect(page, 'form of a post-mortem')
    await text.fill('## Summary\n\nOrders arrived **twice** <script>.\n\n- paid back')
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('list', { name: 'Updates on status pages' }).getByText('Post-mortem').waitFor()
    const { page: reader } = await visitor()
    await reader.goto('/status/acme')
    const article = reader.getByRole('article').filter({ hasText: 'Web shop: incident' })
    await article.getByText('Post-mortem').waitFor()
    assert.equal(
      await article
        .getByRole('listitem')
        .filter({ hasText: /^paid back$/ })
        .count(),
      1,
    )
    assert.ok((await article.textContent())?.includes('Orders arrived twice <script>.'))
    assert.doesNotMatch((await article.textContent()) ?? '', /Orders arrive twice/, 'the title is for colleagues')
    await inspect(reader, 'status page with a post-mortem')
  })
})
