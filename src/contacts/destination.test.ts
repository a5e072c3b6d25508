import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../test/support/any-character.ts'
import { webAddress } from '../../test/support/web-addresses.ts'
import { createGuard } from '#net/dial/guard.ts'
import { addressText, belowServer, httpDestinationProblem, labelProblem, serverProblem } from './destination.ts'
import { addressProblem, mailboxOf } from './email.ts'

const nothing = createGuard('none').isForbiddenAddress
const all = createGuard('all').isForbiddenAddress
const loopback = createGuard(['127.0.0.0/8', '::1/128']).isForbiddenAddress
const denied = createGuard('all', { denied: ['198.41.0.4/32'] }).isForbiddenAddress

describe('httpDestinationProblem', () => {
  const cases = [
    ['https://alerts.example/in?key=1', nothing, null],
    ['https://93.184.215.14/', nothing, null],
    ['https://10.0.0.8/in', nothing, reserved('10.0.0.8')],
    ['https://127.1/in', nothing, reserved('127.0.0.1')],
    ['https://[::1]/in', nothing, reserved('[::1]')],
    ['https://169.254.169.254/latest', nothing, reserved('169.254.169.254')],
    ['https://10.0.0.8/in', all, null],
    ['https://10.0.0.8/in', loopback, reserved('10.0.0.8')],
    ['http://127.0.0.1:8080/in', loopback, null],
    ['http://[::1]:8080/in', loopback, null],
    ['http://localhost:8080/in', loopback, null],
    ['http://10.0.0.8/in', all, null],
    ['http://localhost/in', nothing, reserved('localhost')],
    ['https://198.41.0.4/in', denied, 'Is an address that this installation does not send to.'],
    ['http://alerts.example/in', all, 'Must be an https:// address.'],
    ['http://93.184.215.14/', all, 'Must be an https:// address.'],
    ['https://user:secret@alerts.example/', nothing, 'Must not hold a user name or password.'],
    ['https://user@alerts.example/', nothing, 'Must not hold a user name or password.'],
    ['https://:secret@alerts.example/', nothing, 'Must not hold a user name or password.'],
    ['ftp://alerts.example/', nothing, 'Must be an https:// address.'],
    ['https:alerts.example', nothing, 'Must be an https:// address.'],
    ['https://', nothing, 'Must be an https:// address.'],
    ['https://alerts.example/a b', nothing, 'Must be an https:// address.'],
    ['alerts.example', nothing, 'Must be an https:// address.'],
    [`https://alerts.example/${'a'.repeat(2048 - 23)}`, nothing, null],
    [`https://alerts.example/${'a'.repeat(2048 - 22)}`, nothing, 'Must have at most 2048 characters.'],
  ] as const
  for (const [destination, isForbidden, problem] of cases)
    it(`says ${problem ?? 'nothing'} of ${destination.slice(0, 60)}`, () =>
      assert.equal(httpDestinationProblem(destination, isForbidden), problem))

  it('accepts nothing that cannot be dialled, and throws at nothing', () =>
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          webAddress,
          fc.string().map((text) => `https://${text}`),
        ),
        (text) => {
          if (httpDestinationProblem(text, nothing) === null) assert.equal(new URL(text).protocol, 'https:')
        },
      ),
    ))
})

describe('the address of a server', () => {
  const cases = [
    ['https://chat.example', null],
    ['https://chat.example/path/', null],
    ['https://chat.example/?a=1', 'Must have no query and no fragment.'],
    ['https://chat.example/#a', 'Must have no query and no fragment.'],
    ['http://chat.example/', 'Must be an https:// address.'],
    ['https://10.0.0.8/', reserved('10.0.0.8')],
  ] as const
  for (const [server, problem] of cases)
    it(`has ${problem ?? 'nothing'} wrong with ${server}`, () => assert.equal(serverProblem(server, nothing), problem))

  for (const [server, address] of [
    ['https://chat.example', 'https://chat.example/send'],
    ['https://chat.example/', 'https://chat.example/send'],
    ['https://chat.example/a/b//', 'https://chat.example/a/b/send'],
  ] as const)
    it(`at ${server} has ${address} below it`, () => assert.equal(belowServer(server, '/send'), address))

  for (const [length, isTaken] of [
    [0, false],
    [1, true],
    [2048, true],
    [2049, false],
  ] as const)
    it(`${isTaken ? 'has' : 'has not'} ${length} characters as an option`, () =>
      assert.equal(addressText.safeParse('a'.repeat(length)).success, isTaken))
})

describe('addressProblem', () => {
  const cases = [
    ['ops@example.com', null],
    ["o'brien+alerts@mail.example.co.uk", null],
    ['a.b@xn--bcher-kva.example', null],
    ['ops@localhost', 'Must be an email address.'],
    ['ops', 'Must be an email address.'],
    ['@example.com', 'Must be an email address.'],
    ['ops@', 'Must be an email address.'],
    ['.ops@example.com', 'Must be an email address.'],
    ['o..ps@example.com', 'Must be an email address.'],
    ['ops@-example.com', 'Must be an email address.'],
    ['ops@example..com', 'Must be an email address.'],
    ['ops@example.com, all@example.com', 'Must be an email address.'],
    ['Ops <ops@example.com>', 'Must be an email address.'],
    ['ops@example.com\r\nBcc: all@example.com', 'Must be an email address.'],
    ['ops@example.com\n', 'Must be an email address.'],
    [`${'a'.repeat(64)}@example.com`, null],
    [`${'a'.repeat(65)}@example.com`, 'Must be an email address.'],
    [`a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.example`, null],
    [
      `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.example.com`,
      'Must have at most 254 characters.',
    ],
  ] as const
  for (const [destination, problem] of cases)
    it(`says ${problem ?? 'nothing'} of ${JSON.stringify(destination).slice(0, 60)}`, () =>
      assert.equal(addressProblem(destination), problem))

  it('accepts nothing that could end a header or add a second address', () =>
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: anyCharacter }), fc.emailAddress()), (text) => {
        if (addressProblem(text) === null) assert.doesNotMatch(text, /[\s,;<>"()\\]|\p{Cc}/u)
      }),
    ))
})

describe('mailboxOf', () => {
  for (const [destination, mailbox] of [
    ['ops@example.com', 'ops@example.com'],
    ['Ops@Example.COM', 'ops@example.com'],
    ['ops+perigee@example.com', 'ops@example.com'],
    ['ops+a+b@example.com', 'ops@example.com'],
    ['+tag@example.com', '+tag@example.com'],
    ['o.ps@example.com', 'o.ps@example.com'],
  ] as const)
    it(`takes ${destination} for ${mailbox}`, () => assert.equal(mailboxOf(destination), mailbox))
})

function reserved(host: string): string {
  return `Leads to ${host}, a private or reserved address, to which nothing is sent unless the operator lists it in PERIGEE_ALLOW_PRIVATE_TARGETS.`
}

describe('labelProblem', () => {
  for (const [label, isTaken] of [
    ['On call', true],
    ['#ops: 24/7', true],
    ['a'.repeat(100), true],
    ['a'.repeat(101), false],
    [' ', false],
    ['On call ', false],
    ['On\ncall', false],
    ['https://chat.example/hook?token=secret', false],
  ] as const)
    it(`${isTaken ? 'takes' : 'refuses'} ${JSON.stringify(label).slice(0, 40)}`, () =>
      assert.equal(labelProblem(label) === null, isTaken))
})
