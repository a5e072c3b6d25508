import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accentIn, leastContrast } from './page-colours.ts'

describe('the accent of a status page', () => {
  const cases = [
    ['is taken as it is where it can be read', 'light', '#1558c0', '#1558c0', 6.1, true],
    ['is darker on light pages where it is too pale', 'light', '#ffcc00', '#896e00', 4.5, false],
    ['is lighter on dark pages where it is too dark', 'dark', '#1558c0', '#5183d0', 4.5, false],
    ['is taken as it is on dark pages that it suits', 'dark', '#ffcc00', '#ffcc00', 11.4, true],
    ['is nothing but dark where it is nearly white', 'dark', '#fefefe', '#fefefe', 17.1, true],
    ['is never the ground itself', 'light', '#ffffff', '#717171', 4.5, false],
    ['is never the dark ground itself', 'dark', '#000000', '#828282', 4.5, false],
  ] as const
  for (const [name, scheme, chosen, colour, contrast, isAsChosen] of cases)
    it(name, () => assert.deepEqual(accentIn(scheme, chosen), { colour, contrast, isAsChosen }))

  it('can be read on both grounds, whichever is chosen', () => {
    for (let red = 0; red < 256; red += 51)
      for (let green = 0; green < 256; green += 51)
        for (let blue = 0; blue < 256; blue += 51) {
          const chosen = `#${[red, green, blue].map((each) => each.toString(16).padStart(2, '0')).join('')}`
          for (const scheme of ['light', 'dark'] as const)
            assert.ok(accentIn(scheme, chosen).contrast >= leastContrast, `${chosen} on ${scheme}`)
        }
  })
})
