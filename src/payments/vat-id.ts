import type { Net } from '#net/net.ts'
import { type Vies, createVies } from './vies.ts'

/** Judges VAT ids of the EU. */
export type VatIds = {
  /** The id in its canonical form; null when its form or check digits are wrong. */
  read: (text: string) => Promise<string | null>
  /** Whether the tax authorities know the id; null where they do not answer or are not asked. */
  confirm: Vies
}

/** Without the address of VIES only form and check digits are judged. */
export function createVatIds(net: Pick<Net, 'http'>, viesUrl: string | null): VatIds {
  return { read: readVatId, confirm: viesUrl === null ? async () => null : createVies(net, viesUrl) }
}

/** Only the 27 member states of the EU; jsvat knows more countries. */
const memberNames = [
  'austria',
  'belgium',
  'bulgaria',
  'croatia',
  'cyprus',
  'czechRepublic',
  'denmark',
  'estonia',
  'finland',
  'france',
  'germany',
  'greece',
  'hungary',
  'ireland',
  'italy',
  'latvia',
  'lithuania',
  'luxembourg',
  'malta',
  'netherlands',
  'poland',
  'portugal',
  'romania',
  'slovakiaRepublic',
  'slovenia',
  'spain',
  'sweden',
] as const

const separators = /[\s.-]/g
const written = /^[A-Z]{2}[A-Z0-9+*]{2,13}$/

/**
 * A VAT id of the EU without the spaces, dots and dashes people write, and with EL for Greece; null when its form or
 * check digits are wrong.
 */
async function readVatId(text: string): Promise<string | null> {
  const vatId = text.replaceAll(separators, '').toUpperCase().replace(/^GR/, 'EL')
  if (!written.test(vatId)) return null
  const jsvat = await import('jsvat')
  const members = memberNames.map((name) => jsvat[name])
  return jsvat.checkVAT(vatId, members).isValid ? vatId : null
}
