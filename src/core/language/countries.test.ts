import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { countryCodes } from './countries.ts'

describe('country codes', () => {
  it('are the 249 that ISO 3166-1 assigns', () => assert.equal(countryCodes.size, 249))

  it('all have a name', () => {
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
    assert.deepEqual(
      [...countryCodes].filter((code) => names.of(code) === undefined),
      [],
    )
  })

  it('have no other spelling, reserved or withdrawn code', () => {
    assert.deepEqual(
      ['bg', 'UK', 'EU', 'EL', 'XK', 'AN', 'YU', 'ZZ', ''].filter((code) => countryCodes.has(code)),
      [],
    )
  })
})
