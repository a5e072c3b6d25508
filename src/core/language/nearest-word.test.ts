import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nearestWord } from './nearest-word.ts'

const known = ['PERIGEE_HOST', 'PERIGEE_PORT', 'PERIGEE_PUBLIC_URL', 'PERIGEE_SMTP_URL']

describe('the nearest word', () => {
  const cases: [string, string | null][] = [
    ['PERIGEE_PROT', 'PERIGEE_PORT'],
    ['PERIGEE_PUBLICURL', 'PERIGEE_PUBLIC_URL'],
    ['PERIGEE_SMPT_URI', 'PERIGEE_SMTP_URL'],
    // It goes on like another one.
    ['PERIGEE_HOST_FILE', 'PERIGEE_HOST'],
    ['PERIGEE_SERVICE_ADDRESS', null],
    ['PERIGEE_PUBLIC', 'PERIGEE_PUBLIC_URL'],
    ['', null],
  ]
  for (const [word, nearest] of cases)
    it(`to ${JSON.stringify(word)} is ${nearest ?? 'none'}`, () => assert.equal(nearestWord(word, known), nearest))

  const distances: [word: string, one: string, other: string][] = [
    // The first of each is as many letters away as its second word allows, the other one more.
    ['abcd', 'abxx', 'axxx'],
    ['abcd', 'abcdef', 'abcdefg'],
    ['abcdef', 'abcd', 'abc'],
    ['abcd', 'xabcd', 'xxabcd'],
    ['abcd', 'bcd', 'cd'],
    ['abcd', 'abxcd', 'abxxcd'],
    ['xabcd', 'abcd', 'xabxx'],
  ]
  for (const [word, near, far] of distances)
    it(`to ${word} is rather ${near} than ${far}`, () => assert.equal(nearestWord(word, [far, near]), near))

  it('is the longest of those that it goes on like', () =>
    assert.equal(nearestWord('PERIGEE_SMTP_HOST', ['PERIGEE', 'PERIGEE_SMTP']), 'PERIGEE_SMTP'))

  it('is none where five letters are missing', () =>
    assert.equal(nearestWord('PERIGEE_PUBLI', ['PERIGEE_PUBLIC_URL']), null))

  it('is none where no word is known', () => assert.equal(nearestWord('PERIGEE_PORT', []), null))
})
