import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gitFailure } from './git-failure.ts'
import { OwnTrouble } from '#net/dial/own-trouble.ts'

const request = {
  url: new URL('https://git.example/a/b'),
  credentials: { user: 'u', password: 'secret-7' },
  object: '1'.repeat(40),
  timeoutMs: 1000,
}
const because = 'Git failed while fetching'

describe('a failure of git', () => {
  const told: [what: string, words: string, code: string, message: string][] = [
    ['nothing', '', 'git_broken', because],
    ['no words of its own', 'hm\n', 'git_broken', because],
    ['the last fatal line', 'fatal: a\nfatal: b\nerror: c\n', 'git_broken', `${because}: b`],
    ['an error', 'warning: a\nerror: b\n', 'git_broken', `${because}: b`],
    ['secrets', "fatal: no 'secret-7'\u0007\n", 'git_broken', `${because}: no '***'?`],
    ['300 letters of its words', `fatal: ${'a'.repeat(301)}\n`, 'git_broken', `${because}: ${'a'.repeat(300)}`],
    ['authorities', 'fatal: bad. CAfile: /a CRLfile: none', 'git_broken', `${because}: bad.`],
    [
      'a file that got too large',
      'fatal: write error: File too large\n',
      'git_too_large',
      'More than 64 MiB came while fetching',
    ],
    [
      'memory',
      'fatal: attempting to allocate 9 over limit 8\n',
      'git_too_large',
      'More than 64 MiB came while fetching',
    ],
    [
      'a change',
      'fatal: remote error: upload-pack: not our ref 1\n',
      'git_gone',
      'The repository changed while it was read',
    ],
    ['the disk of the server', 'remote: fatal: No space left on device\nfatal: a\n', 'git_broken', `${because}: a`],
    [
      'its limits',
      'fatal: remote error: repository too large\n',
      'git_broken',
      `${because}: remote error: repository too large`,
    ],
  ]
  for (const [what, words, code, message] of told)
    it(`tells ${what}`, () =>
      assert.deepEqual(gitFailure({ type: 'failure', code: 128, words }, request, 'fetching'), {
        phase: 'transfer',
        code,
        message,
      }))

  it('at the deadline is one of time', () =>
    assert.equal(
      gitFailure({ type: 'aborted' }, request, 'fetching').message,
      'Timed out after 1000 ms while fetching',
    ))

  it('for want of room here says nothing about the target', () => {
    const words = 'fatal: write error: No space left on device\n'
    assert.throws(() => gitFailure({ type: 'failure', code: 128, words }, request, 'fetching'), OwnTrouble)
  })
})
