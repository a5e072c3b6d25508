import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { migrate } from '#store/database/migrate.ts'
import { readMigrations } from '#store/database/migration-files.ts'
import { testApi } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { createToken } from '../support/tokens.ts'
import { type Contents, contentsOf, lossesBetween } from '../support/upgrades/contents.ts'
import { idOf, strayRows } from '../support/upgrades/rows.ts'
import { walkThrough } from '../support/upgrades/walk.ts'

const migrations = readMigrations()

describe('an upgrade', async () => {
  const database = await testDatabase({ isEmpty: true, maxConnections: 5 })
  const walk = await walkThrough(database)

  it('finds rows in every table, whichever schema it begins at', () => {
    assert.deepEqual(walk.empty, [], 'a migration needs rows')
    assert.deepEqual(strayRows(migrations.map(({ file }) => file)), [])
  })

  it('keeps every row and value through each migration', () => assert.deepEqual(walk.losses, []))

  it('is the upgrade that a start makes', async () => {
    const before = await contentsOf(database.pool)
    assert.equal(await migrate(database), 0)
    assert.deepEqual(lossesBetween(before, await contentsOf(database.pool), {}), [])
  })

  it('leaves no row that a rule of the newest schema refuses', async () => {
    const { rows } = await database.pool.query<{ table: string; name: string }>(
      `select conrelid::regclass::text as table, quote_ident(conname) as name
      from pg_constraint
      where not convalidated
        and connamespace in ('public'::regnamespace, 'people'::regnamespace)`,
    )
    for (const { table, name } of rows) await database.pool.query(`alter table ${table} validate constraint ${name}`)
  })

  it('leaves what the service reads', async () => {
    const api = await testApi({ database })
    const workspaceId = idOf('workspace')
    const token = await createToken(database, { workspaceId, name: 'New', scope: 'read', expiresAt: null }, new Date())
    const shop = `/monitors/${idOf('shop')}`
    for (const [path, part] of reads(shop)) {
      const answer = await api.get(path, { token: token.text })
      assert.equal(answer.status, 200, `${path}: ${answer.text}`)
      assert.match(answer.text, part, path)
    }
  })
})

describe('the test of upgrades', () => {
  it('asks for rows of a table that a new migration makes', async () => {
    const database = await testDatabase({ isEmpty: true })
    const file = '9001-sheep.sql'
    const first = migrations[0] ?? assert.fail('there is a migration')
    const sheep = { ...first, file, number: 9001, statements: 'create table sheep (id integer);' }
    const { empty } = await walkThrough(database, { migrations: [first, sheep] })
    assert.deepEqual(empty, [`The table sheep has no rows: insert some in test/support/upgrades/${file}.`])
  })

  it('finds what a migration takes away', () => {
    const before: Contents = new Map([
      [
        'sheep',
        [
          { id: 1, name: 'Dolly' },
          { id: 2, name: 'Shaun' },
        ],
      ],
    ])
    const cases: [after: Contents, found: RegExp][] = [
      [new Map(), /The table sheep is gone/],
      [new Map([['sheep', [{ id: 1 }, { id: 2 }]]]), /The column sheep\.name is gone/],
      [new Map([['sheep', [{ id: 1, name: 'Dolly' }]]]), /A row of sheep is gone or has changed.*Shaun/],
      [
        new Map([
          [
            'sheep',
            [
              { id: 1, name: 'Dolly' },
              { id: 2, name: 'Sean' },
            ],
          ],
        ]),
        /gone or has changed.*Shaun/,
      ],
      [new Map([['sheep', [...(before.get('sheep') ?? []), { id: 3, name: 'Montauciel' }]]]), /1 rows of sheep came/],
    ]
    for (const [after, found] of cases) assert.match(lossesBetween(before, after, {}).join('\n'), found)
    assert.deepEqual(lossesBetween(before, before, {}), [])
  })
})

/** Paths of the API, and what each answer shows of the rows. */
function reads(shop: string): [path: string, part: RegExp][] {
  return [
    ['/monitors', /"name":"Backup".*|"name":"Shop"/],
    [shop, /"name":"Shop"/],
    [`${shop}/uptime`, /"checks":1440/],
    [`${shop}/results?limit=5`, /"status_code":503|"status_code":200/],
    ['/incidents', /"title":"Shop is down"/],
    [`/incidents/${idOf('outage')}`, /Checks succeed again/],
    ['/account/credit', /-300/],
    ['/payments', /1190/],
    ['/status-pages', /"slug":"acme"/],
    ['/alert-channels', /"name":"On call"/],
  ]
}
