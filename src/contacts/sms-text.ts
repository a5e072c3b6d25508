import { oneLine } from '#core/language/one-line.ts'
import type { Wording } from '#contacts/wording/wording.ts'

/** The alphabet of short messages, of which each character has 7 bits (3GPP TS 23.038, 6.2.1). */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
/** These take the place of two. */
const extended = new Set('^{}\\[~]|€')

/** Signs that are written often and are in neither, by what says the same. */
const plainer: Readonly<Record<string, string>> = {
  '…': '...',
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '‘': "'",
  '’': "'",
  '‚': "'",
  '`': "'",
  '´': "'",
  '–': '-',
  '—': '-',
  '‑': '-',
  '−': '-',
  '•': '*',
  '·': '.',
  '→': '->',
  '\u00a0': ' ',
  '\u202f': ' ',
  '\u2009': ' ',
}

/**
 * A message of two parts has 306 characters of the alphabet, or 134 of UTF-16 where it has one that is not in the
 * alphabet. Some are left, because neither a pair nor a character that takes the place of two is torn apart.
 */
const maxSeptets = 304
const maxUnits = 132

const maxHeadlineLength = 120
const maxValueLength = 100

/**
 * What happened in two parts of a short message at most, because each part costs its reader money: the headline and as
 * many of the first two facts and the links as there is room for. The link that acknowledges, which the contact chose,
 * goes before the other one, but not before the first fact: a reader has to know what to take on.
 */
export function smsText({ headline, facts, link, acknowledge }: Wording): string {
  const title = oneLine(headline, maxHeadlineLength)
  const [first = [], second = []] = facts.map(({ label, value }) => [
    `${oneLine(label, maxValueLength)}: ${apart(oneLine(value, maxValueLength))}`,
  ])
  const address = link === null ? [] : [link.url]
  const taking = acknowledge === null ? null : `${acknowledge.label}: ${acknowledge.url}`
  const withTaking =
    taking === null
      ? []
      : [
          [title, ...first, ...second, taking, ...address],
          [title, ...first, taking, ...address],
          [title, ...first, ...second, taking],
          [title, ...first, taking],
        ]
  const texts = [
    ...withTaking,
    [title, ...first, ...second, ...address],
    [title, ...first, ...address],
    [title, ...first, ...second],
    [title, ...first],
  ].map((lines) => plainText(lines.join('\n')))
  return texts.find(isShort) ?? plainText(title)
}

/** Causes repeat what others said: phones make links of addresses in them, and not of words with spaces between. */
function apart(value: string): string {
  return value.replaceAll(/\.(?=\p{L})/gu, '. ').replaceAll('://', ': //')
}

/** In the alphabet, if that can be: one sign outside of it halves the room. */
function plainText(text: string): string {
  const plain = Array.from(text, plainCharacter).join('')
  return septetsOf(plain) === null ? text : plain
}

function plainCharacter(character: string): string {
  if (basic.has(character) || extended.has(character)) return character
  return plainer[character] ?? character.normalize('NFD').replaceAll(/\p{M}/gu, '')
}

function isShort(text: string): boolean {
  const septets = septetsOf(text)
  return septets === null ? text.length <= maxUnits : septets <= maxSeptets
}

/** Null where the text has a character that is not in the alphabet. */
function septetsOf(text: string): number | null {
  let septets = 0
  for (const character of text) {
    if (basic.has(character)) septets += 1
    else if (extended.has(character)) septets += 2
    else return null
  }
  return septets
}
