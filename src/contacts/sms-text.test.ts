import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { smsText } from './sms-text.ts'
import type { Wording } from '#contacts/wording/wording.ts'

const link = {
  label: 'Open the incident',
  url: 'https://perigee.example/incidents/6f1d4c0a-94b5-4f5e-8f3e-0a6f5f1d2c22',
}

function wording(changes: Partial<Wording>): Wording {
  return { tone: 'bad', headline: 'Down: Shop API', lead: '', facts: [], link: null, acknowledge: null, ...changes }
}

/** Written anew, by https://www.twilio.com/docs/glossary/what-is-gsm-7-character-encoding. */
const alphabet = /^[A-Za-z0-9@£$¥èéùìòÇ\n\rØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./:;<=>?¡ÄÖÑÜ§¿äöñüà^{}\\[~\]|€]*$/
function partsOf(text: string): number {
  const isPlain = alphabet.test(text)
  const size = isPlain ? text.length + text.replaceAll(/[^^{}\\[~\]|€]/g, '').length : text.length
  const [alone, each] = isPlain ? [160, 153] : [70, 67]
  return size <= alone ? 1 : Math.ceil(size / each)
}

function twoFacts(first: string, second: string): Wording['facts'] {
  return [
    { label: 'b', value: first },
    { label: 'c', value: second },
  ]
}

describe('smsText', () => {
  const facts = [
    { label: 'Cause', value: 'The server answered 503.' },
    { label: 'Since', value: '2026-11-21 10:00:00 UTC' },
    { label: 'Seen from', value: 'fra' },
  ]

  it('has the headline, two facts and the link in one part', () => {
    const text = smsText(wording({ facts, link }))
    assert.equal(text, `Down: Shop API\nCause: The server answered 503.\nSince: 2026-11-21 10:00:00 UTC\n${link.url}`)
    assert.equal(partsOf(text), 1)
  })

  it('leaves out the link, and then facts, where two parts are too short', () => {
    const far = { ...link, url: `https://perigee.example/${'a'.repeat(250)}` }
    assert.equal(smsText(wording({ facts, link: far })).includes('https'), false)
    const headline = `Сбой: ${'ж'.repeat(90)}`
    assert.equal(smsText(wording({ headline, facts, link })), `${headline}\nCause: The server answered 503.`)
    const long = `Сбой: ${'ж'.repeat(105)}`
    assert.equal(smsText(wording({ headline: long, facts, link })), long)
  })

  const acknowledge = { label: 'Acknowledge', url: `https://perigee.example/incidents/acknowledge/${'A'.repeat(78)}` }
  const taking = `Acknowledge: ${acknowledge.url}`

  it('has the link that acknowledges before the other one, in two parts', () => {
    const text = smsText(wording({ facts, link, acknowledge }))
    const told = 'Down: Shop API\nCause: The server answered 503.\nSince: 2026-11-21 10:00:00 UTC'
    assert.equal(text, `${told}\n${taking}\n${link.url}`)
    assert.equal(partsOf(text), 2)
  })

  it('prefers it to the other one, and to the second fact', () => {
    const headline = `Down: ${'a'.repeat(60)}`
    assert.equal(
      smsText(wording({ headline, facts, link, acknowledge })),
      `${headline}\nCause: The server answered 503.\nSince: 2026-11-21 10:00:00 UTC\n${taking}`,
    )
  })

  it('leaves it out where two parts are too short for it beside the text', () => {
    const headline = 'Сбой: магазин'
    const text = `${headline}\nCause: The server answered 503.\nSince: 2026-11-21 10:00:00 UTC`
    assert.equal(smsText(wording({ headline, facts, acknowledge })), text)
  })

  for (const [name, shown] of [
    ['“Shop” – it’s down…', '"Shop" - it\'s down...'],
    ['Čeština ł', 'Čeština ł'],
    ['Čeština', 'Cestina'],
    ['Café Ünal', 'Café Ünal'],
    ['a`b\u00a0c', "a'b c"],
    ['日本', '日本'],
  ] as const)
    it(`writes ${name} as ${shown}`, () => assert.equal(smsText(wording({ headline: name })), shown))

  const rooms: [what: string, headline: string, first: string, second: string, length: number][] = [
    ['304 characters of the alphabet', 'a'.repeat(100), 'b'.repeat(97), 'c'.repeat(99), 304],
    ['no 305 of them', 'a'.repeat(100), 'b'.repeat(98), 'c'.repeat(99), 202],
    ['152 that take the place of two', '^'.repeat(100), '^'.repeat(48), '', 152],
    ['no 132 of the alphabet and 87 of these', '^'.repeat(100), '^'.repeat(49), '', 153],
    ['132 of UTF-16', 'ж'.repeat(60), 'ж'.repeat(68), '', 132],
    ['no 133 of them', 'ж'.repeat(60), 'ж'.repeat(69), '', 60],
  ]
  for (const [what, headline, first, second, length] of rooms)
    it(`has room for ${what}`, () => {
      const text = smsText(wording({ headline, facts: twoFacts(first, second).filter(({ value }) => value !== '') }))
      assert.equal(text.length, length)
    })

  it('makes no link of an address in a cause', () => {
    const text = smsText(wording({ facts: [{ label: 'Cause', value: 'Moved to https://x.example/a.html' }] }))
    assert.match(text, /Moved to https: \/\/x\. example\/a\. html$/)
  })

  it('is never more than two parts, and never empty', () => {
    const anyText = fc.oneof(fc.string({ minLength: 1 }), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 }))
    fc.assert(
      fc.property(anyText, anyText, anyText, (headline, label, value) => {
        const text = smsText(
          wording({
            headline: `D${headline}`,
            facts: [
              { label, value },
              { label, value },
            ],
            link,
            acknowledge,
          }),
        )
        assert.ok(text.startsWith('D') && partsOf(text) <= 2, text)
      }),
    )
  })
})
