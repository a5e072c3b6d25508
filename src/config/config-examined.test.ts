import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { examineConfig } from './config.ts'

describe('an examined configuration', () => {
  it('has the defaults in place of what cannot be read, and says which those are', () => {
    const { config, problems, unread } = examineConfig({ PERIGEE_PORT: 'many', PERIGEE_HOST: '127.0.0.2' })
    assert.equal(config.port, 3000)
    assert.equal(config.host, '127.0.0.2')
    assert.deepEqual([...unread], ['PERIGEE_PORT'])
    assert.deepEqual(problems, ['PERIGEE_PORT must be a whole number from 0 to 65535; it is "many".'])
  })

  it('names a variable whose file cannot be read, and no other problem that follows from that', () => {
    const { unread, problems } = examineConfig({
      PERIGEE_DATABASE_URL: 'postgres://127.0.0.1/perigee',
      PERIGEE_SECRET_KEY_FILE: '/nowhere/key',
    })
    assert.deepEqual([...unread], ['PERIGEE_SECRET_KEY'])
    assert.deepEqual(problems, ['PERIGEE_SECRET_KEY_FILE: "/nowhere/key" cannot be read (ENOENT).'])
  })

  it('tells contradictions', () => {
    const { problems } = examineConfig({ PERIGEE_DATABASE_URL: 'postgres://127.0.0.1/perigee' })
    assert.match(problems.join('\n'), /^PERIGEE_SECRET_KEY is required with PERIGEE_DATABASE_URL/)
  })

  const shown: [string, string, string][] = [
    ['PERIGEE_PORT', '8080', '"8080"'],
    ['PERIGEE_SMTP_URL', 'smtp://me:hidden@mail.example.com', 'set, not shown'],
    ['PERIGEE_SMTP_URL_FILE', '/run/secrets/smtp', '"/run/secrets/smtp"'],
    ['PERIGEE_PUBLIC_URL', 'https://me:hidden@up.example.com', '"https://…@up.example.com"'],
    ['PERIGEE_FEED_NVD', 'https://feeds.example.com/nvd?key=hidden', '"https://feeds.example.com/nvd?…"'],
    ['PERIGEE_SECRET_KEX', 'hidden', 'set, not shown'],
    ['PERIGEE_TOKEN', 'pgk_hidden', 'set, not shown'],
  ]
  for (const [name, text, expected] of shown)
    it(`shows of ${name} what may be shown`, () =>
      assert.deepEqual(examineConfig({ [name]: text }).settings, [{ name, shown: expected }]))
})
