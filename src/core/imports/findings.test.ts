import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFindings } from './findings.ts'
import type { ImportedMonitor } from './imported.ts'

describe('the keys of an import', () => {
  const named: [names: string[], keys: string[]][] = [
    [
      ['Shop', 'shop', 'SHOP!'],
      ['shop', 'shop-2', 'shop-3'],
    ],
    [
      ['Shop 2', 'Shop', 'Shop', 'Shop 2'],
      ['shop-2', 'shop', 'shop-3', 'shop-2-2'],
    ],
    [['Café à Paris'], ['cafe-a-paris']],
    [
      ['', '---', '株式会社'],
      ['unnamed', 'unnamed-2', 'unnamed-3'],
    ],
    [['(a)'], ['a']],
    // A name is looked at up to its 240th character.
    [
      [`${' '.repeat(239)}a`, `${' '.repeat(240)}a`],
      ['a', 'unnamed'],
    ],
    [['x'.repeat(61)], ['x'.repeat(60)]],
    [[`${'x'.repeat(59)} y`], ['x'.repeat(59)]],
  ]
  for (const [names, keys] of named)
    it(`are ${keys.join(', ').slice(0, 40)}`, () => {
      const findings = createFindings()
      assert.deepEqual(
        names.map((name) => findings.keyOf('monitors', name)),
        keys,
      )
    })

  it('are of one section each', () => {
    const findings = createFindings()
    const sections = ['monitors', 'contacts', 'pages', 'maintenance', 'monitors'] as const
    assert.deepEqual(
      sections.map((section) => findings.keyOf(section, 'Shop')),
      ['shop', 'shop', 'shop', 'shop', 'shop-2'],
    )
  })
})

function monitor(changes: Partial<ImportedMonitor['input']> = {}): ImportedMonitor {
  const input = { name: 'Shop', kind: 'http', url: 'https://shop.example/', contacts: null, ...changes } as const
  return { key: 'shop', place: 'line 1', isPaused: false, history: [], input }
}

describe('what is found in the file of another tool', () => {
  it('is kept where our operations would take it, keys of others in place of ids included', () => {
    const findings = createFindings()
    const found = monitor({ depends_on: ['another-key'], contacts: ['a-contact'] })
    assert.equal(findings.addMonitor(found), true)
    findings.changed('line 2', 'It means something else.')
    const { monitors, notes } = findings.file()
    assert.deepEqual(monitors, [found])
    assert.deepEqual(notes, [{ place: 'line 2', effect: 'changed', message: 'It means something else.' }])
  })

  it('is told as lost with what is wrong where they would not', () => {
    const findings = createFindings()
    assert.equal(findings.addMonitor(monitor({ name: 'x'.repeat(10_000) })), false)
    const { monitors, notes } = findings.file()
    assert.deepEqual(monitors, [])
    assert.equal(notes.length, 1)
    assert.deepEqual([notes[0]?.place, notes[0]?.effect], ['line 1', 'lost'])
    assert.match(notes[0]?.message ?? '', /^It is not imported\. name: /)
  })
})
