import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFindings } from '#core/imports/findings.ts'
import { kumaSettings } from './kuma-kinds.ts'
import { readKumaTables } from './kuma-rows.ts'

function settingsOf(row: object): { settings: object | null; notes: string[] } {
  const [monitor] = readKumaTables({ monitor: [{ id: 1, ...row }] }).monitor
  assert.ok(monitor)
  const findings = createFindings()
  const settings = kumaSettings(monitor, { place: 'm', findings })
  return { settings, notes: findings.file().notes.map(({ effect, place }) => `${effect} ${place.replace('m.', '')}`) }
}

const open = 'changed database_connection_string'
const lost = 'lost database_connection_string'

describe('a database of Uptime Kuma', () => {
  const cases: [what: string, type: string, row: object, settings: object | null, notes?: string[]][] = [
    [
      'is signed in to',
      'postgres',
      { database_connection_string: 'postgres://ann:p%40ss@db.example:5433/shop' },
      {
        kind: 'postgresql',
        url: 'postgresql://db.example:5433/shop',
        check_options: { username: 'ann', password: 'p@ss', security: 'none' },
      },
      [open],
    ],
    [
      'is reached by TLS',
      'postgres',
      { database_connection_string: 'postgresql://ann:x@db/shop?sslmode=require', database_query: 'SELECT 1;' },
      { kind: 'postgresql', url: 'postgresql://db/shop', check_options: { username: 'ann', password: 'x' } },
    ],
    [
      'has any certificate',
      'postgres',
      { database_connection_string: 'postgres://db/shop?sslmode=no-verify' },
      { kind: 'postgresql', url: 'postgresql://db/shop', check_options: { accept_any_certificate: true } },
    ],
    [
      'is asked a question',
      'postgres',
      { database_connection_string: 'postgres://db?ssl=true', database_query: ' select count(*) from jobs ; ' },
      { kind: 'postgresql', url: 'postgresql://db', check_options: { statement: 'select count(*) from jobs' } },
    ],
    [
      'is told nothing',
      'postgres',
      { database_connection_string: 'postgres://db?ssl=true', database_query: 'delete from jobs' },
      { kind: 'postgresql', url: 'postgresql://db' },
      ['lost database_query'],
    ],
    [
      'has conditions',
      'postgres',
      { database_connection_string: 'postgres://db?ssl=true', conditions: '[{}]' },
      { kind: 'postgresql', url: 'postgresql://db' },
      ['lost conditions'],
    ],
    ['has words in place of an address', 'postgres', { database_connection_string: 'host=db' }, null, [lost]],
    ['has no address', 'mysql', {}, null, [lost]],
    ['has another address', 'mysql', { database_connection_string: 'postgres://db' }, null, [lost]],
    ['has a broken password', 'mysql', { database_connection_string: 'mysql://a:%@db' }, null, [lost]],
    [
      'has its password beside the string',
      'mysql',
      { database_connection_string: 'mysql://ann@10.0.0.7:3306/shop', radius_password: 'x' },
      {
        kind: 'mysql',
        url: 'mysql://10.0.0.7:3306/shop',
        check_options: { username: 'ann', password: 'x', security: 'none' },
      },
      [open],
    ],
    [
      'asks for TLS',
      'mysql',
      { database_connection_string: 'mysql://ann:x@db/shop?ssl={"rejectUnauthorized":true}' },
      { kind: 'mysql', url: 'mysql://db/shop', check_options: { username: 'ann', password: 'x' } },
    ],
    [
      'is a cache',
      'redis',
      { database_connection_string: 'redis://:x@cache:6379/2' },
      { kind: 'redis', url: 'redis://cache:6379/2', check_options: { password: 'x' } },
      [open],
    ],
    [
      'is a cache with any certificate',
      'redis',
      { database_connection_string: 'rediss://ann:x@cache', ignore_tls: 1 },
      {
        kind: 'redis',
        url: 'rediss://cache',
        check_options: { username: 'ann', password: 'x', accept_any_certificate: true },
      },
    ],
    [
      'is a cache alone',
      'redis',
      { database_connection_string: 'rediss://cache' },
      { kind: 'redis', url: 'rediss://cache' },
    ],
  ]
  for (const [what, type, row, settings, notes = []] of cases)
    it(`${type} ${what}`, () => assert.deepEqual(settingsOf({ type, ...row }), { settings, notes }))

  it('has no password in what is told of it', () => {
    const findings = createFindings()
    const [monitor] = readKumaTables({
      monitor: [{ id: 1, type: 'mysql', database_connection_string: 'sqlserver://a:hunter2@db' }],
    }).monitor
    assert.ok(monitor)
    kumaSettings(monitor, { place: 'm', findings })
    assert.ok(!JSON.stringify(findings.file().notes).includes('hunter2'))
  })
})
