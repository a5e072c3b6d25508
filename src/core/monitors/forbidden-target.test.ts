import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { forbiddenAddress, forbiddenAddressIn, forbiddenOwnPort, forbiddenTarget } from './forbidden-target.ts'

describe('the address that a refusal names', () => {
  const cases: [text: string, address: string | null][] = [
    [forbiddenTarget('10.0.0.1'), '10.0.0.1'],
    [forbiddenTarget('[fd00::1]'), 'fd00::1'],
    [forbiddenAddress('192.168.1.1', '192.168.1.1'), '192.168.1.1'],
    [forbiddenAddress('fd00::1', 'fd00::1'), 'fd00::1'],
    [forbiddenAddress('nas.example', '192.168.1.5'), '192.168.1.5'],
    [`Step 2: ${forbiddenAddress('nas.example', 'fd00::5')}`, 'fd00::5'],
    [forbiddenAddress('nas.example', null), null],
    [forbiddenOwnPort('192.168.1.5:3000'), null],
    ['Connection refused by 192.168.1.5:80', null],
    ['', null],
  ]
  for (const [text, address] of cases)
    it(`is ${address ?? 'none'} in “${text.slice(0, 60)}”`, () => assert.equal(forbiddenAddressIn(text), address))
})
