import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { doOverlap, isCovered, joinWindows, restrictionsOf } from './on-call-import-windows.ts'

type Window = [starts: number, lasts: number]

const day = 1440
const week = 7 * day
const windowsOf = (windows: readonly Window[]) => windows.map(([starts, lasts]) => ({ starts, lasts }))

describe('windows of a week', () => {
  const told: [what: string, windows: Window[], joined: Window[] | null][] = [
    ['none', [], []],
    ['one as it is', [[60, 30]], [[60, 30]]],
    [
      'two that lie apart, in their order',
      [
        [200, 10],
        [60, 30],
      ],
      [
        [60, 30],
        [200, 10],
      ],
    ],
    [
      'two that touch as one',
      [
        [60, 30],
        [90, 10],
      ],
      [[60, 40]],
    ],
    [
      'two with a minute between them apart',
      [
        [60, 30],
        [91, 10],
      ],
      [
        [60, 30],
        [91, 10],
      ],
    ],
    [
      'one within another as the longer one',
      [
        [60, 100],
        [70, 10],
      ],
      [[60, 100]],
    ],
    ['one over the end of the week as it is', [[week - 60, 120]], [[week - 60, 120]]],
    [
      'one over the end of the week, behind others',
      [
        [week - 60, 120],
        [500, 10],
      ],
      [
        [500, 10],
        [week - 60, 120],
      ],
    ],
    [
      'one that ends with the week, and one that begins with it, as one',
      [
        [0, 50],
        [week - 40, 40],
      ],
      [[week - 40, 90]],
    ],
    [
      'one that ends with the week, and one that begins a minute later, apart',
      [
        [1, 50],
        [week - 40, 40],
      ],
      [
        [1, 50],
        [week - 40, 40],
      ],
    ],
    [
      'one that ends a minute before the week, and one that begins with it, apart',
      [
        [0, 50],
        [week - 41, 40],
      ],
      [
        [0, 50],
        [week - 41, 40],
      ],
    ],
    ['one of another week in this one', [[week + 60, 30]], [[60, 30]]],
    ['one of the week before in this one', [[60 - week, 30]], [[60, 30]]],
    ['no restriction for a whole week', [[100, week]], null],
    ['no restriction for more than a week', [[100, week + 1]], null],
    ['all but a minute of the week', [[100, week - 1]], [[100, week - 1]]],
    [
      'no restriction where all together are the week',
      [
        [0, 4 * day],
        [4 * day, 3 * day],
      ],
      null,
    ],
  ]
  for (const [what, windows, joined] of told)
    it(`are joined: ${what}`, () =>
      assert.deepEqual(joinWindows(windowsOf(windows)), joined === null ? null : windowsOf(joined)))

  const pairs: [one: Window[] | null, other: Window[] | null, overlap: boolean, isWithin: boolean][] = [
    [null, [[0, 1]], true, false],
    [[[0, 1]], null, true, true],
    [null, null, true, true],
    [[[60, 30]], [[90, 30]], false, false],
    [[[90, 30]], [[60, 30]], false, false],
    [[[60, 31]], [[90, 30]], true, false],
    [[[90, 30]], [[60, 31]], true, false],
    [[[60, 30]], [[60, 30]], true, true],
    [[[60, 30]], [[59, 31]], true, true],
    [[[60, 31]], [[60, 30]], true, false],
    [[[59, 31]], [[60, 30]], true, false],
    [[[week - 10, 20]], [[0, 5]], true, false],
    [[[0, 5]], [[week - 10, 20]], true, true],
    [
      [[60, 60]],
      [
        [60, 30],
        [90, 30],
      ],
      true,
      true,
    ],
    [
      [
        [60, 10],
        [500, 10],
      ],
      [[60, 10]],
      true,
      false,
    ],
    [null, [[5, week]], true, true],
    [[], [[60, 10]], false, true],
  ]
  for (const [one, other, overlap, isWithin] of pairs)
    it(`${JSON.stringify(one)} and ${JSON.stringify(other)} ${overlap ? 'overlap' : 'lie apart'}`, () => {
      const [these, those] = [one, other].map((windows) => (windows === null ? null : windowsOf(windows)))
      assert.ok(these !== undefined && those !== undefined)
      assert.equal(doOverlap(these, those), overlap)
      assert.equal(isCovered(these, those), isWithin)
    })
})

describe('restrictions that say the same as windows', () => {
  const told: [what: string, windows: Window[], restrictions: [weekdays: number[], starts: string, ends: string][]][] =
    [
      ['none of none', [], []],
      ['one of some hours', [[day + 9 * 60 + 5, 8 * 60]], [[[2], '09:05', '17:05']]],
      [
        'one of the same hours of several days, in their order',
        [
          [6 * day + 600, 60],
          [600, 60],
          [2 * day + 600, 60],
        ],
        [[[1, 3, 7], '10:00', '11:00']],
      ],
      [
        'several of different hours',
        [
          [600, 60],
          [600, 61],
        ],
        [
          [[1], '10:00', '11:00'],
          [[1], '10:00', '11:01'],
        ],
      ],
      ['one of a whole day', [[3 * day, day]], [[[4], '00:00', '00:00']]],
      [
        'two of a day and a minute',
        [[3 * day, day + 1]],
        [
          [[4], '00:00', '00:00'],
          [[5], '00:00', '00:01'],
        ],
      ],
      ['one of two whole days', [[600, 2 * day]], [[[1, 2], '10:00', '10:00']]],
      ['one over midnight', [[23 * 60, 120]], [[[1], '23:00', '01:00']]],
      ['one over the end of the week', [[6 * day + 600, 2 * day]], [[[1, 7], '10:00', '10:00']]],
    ]
  for (const [what, windows, restrictions] of told)
    it(`are ${what}`, () =>
      assert.deepEqual(
        restrictionsOf(windowsOf(windows)),
        restrictions.map(([weekdays, starts, ends]) => ({ weekdays, starts, ends })),
      ))
})
