// In which language readers get a page: by its address, by its setting, by their browser; and what caches are told.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hashPassword } from '#operations/status-pages/page-password.ts'
import { testApi } from '../../test/support/api.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import { addPage, visit } from '../../test/support/status.ts'

describe('the language of a status page', async () => {
  const api = await testApi()
  const { database, workspaceId } = api
  const shop = await createMonitor(api, { name: 'Shop' })
  const monitorIds = [shop.id]
  await addPage(database, { workspaceId, slug: 'german', language: 'de', monitorIds, domain: 'status.example.com' })
  await addPage(database, { workspaceId, slug: 'theirs', language: 'auto', monitorIds })
  const passwordHash = await hashPassword('correct horse')
  await addPage(database, { workspaceId, slug: 'locked', language: 'fr', visibility: 'password', passwordHash })

  const asked = async (path: string, acceptLanguage?: string, more: Record<string, string> = {}) => {
    const { host, ...headers } = more
    const answer = await visit(api, path, {
      headers: { ...headers, ...(acceptLanguage !== undefined && { 'Accept-Language': acceptLanguage }) },
      ...(host !== undefined && { host }),
    })
    return {
      ...answer,
      language: languageOf(answer.text),
      vary: answer.headers.get('vary'),
      tag: answer.headers.get('etag'),
    }
  }

  const send = (password: string) =>
    visit(api, '/status/locked/password?lang=es', {
      method: 'POST',
      body: new URLSearchParams({ password }).toString(),
    })

  for (const [path, browser, language, vary] of [
    ['/status/german', 'ja', 'de', 'Accept-Encoding'],
    ['/status/german?lang=fr', 'ja', 'fr', 'Accept-Encoding'],
    ['/status/german?lang=xx', 'ja', 'de', 'Accept-Encoding'],
    ['/status/german?lang=__proto__', 'ja', 'de', 'Accept-Encoding'],
    ['/status/german/history?lang=pt', 'ja', 'pt-BR', 'Accept-Encoding'],
    ['/status/german/embed', 'ja', 'de', 'Accept-Encoding'],
    ['/status/theirs', 'ja', 'ja', 'Accept-Language, Accept-Encoding'],
    ['/status/theirs', 'nl, es-MX;q=0.4', 'es', 'Accept-Language, Accept-Encoding'],
    ['/status/theirs', undefined, 'en', 'Accept-Language, Accept-Encoding'],
    ['/status/theirs?lang=de', 'ja', 'de', 'Accept-Encoding'],
  ] as const)
    it(`is ${language} at ${path} for a browser that asks for ${browser ?? 'nothing'}`, async () => {
      const answer = await asked(path, browser)
      assert.deepEqual([answer.status, answer.language, answer.vary], [200, language, vary])
    })

  it('is that of feeds, badges and the sentence of the JSON, too', async () => {
    const { text: json } = await asked('/status/german.json')
    assert.match(json, /"description":"Die ersten Prüfungen stehen noch aus"/)
    assert.match(json, /"state":"pending"/)
    assert.match((await asked('/status/german.json?lang=ja')).text, /最初の確認を待っています/)
    assert.match((await asked('/status/german/badge.svg')).text, /Die ersten Prüfungen/)
    assert.match((await asked('/status/german/feed.rss')).text, /<language>de<\/language>/)
    assert.match((await asked('/status/german/feed.atom?lang=pt')).text, /xml:lang="pt-BR"/)
    assert.equal((await asked('/status/theirs.json', 'fr')).vary, 'Accept-Language, Accept-Encoding')
  })

  it('has a tag of its own in each, so that no reader keeps another one', async () => {
    const [german, japanese] = [await asked('/status/theirs', 'de'), await asked('/status/theirs', 'ja')]
    assert.ok(german.tag !== null && german.tag !== japanese.tag)
    const known = { 'If-None-Match': german.tag }
    assert.equal((await asked('/status/theirs', 'de', known)).status, 304)
    const other = await asked('/status/theirs', 'ja', known)
    assert.deepEqual([other.status, other.language], [200, 'ja'])
    assert.equal((await asked('/status/theirs', 'de', known)).vary, 'Accept-Language, Accept-Encoding')
  })

  it('is the same at its own domain', async () => {
    assert.equal((await asked('/', 'ja', { host: 'status.example.com' })).language, 'de')
    const { text, language } = await asked('/?lang=ja', undefined, { host: 'status.example.com' })
    assert.equal(language, 'ja')
    assert.match(text, /href="\/history\?lang=ja"/)
    assert.match(text, /hreflang="fr" href="https:\/\/status\.example\.com\/\?lang=fr"/)
    assert.equal((await asked('/nothing', 'fr', { host: 'status.example.com' })).language, 'fr')
  })

  it('is that of the door, which keeps the one that was chosen', async () => {
    const door = await asked('/status/locked', 'ja')
    assert.deepEqual([door.status, door.language], [403, 'fr'])
    assert.match(door.text, /Cette page est protégée par un mot de passe/)
    assert.match((await send('wrong')).text, /La contraseña no es correcta/)
    const opened = await send('correct horse')
    assert.deepEqual([opened.status, opened.headers.get('location')], [303, '/status/locked?lang=es'])
  })

  it('is that of the browser where there is no page', async () => {
    const answer = await asked('/status/nothing', 'ja;q=0.3, de')
    assert.deepEqual([answer.status, answer.language], [404, 'de'])
    assert.match(answer.text, /Diese Seite gibt es nicht/)
    const link = await asked('/status-mail/confirm/nothing', 'fr')
    assert.deepEqual([link.status, link.language], [404, 'fr'])
  })
})

function languageOf(html: string): string | undefined {
  return /<html lang="([^"]+)"/.exec(html)?.[1]
}
