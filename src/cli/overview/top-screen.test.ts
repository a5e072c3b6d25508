import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { widthOf } from '#cli/terminal/width.ts'
import { changesBetween } from './full-screen.ts'
import { linesOf, type Screen } from './top-screen.ts'
import { firstState, keysOf, moved, type Sight, withSight } from './top-state.ts'

const now = new Date('2026-01-31T12:00:00Z')
const screen: Screen = { columns: 80, rows: 24, now, paint: (_, text) => text, service: 'up.example.com' }

function sightOf(names: readonly string[], down: readonly string[] = []): Sight {
  const isDown = (name: string): boolean => down.includes(name)
  return {
    monitors: names.map((name) => ({
      id: name,
      name,
      kind: 'http',
      url: `https://${name.toLowerCase()}.example.com`,
      status: name === 'Old' ? 'paused' : 'enabled',
      current_status: isDown(name) ? 'down' : 'up',
      last_checked_at: null,
    })),
    incidents: names.filter(isDown).map((name) => ({
      id: `incident of ${name}`,
      monitor_id: name,
      monitor_name: name,
      status: 'open',
      title: `${name} is down`,
      cause: 'The connection was refused.',
      started_at: '2026-01-31T11:56:00Z',
      resolved_at: null,
    })),
  }
}

const many = Array.from({ length: 60 }, (_, index) => `M${String(index).padStart(2, '0')}`)

describe('the screen of perigee top', () => {
  it('shows those in trouble first, with what is wrong and for how long', () => {
    const lines = linesOf(withSight(firstState, sightOf(['Shop', 'Old', '東京タワー', 'Blog'], ['Shop'])), screen)
    assert.equal(lines.length, 24)
    assert.deepEqual(
      lines.map((line) => line.trimEnd()).filter((line) => line !== ''),
      [
        'up.example.com  1 down, 2 up, 1 paused                                 12:00:00Z',
        ' STATE        FOR  NAME                       WHAT',
        '>down       4 min  Shop                       open: The connection was refused.',
        ' up                Blog                       https://blog.example.com',
        ' up                東京タワー                 https://東京タワー.example.com',
        ' paused            Old                        https://old.example.com',
        ' ↑↓ choose   Enter show   a acknowledge   q quit',
      ],
    )
  })

  for (const [columns, rows] of [
    [80, 24],
    [20, 6],
    [1, 1],
    [200, 60],
  ] as const)
    it(`has a line for each of ${rows}, none wider than ${columns}, whatever names are`, () => {
      const sight = sightOf(['東京'.repeat(40), 'e\u0301'.repeat(90), 'Red\u001b[31m\n', '👩‍👩‍👧'.repeat(30), ...many])
      const lines = linesOf(withSight(firstState, sight), { ...screen, columns, rows })
      assert.equal(lines.length, rows)
      for (const line of lines) {
        assert.equal(line, stripVTControlCharacters(line))
        assert.ok(widthOf(line) <= Math.max(columns, 10), `${widthOf(line)} columns`)
      }
    })

  it('scrolls with what is chosen, which stays so while rows move', () => {
    const first = withSight(firstState, sightOf(many))
    const far = moved(moved(first, 'last', 20), 'up', 20)
    assert.equal(far.chosen, 'M58')
    const shown = linesOf(far, screen).map((line) => line.trimEnd())
    assert.ok(shown.some((line) => line.startsWith('>up') && line.includes('M58')))
    assert.ok(shown.some((line) => line.includes('M59')) && !shown.some((line) => line.includes('M39')))
    const changed = withSight(far, sightOf(many, ['M57']))
    assert.equal(changed.chosen, 'M58')
    assert.equal(withSight(changed, sightOf(many.slice(0, 5))).chosen, 'M04')
    assert.equal(withSight(changed, sightOf([])).chosen, null)
    assert.equal(moved(withSight(firstState, sightOf([])), 'down', 20).chosen, null)
  })

  it('is drawn by the lines that changed alone', () => {
    assert.equal(changesBetween(['a', 'b'], ['a', 'b']), '')
    assert.equal(changesBetween(['a', 'b'], ['a', 'c']), '\u001b[2;1Hc\u001b[0m\u001b[K')
  })
})

describe('the keys', () => {
  for (const [input, expected] of [
    ['q', ['quit']],
    ['\u0003', ['quit']],
    ['\u001b[A\u001b[B\u001bOB', ['up', 'down', 'down']],
    ['\u001b', ['back']],
    ['\r', ['enter']],
    ['jja', ['down', 'down', 'acknowledge']],
    ['x\u001b[200~\u001b[1;5A€', []],
  ] as const)
    it(`of ${JSON.stringify(input)} are ${expected.join(', ') || 'none'}`, () =>
      assert.deepEqual(keysOf(input), [...expected]))
})
