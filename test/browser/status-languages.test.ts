// A status page in other languages: as its owner sets it, as a reader chooses it, and what a mail says then.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { until } from '../support/until.ts'
import { attributesOf } from './support/attributes.ts'
import { fill, press, see, signUp, startConsole } from './support/console.ts'
import { callerOf } from './support/workspace-calls.ts'

describe('the languages of a status page', async () => {
  const service = await startConsole({ PERIGEE_PLANS: '{"free":{"slots":20}}' })
  const { visitor, inspect, complaints, change, linkTo } = service
  const { page } = await visitor()
  await signUp(page, service, { email: 'olivia@example.com', name: 'Olivia' })
  const call = callerOf(page)
  const ids: string[] = []
  for (const name of ['Onlineshop', 'Kundenkonto', 'Suche'])
    ids.push((await call('POST', '/monitors', { name, kind: 'heartbeat', interval_seconds: 3600 })).id)
  await change(
    `insert into uptime_days (monitor_key, day, checks, up, down, restricted, latency_sum_ms, latency_count)
    select key, current_date - back, 1440, case when back in (6, 7, 30) then 1430 else 1440 end,
      case when back in (6, 7, 30) then 10 else 0 end, 0, 0, 0
    from monitors, generate_series(0, 89) as back`,
  )
  await change(`update monitors set created_at = now() - interval '200 days'`)
  await change(`update monitor_state set current_status = 'up'`)
  const draft = page.frameLocator('iframe[title="Preview of the draft"]')

  it('are set by its owner, who sees it at once', async () => {
    await page.goto('/status-pages/new')
    await see(page, 'New status page')
    await page.setViewportSize({ width: 1440, height: 900 })
    await fill(page, { Title: 'Beispiel', Address: 'beispiel' })
    await press(page, 'Add monitors to Group 1')
    const dialog = page.getByRole('dialog')
    for (const name of ['Onlineshop', 'Kundenkonto', 'Suche'])
      await dialog.getByRole('checkbox', { name, exact: true }).check()
    await dialog.getByRole('button', { name: 'Add' }).click()
    await draft.getByRole('link', { name: 'Get updates' }).waitFor()
    await page.getByLabel('Language').selectOption({ label: 'Deutsch' })
    await draft.getByRole('link', { name: 'Updates erhalten' }).waitFor()
    await inspect(page, 'status page form, language')
    await press(page, 'Create the page')
    await see(page, 'Beispiel')
    assert.equal(await page.getByLabel('Language').inputValue(), 'de')
  })

  it('are read as German, with dates of German in the zone of the reader', async () => {
    const { page: reading } = await visitor()
    await until('readers see the page', async () => (await reading.goto('/status/beispiel'))?.status() === 200)
    await reading.getByRole('heading', { name: 'Alle Systeme sind in Betrieb' }).waitFor()
    assert.equal(await reading.evaluate<string>('document.documentElement.lang'), 'de')
    assert.equal(await reading.title(), 'Beispiel: Alle Systeme sind in Betrieb')
    const shown = await reading.locator('.st time').textContent()
    assert.match(shown ?? '', /^\d{2}\.\d{2}\.\d{4}, \d{2}:\d{2}$/)
    const [server] = await attributesOf(reading.locator('.st time'), 'title')
    assert.match(server ?? '', /^\d{1,2}\. \S+ \d{4}, \d{2}:\d{2} UTC$/)
    assert.notEqual(await reading.locator('input[name=time_zone]').inputValue(), '')
    await inspect(reading, 'status page, German')
    await reading.goto('/status/beispiel/history')
    await inspect(reading, 'status page, German history')
  })

  it('are chosen by a reader with the keyboard alone, and kept by the links', async () => {
    const { page: reading } = await visitor()
    await reading.goto('/status/beispiel')
    const japanese = reading.getByRole('navigation', { name: 'Sprache' }).getByRole('link', { name: '日本語' })
    await japanese.focus()
    await reading.keyboard.press('Enter')
    await reading.getByRole('heading', { name: 'すべてのシステムが正常に稼働しています' }).waitFor()
    const current = reading.getByRole('navigation', { name: '言語' }).locator('[aria-current]')
    assert.equal(await current.textContent(), '日本語')
    const sizes = await reading.evaluate<number[]>(
      `[...document.querySelectorAll('.lg a')].map((link) => Math.min(link.getBoundingClientRect().height, link.getBoundingClientRect().width))`,
    )
    assert.ok(Math.min(...sizes) >= 24, `the smallest link has ${Math.min(...sizes)} px`)
    await inspect(reading, 'status page, Japanese')
    await reading.getByRole('link', { name: 'すべての障害' }).click()
    await reading.getByText('この月の出来事はありません。').waitFor()
    await reading.getByRole('link', { name: '現在の状況' }).click()
    await reading.getByRole('heading', { name: 'すべてのシステムが正常に稼働しています' }).waitFor()
    assert.match(reading.url(), /\?lang=ja$/)
    await reading.getByLabel('メールアドレス').fill('reader@example.com')
    await reading.getByRole('button', { name: '購読する' }).click()
    await reading.getByRole('heading', { name: 'メールをご確認ください' }).waitFor()
    await inspect(reading, 'status page, Japanese, subscribed')
    await reading.goto(await linkTo('reader@example.com', /ステータスページ/, '/status-mail/confirm/'))
    await reading.getByRole('heading', { name: 'メールアドレスの確認' }).waitFor()
    await inspect(reading, 'status page, Japanese, to confirm')
    await reading.getByRole('button', { name: '確認する' }).click()
    await reading.getByRole('heading', { name: '登録が完了しました' }).waitFor()
  })

  it('give no page anything to complain of', () => assert.deepEqual(complaints, []))
})
