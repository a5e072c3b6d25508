import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { brokenFailure, lateFailure, timeoutFailure } from './connect-failure.ts'

describe('a connection that broke', () => {
  const told: [code: string | undefined, phase: 'request' | 'transfer', failure: string][] = [
    ['ECONNRESET', 'request', 'connection_reset: The connection was reset by a:1 before the answer came'],
    ['EPIPE', 'transfer', 'connection_reset: The connection was reset by a:1 while the answer was read'],
    ['ETIMEDOUT', 'request', 'connection_lost: The connection to a:1 timed out before the answer came'],
    [
      'EHOSTUNREACH',
      'transfer',
      'connection_broken: The connection to a:1 broke while the answer was read (EHOSTUNREACH)',
    ],
    [undefined, 'request', 'connection_broken: The connection to a:1 broke before the answer came (EUNKNOWN)'],
  ]
  for (const [code, phase, failure] of told)
    it(`is "${failure}"`, () => {
      const error = Object.assign(new Error('internals'), code === undefined ? {} : { code })
      const broken = brokenFailure(error, phase, 'a:1')
      assert.deepEqual([`${broken.code}: ${broken.message}`, broken.phase], [failure, phase])
    })
})

describe('a deadline that passed', () => {
  const doing = {
    dns: 'looking up the name of a:1',
    connect: 'connecting to a:1',
    tls: 'agreeing on TLS with a:1',
    request: 'waiting for the answer',
    transfer: 'reading the answer',
  } as const
  for (const phase of ['dns', 'connect', 'tls', 'request', 'transfer'] as const)
    it(`while ${doing[phase]} is told with the time that was set, where one was`, () => {
      const late = { phase, code: 'timed_out' }
      assert.deepEqual(timeoutFailure(phase, 500, 'a:1'), {
        ...late,
        message: `Timed out after 500 ms while ${doing[phase]}`,
      })
      assert.deepEqual(timeoutFailure(phase, undefined, 'a:1'), { ...late, message: `Timed out while ${doing[phase]}` })
    })

  it('during something else is told by its name', () => {
    assert.equal(lateFailure('transfer', 9, 'reading files').message, 'Timed out after 9 ms while reading files')
  })
})
