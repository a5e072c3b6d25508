import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { until } from '../../../test/support/until.ts'
import { OwnTrouble } from '#net/dial/own-trouble.ts'
import { canFping, fpingEchoes, readFpingLine } from './icmp-fping.ts'

const folder = mkdtempSync(join(tmpdir(), 'perigee-fping-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** A program that does what the shell commands say. */
function program(name: string, commands: string): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${commands}\n`)
  chmodSync(path, 0o755)
  return path
}

/** One line for each address, behind the eight words of options. */
const answering = 'shift 8; for word; do echo "$word    : [0], 64 bytes, 1.25 ms (1.25 avg, 0% loss)"; done'

function outcomeOf(path: string, address = '192.0.2.1'): Promise<number | string> {
  return new Promise((resolve) => {
    fpingEchoes(path).send(address, { onReply: resolve, onError: (error) => resolve(error.message) })
  })
}

describe('a line of fping', () => {
  const cases = [
    ['127.0.0.1    : [0], 64 bytes, 0.051 ms (0.051 avg, 0% loss)', { address: '127.0.0.1', rttMs: 0.051 }],
    ['::1 : [0], 64 bytes, 12 ms (12 avg, 0% loss)', { address: '::1', rttMs: 12 }],
    ['10.255.255.1 : [0], timed out (NaN avg, 100% loss)', null],
    ['10.255.255.1 : -', null],
    ['ICMP Port Unreachable from 21.4.1.165 for ICMP Echo sent to 10.255.255.1', null],
    ['', null],
  ] as const
  for (const [line, expected] of cases)
    it(`"${line}" tells ${JSON.stringify(expected)}`, () => assert.deepEqual(readFpingLine(line), expected))

  it('never makes the parser throw', () => {
    const word = fc.constantFrom(' : [0], ', '64 bytes, ', '0.051 ms (', '1.1.1.1', ' ', '9'.repeat(30))
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string())), (words) => {
        const read = readFpingLine(words.join(''))
        if (read !== null) assert.ok(Number.isFinite(read.rttMs))
      }),
    )
  })
})

describe('pinging by fping', () => {
  it('tells the time as soon as its line has come', async () => {
    const startedAt = performance.now()
    assert.equal(await outcomeOf(program('slow', `${answering}; exec sleep 3`)), 1.25)
    assert.ok(performance.now() - startedAt < 2500)
  })

  it('starts one program for many, and names an address once', async () => {
    const log = join(folder, 'log')
    const path = program('many', `echo "$@" >> ${log}; ${answering}`)
    const echoes = fpingEchoes(path)
    const times = await Promise.all(
      Array.from(
        { length: 3 },
        () =>
          new Promise((resolve) => {
            echoes.send('192.0.2.7', { onReply: resolve, onError: resolve })
          }),
      ),
    )
    assert.deepEqual(times, [1.25, 1.25, 1.25])
    assert.equal(readFileSync(log, 'utf8'), '-C 1 -r 0 -i 1 -t 2000 192.0.2.7\n')
  })

  it('does not start for what was cancelled', async () => {
    const path = program('counting', answering)
    const echoes = fpingEchoes(path)
    const heard: unknown[] = []
    echoes.send('192.0.2.1', { onReply: (rttMs) => heard.push(rttMs), onError: (error) => heard.push(error) })()
    const other = await new Promise((resolve) => {
      echoes.send('192.0.2.2', { onReply: resolve, onError: resolve })
    })
    assert.deepEqual([other, heard], [1.25, []])
  })

  it('tells nothing of what was cancelled while the program ran', async () => {
    const gate = join(folder, 'gate')
    const path = program('gated', `echo > ${gate}; while [ -e ${gate} ]; do sleep 0.01; done; ${answering}`)
    const echoes = fpingEchoes(path)
    const heard: unknown[] = []
    const cancel = echoes.send('192.0.2.1', {
      onReply: (rttMs) => heard.push(rttMs),
      onError: (error) => heard.push(error),
    })
    const other = new Promise((resolve) => {
      echoes.send('192.0.2.2', { onReply: resolve, onError: resolve })
    })
    await until('the program to run', async () => existsSync(gate))
    cancel()
    rmSync(gate)
    assert.equal(await other, 1.25)
    assert.deepEqual(heard, [])
  })

  it('sends 200 with one program, and refuses in time what it cannot send soon', async () => {
    const log = join(folder, 'sizes')
    const echoes = fpingEchoes(program('crowded', `echo $(($# - 8)) >> ${log}; ${answering}`))
    const told = await Promise.all(
      Array.from(
        { length: 801 },
        (_, index) =>
          new Promise<number | Error>((resolve) => {
            echoes.send(`192.0.${index >> 8}.${index & 255}`, { onReply: resolve, onError: resolve })
          }),
      ),
    )
    const refused = told.filter((each) => each instanceof OwnTrouble)
    assert.ok(refused.length >= 401, `${refused.length} were refused`)
    for (const { message } of refused) assert.equal(message, 'fping cannot be used now: too many pings at once.')
    const sizes = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').map(Number) : []
    assert.ok(sizes.every((size) => size <= 200))
    assert.equal(sizes.reduce((sum, size) => sum + size, 0) + refused.length, 801)
  })

  it('says what is wrong with the program', async () => {
    const failing = program('failing', 'exit 4')
    assert.equal(await outcomeOf(failing), `fping cannot be used now: ${failing} ended with 4.`)
    assert.match(String(await outcomeOf(join(folder, 'missing'))), /^fping cannot be used now: spawn .* ENOENT\.$/)
    assert.equal(await canFping(failing, '127.0.0.1'), false)
    assert.equal(await canFping(join(folder, 'missing'), '127.0.0.1'), false)
    assert.equal(await canFping(program('lossy', 'exit 1'), '127.0.0.1'), true)
  })

  it('passes over output that means nothing, also lines without end', async () => {
    const noisy = program('noisy', `head -c 300000 /dev/zero | tr '\\0' x; echo; echo 'a : b'; ${answering}`)
    assert.equal(await outcomeOf(noisy), 1.25)
  })
})
