// The drafts that a browser keeps of forms, without a browser: bounds, age, and what else may stand in its storage.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { areLayers, newLayer } from '../../web/src/pages/contacts/on-call-draft.ts'
import {
  type Draft as MaintenanceDraft,
  draftOf,
  isKeptDraft,
  keptDraft,
  withKept,
} from '../../web/src/pages/maintenance/maintenance-draft.ts'
import { areGroups } from '../../web/src/pages/status-pages/page-groups.ts'
import { mergeDraft } from '../../web/src/parts/drafts/draft-merge.ts'
import {
  type Draft,
  type DraftStorage,
  draftKey,
  forgetDrafts,
  longestDraft,
  mostDrafts,
  readDraft,
  writeDraft,
} from '../../web/src/parts/drafts/draft-store.ts'

const now = 1_795_000_000_000
const day = 86_400_000
const key = keyOf('monitor')

describe('the drafts that a browser keeps', () => {
  it('come back as they were', () => {
    const storage = storageOf()
    writeDraft(storage, key, draft())
    assert.deepEqual(readDraft(storage, key, now), draft())
    assert.equal(readDraft(storage, keyOf('another'), now), null)
  })

  it('belong to a person, a workspace, an address and a form', () => {
    const place = { person: 'a', workspace: 'b', address: '/c', form: 'd' }
    const keys = [place, ...Object.keys(place).map((name) => Object.assign({}, place, { [name]: 'a.b' }))].map(draftKey)
    assert.equal(new Set(keys).size, 5)
  })

  const ages: readonly [what: string, at: number, isKept: boolean][] = [
    ['of now', now, true],
    ['of almost seven days', now - 7 * day + 1, true],
    ['of seven days', now - 7 * day, false],
    ['of a time to come', now + 1, false],
  ]
  for (const [what, at, isKept] of ages)
    it(`${isKept ? 'are there' : 'are not there'} ${what}`, () => {
      const storage = storageOf()
      writeDraft(storage, key, draft({ at }))
      assert.equal(readDraft(storage, key, now) !== null, isKept)
    })

  it('make room for the newest, and for nothing that is too old', () => {
    const storage = storageOf({ theme: 'dark' })
    writeDraft(storage, keyOf('old'), draft({ at: now - 8 * day }))
    for (let index = 0; index < 2 * mostDrafts; index += 1)
      writeDraft(storage, keyOf(String(index)), draft({ at: now + index }))
    assert.equal(storage.length, mostDrafts + 1)
    assert.equal(storage.getItem(keyOf('old')), null)
    assert.equal(readDraft(storage, keyOf(String(mostDrafts - 1)), now + 100), null)
    assert.notEqual(readDraft(storage, keyOf(String(mostDrafts)), now + 100), null)
    assert.equal(storage.getItem('theme'), 'dark')
  })

  it('are of a bounded length, and one that is too long leaves no earlier one', () => {
    const storage = storageOf()
    writeDraft(storage, key, draft())
    writeDraft(storage, key, draft({ typed: { fields: { 'name#0': 'x'.repeat(longestDraft) }, held: {} } }))
    assert.equal(storage.length, 0)
  })

  it('are not kept where the browser has no room, which harms nothing', () => {
    const storage: DraftStorage = {
      ...storageOf(),
      setItem: () => {
        throw new DOMException('The quota is exceeded.', 'QuotaExceededError')
      },
    }
    writeDraft(storage, key, draft())
    assert.equal(readDraft(storage, key, now), null)
  })

  it('are gone once a person signs out, and nothing else is', () => {
    const storage = storageOf({ theme: 'dark' })
    writeDraft(storage, key, draft())
    writeDraft(storage, keyOf('contact'), draft())
    forgetDrafts(storage)
    assert.deepEqual([storage.length, storage.getItem('theme')], [1, 'dark'])
  })

  const said = { fields: {}, held: {} }
  const nonsense: readonly string[] = [
    '',
    'x',
    '{}',
    `${now}`,
    `${now} `,
    `${now} {`,
    `${now} null`,
    `${now} []`,
    `${now} {"base":null}`,
    `NaN ${JSON.stringify({ base: said, typed: said, hadSecrets: false })}`,
    `1e12 ${JSON.stringify({ base: said, typed: said, hadSecrets: false })}`,
    `${now} ${JSON.stringify({ base: said, typed: said })}`,
    `${now} ${JSON.stringify({ base: said, typed: { fields: { name: 1 }, held: {} }, hadSecrets: false })}`,
    `${now} ${JSON.stringify({ base: said, typed: { fields: [], held: {} }, hadSecrets: false })}`,
    `${now} ${JSON.stringify({ base: said, typed: { fields: {}, held: [] }, hadSecrets: false })}`,
    `${now} ${JSON.stringify({ base: said, typed: { fields: {}, held: null }, hadSecrets: 'no' })}`,
  ]
  for (const text of nonsense)
    it(`are none where the storage says ${JSON.stringify(text.slice(0, 80))}`, () => {
      const storage = storageOf({ [key]: text })
      assert.equal(readDraft(storage, key, now), null)
      writeDraft(storage, keyOf('another'), draft())
      assert.deepEqual(readDraft(storage, keyOf('another'), now), draft())
    })
})

describe('a draft on what the form says now', () => {
  const base = { fields: { 'name#0': 'Shop', 'url#0': 'a', '=tags=web': 'on' }, held: { form: [1] } }
  const typed = { fields: { 'name#0': 'Store', 'url#0': 'a' }, held: { form: [1] } }

  it('is what the person changed', () => {
    const merged = mergeDraft({ base, typed, now: base }, false)
    assert.deepEqual(merged, {
      fields: { 'name#0': 'Store', '=tags=web': '' },
      held: {},
      isChangedSince: false,
      disputed: [],
      isHeldDisputed: false,
    })
  })

  it('leaves what others changed since, and says so', () => {
    const merged = mergeDraft({ base, typed, now: { ...base, fields: { ...base.fields, 'url#0': 'b' } } }, false)
    assert.deepEqual([merged.isChangedSince, merged.disputed, merged.fields['url#0']], [true, [], undefined])
  })

  it('names what both changed, unless they agree', () => {
    const others = (name: string) => ({ ...base, fields: { ...base.fields, 'name#0': name } })
    assert.deepEqual(mergeDraft({ base, typed, now: others('Market') }, false).disputed, ['name#0'])
    assert.deepEqual(mergeDraft({ base, typed, now: others('Store') }, false).disputed, [])
  })

  it('says that what is held beside fields was changed by both', () => {
    const mine = { ...typed, held: { form: [1, 2] } }
    const merged = mergeDraft({ base, typed: mine, now: { ...base, held: { form: [3] } } }, false)
    assert.deepEqual([merged.held, merged.isHeldDisputed, merged.isChangedSince], [{ form: [1, 2] }, true, true])
  })

  it('takes no field that has come or gone since for a change', () => {
    const later = { fields: { 'name#0': 'Shop', '=tags=web': 'on', 'policy#0': '' }, held: { form: [1] } }
    assert.equal(mergeDraft({ base, typed, now: later }, false).isChangedSince, false)
  })

  it('is everything that was there, where the form makes something new', () => {
    const merged = mergeDraft({ base, typed, now: { fields: { 'url#0': 'c' }, held: { form: [9] } } }, true)
    assert.deepEqual(merged.fields, { 'name#0': 'Store', 'url#0': 'a', '=tags=web': '' })
    assert.deepEqual([merged.held, merged.isChangedSince], [{ form: [1] }, false])
  })
})

describe('what a form held beside its fields', () => {
  const layer = newLayer([], { zone: 'UTC', ids: ['a'] })
  const group = { key: 0, name: 'Systems', monitors: [{ monitorId: 'a', monitorName: 'Shop', shownName: '' }] }
  const schedule: unknown = JSON.parse(JSON.stringify(keptDraft(draftOf(null, new Date(now), 'UTC'))))
  const held: readonly [what: string, is: (value: unknown) => boolean, good: unknown, wrong: readonly unknown[]][] = [
    [
      'layers of a schedule',
      areLayers,
      [layer, { ...layer, key: 1 }],
      [
        null,
        [layer, layer],
        [{ ...layer, unit: 'years' }],
        [{ ...layer, participants: [null] }],
        [{ ...layer, key: '0' }],
      ],
    ],
    [
      'groups of a status page',
      areGroups,
      [group],
      [{}, [null], [group, { ...group, key: 1 }], [{ ...group, monitors: {} }], [{ ...group, name: 7 }]],
    ],
    [
      'a maintenance window',
      isKeptDraft,
      schedule,
      [null, [], {}, { ...keptDraft(draftOf(null, new Date(now), 'UTC')), times: ['a'] }],
    ],
  ]
  for (const [what, is, good, wrong] of held)
    it(`is put back where it has the shape of ${what}, and not otherwise`, () => {
      assert.equal(is(JSON.parse(JSON.stringify(good))), true)
      for (const each of wrong) assert.equal(is(each), false, JSON.stringify(each))
    })

  it('says a maintenance window as it was typed, with times that were proposed since', () => {
    const [earlier, later] = [draftOf(null, new Date(now), 'UTC'), draftOf(null, new Date(now + day), 'UTC')]
    const weekly: MaintenanceDraft = { ...earlier, type: 'weekly', weekdays: new Set([1, 2]) }
    assert.deepEqual(withKept(later, keptDraft(earlier)), earlier)
    assert.deepEqual(withKept(later, keptDraft(weekly)), { ...weekly, begins: later.begins, ends: later.ends })
  })
})

function keyOf(form: string): string {
  return draftKey({ person: 'person', workspace: 'workspace', address: '/monitors/new', form })
}

function draft(more: Partial<Draft> = {}): Draft {
  const base = { fields: { 'name#0': '' }, held: {} }
  return { at: now, base, typed: { fields: { 'name#0': 'Half' }, held: { form: [1] } }, hadSecrets: false, ...more }
}

function storageOf(texts: Readonly<Record<string, string>> = {}): DraftStorage {
  const kept = new Map(Object.entries(texts))
  return {
    get length() {
      return kept.size
    },
    key: (index) => [...kept.keys()][index] ?? null,
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, text) => void kept.set(name, text),
    removeItem: (name) => void kept.delete(name),
  }
}
