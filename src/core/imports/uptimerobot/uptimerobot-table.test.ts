import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readRobotTable } from './uptimerobot-table.ts'

/** The only monitor of a table with a URL, a type and one more column. */
function read(type: string, column = 'Status', cell = 'Up'): unknown {
  const [monitor, ...others] = readRobotTable(`URL,Type,${column}\nhttps://a.example,${type},${cell}\n`)
  assert.deepEqual(others, [])
  return monitor
}

/** By the numbers of the API: it runs, and alerts where the text is not there. */
const usual = { url: 'https://a.example', type: 1, status: 2, keyword_type: 2, tags: [''] }

describe('a row of UptimeRobot', () => {
  const types: [text: string, type: number | null][] = [
    ['HTTP(s)', 1],
    ['https', 1],
    ['Website', 1],
    ['Keyword', 2],
    ['ping', 3],
    ['Port', 4],
    ['Heartbeat', 5],
    ['Cron', 5],
    ['9', 9],
    ['0', null],
    ['10', null],
    ['constructor', null],
    ['', null],
  ]
  for (const [text, type] of types)
    it(`of the type "${text}" has the number ${type}`, () => assert.deepEqual(read(text), { ...usual, type }))

  const cells: [column: string, cell: string, changed: object][] = [
    ['Status', 'Paused', { status: 0 }],
    ['Status', '0', { status: 0 }],
    ['Status', 'Down', { status: 2 }],
    ['Keyword Type', 'Not exists', { keyword_type: 2 }],
    ['Keyword Type', '2', { keyword_type: 2 }],
    ['Keyword Type', 'Exists', { keyword_type: 1 }],
    ['Tags', '"a; b,c"', { tags: ['a', 'b', 'c'] }],
    ['Interval (in minutes)', '5', { interval_minutes: '5', interval: 300 }],
    ['Interval (in minutes)', '0', { interval_minutes: '0' }],
    ['Interval (in seconds)', '30', { interval: '30' }],
    ['Monitor Name', ' Shop ', { friendly_name: 'Shop' }],
  ]
  for (const [column, cell, changed] of cells)
    it(`of the ${column} ${cell} is what the API says`, () => {
      assert.deepEqual(read('HTTP', column, cell), { ...usual, ...changed })
    })
})
