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
    ['', null],
  ]
  for (const [word, nearest] of cases)
    it(`to ${JSON.stringify(word)} is ${nearest ?? 'none'}`, () => assert.equal(nearestWord(word, known), nearest))

  it('is none where no word is known', () => assert.equal(nearestWord('PERIGEE_PORT', []), null))
})
