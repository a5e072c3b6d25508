import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { memberStates } from '#core/money/vat-rates.ts'
import { countryOfVatId } from '#core/money/vat.ts'
import { openNet } from '../../test/support/net.ts'
import { createVatIds } from './vat-id.ts'

const { read, confirm } = createVatIds(openNet, null)

/** One id of each member state, with valid check digits. */
const sound = [
  'ATU37675002',
  'BE0428759497',
  'BG175074752',
  'BG7523169263',
  'CY10259033P',
  'CZ25123891',
  'DE811569869',
  'DK88146328',
  'EE100931558',
  'EL094259216',
  'ESB58378431',
  'ESN8265365J',
  'FI20774740',
  'FRK7399859412',
  'FR40303265045',
  'HR33392005961',
  'HU12892312',
  'IE9692928F',
  'IE3206488LH',
  'IT00743110157',
  'LT100001919017',
  'LU26375245',
  'LV40003521600',
  'MT11679112',
  'NL004495445B01',
  'NL000099998B57',
  'PL8567346215',
  'PT501964843',
  'RO18547290',
  'SE123456789701',
  'SI50223054',
  'SK2022749619',
]

describe('a VAT id', () => {
  it('is known of all 27 member states', () => {
    assert.deepEqual(new Set(sound.map(countryOfVatId)), memberStates)
  })

  for (const vatId of sound) it(`${vatId} is valid`, async () => assert.equal(await read(vatId), vatId))

  // The check digits of French ids with letters are not published.
  for (const vatId of sound.filter((id) => id !== 'FRK7399859412'))
    it(`${vatId} with one digit changed is not valid`, async () => {
      const changed = vatId.slice(0, 5) + ((Number(vatId[5]) + 1) % 10) + vatId.slice(6)
      assert.equal(await read(changed), null, changed)
    })

  const written = [
    ['de 811.569.869', 'DE811569869'],
    ['DE-811-569-869', 'DE811569869'],
    ['\tnl 0044.95445.b01 ', 'NL004495445B01'],
    ['gr094259216', 'EL094259216'],
  ] as const
  for (const [text, vatId] of written)
    it(`is read from ${JSON.stringify(text)}`, async () => assert.equal(await read(text), vatId))

  for (const text of [
    '',
    'BG',
    '811569869',
    'GB980780684',
    'XI980780684',
    'CHE123456788',
    'NO974760673',
    'RU7805145876',
    'BG175074752BG',
    'BG175074752\u0000',
    'ＢＧ175074752',
  ])
    it(`is not ${JSON.stringify(text)}`, async () => assert.equal(await read(text), null))

  it('is never found by accident in what throws or is of another country', async () => {
    const prefix = fc.constantFrom(...sound.map((vatId) => vatId.slice(0, 2)), 'GB', 'XI', '')
    const rest = fc.oneof(fc.string({ maxLength: 30 }), fc.stringMatching(/^[0-9A-Z+*]{2,13}$/))
    await fc.assert(
      fc.asyncProperty(prefix, rest, async (start, end) => {
        const vatId = await read(start + end)
        if (vatId === null) return
        assert.match(vatId, /^[A-Z]{2}[A-Z0-9+*]{2,13}$/)
        assert.notEqual(countryOfVatId(vatId), null)
        assert.equal(await read(vatId), vatId)
      }),
      { numRuns: 1000 },
    )
  })

  it('is confirmed by nobody where VIES is not configured', async () => {
    assert.equal(await confirm('DE811569869'), null)
  })
})
