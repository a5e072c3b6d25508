import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { definitions } from '#cli/definitions/index.ts'
import { fishCompletion } from '#cli/definitions/fish-completion.ts'
import { manualOf } from '#cli/definitions/manual.ts'
import { completedCommands } from '#cli/definitions/shells.ts'
import { zshCompletion } from '#cli/definitions/zsh-completion.ts'
import { findProgram } from '../support/peers/program.ts'

function without(name: string): string | false {
  return findProgram(name) === null ? `${name} is not installed` : false
}

function fileOf(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-shells-'))
  after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

function linesOf(file: string, args: readonly string[]): string[] {
  const said = execFileSync(file, args, { encoding: 'utf8', env: { ...process.env, HOME: tmpdir() } })
  return said.split('\n').filter((line) => line !== '')
}

const commands = completedCommands(definitions)
const cases = [
  [['mon'], ['monitors']],
  [
    ['monitors', ''],
    ['list', 'show', 'pause', 'resume', 'delete'],
  ],
  [['monitors', 'delete', '--y'], ['--yes']],
  [['monitors', 'pause', '--y'], []],
  [['slo', 'check', '--met'], []],
  [['monitors', 'show', 'My'], ['My shop']],
  [['check', '--method', 'H'], ['HEAD']],
] as const

describe('the completion of fish', { skip: without('fish') }, () => {
  const file = fileOf('perigee.fish', fishCompletion(commands))
  for (const [words, expected] of cases)
    it(`of ${JSON.stringify(words)} is ${JSON.stringify(expected)}`, () => {
      const program = `function perigee; printf 'My shop\\nRouter\\n'; end
source ${file}
complete -C 'perigee ${words.join(' ')}'`
      const found = linesOf('fish', ['--no-config', '-c', program]).map((line) => line.split('\t')[0] ?? '')
      assert.deepEqual(found.toSorted(), [...expected].toSorted())
    })
})

describe('the completion of zsh', { skip: without('zsh') }, () => {
  const file = fileOf('_perigee', zshCompletion(commands))
  /** What zsh would be given to choose from; it then takes what begins with the word. */
  const stubs = `perigee() { printf 'My shop\\nRouter\\n' }
compdef() { : }
compadd() { shift; print -l -- "$@" }
_describe() { print -rl -- "\${(@P)\${@[-1]}%%:*}" }
_files() { print files }
_message() { : }
source ${file}`
  for (const [words, expected] of cases)
    it(`of ${JSON.stringify(words)} is ${JSON.stringify(expected)}`, () => {
      const last = words.at(-1) ?? ''
      const program = `${stubs}
words=(perigee ${words.map((word) => `'${word}'`).join(' ')}); CURRENT=$#words; PREFIX='${last}'
_perigee`
      const found = linesOf('zsh', ['-f', '-c', program]).filter((line) => line.startsWith(last))
      assert.deepEqual(found.toSorted(), [...expected].toSorted())
    })
})

describe('the page of the manual', { skip: without('mandoc') }, () => {
  it('is taken by mandoc without an error or a warning', () => {
    const file = fileOf('perigee.1', manualOf(definitions, '1.2.3'))
    const { stdout } = spawnSync('mandoc', ['-T', 'lint', '-W', 'warning', file], { encoding: 'utf8' })
    // The page is the same in every build of a release, so that it has no date.
    assert.deepEqual(
      stdout.split('\n').filter((line) => line !== '' && !line.includes('missing date')),
      [],
    )
  })
})
