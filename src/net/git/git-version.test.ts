import assert from 'node:assert/strict'
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { MissingMeans, OwnTrouble } from '#net/dial/own-trouble.ts'
import { createGitRequirement } from './git-version.ts'

const folder = mkdtempSync(join(tmpdir(), 'perigee-git-version-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** A program in place of git that says this, and ends with this code. */
function programSaying(text: string, code = 0): string {
  const path = join(folder, 'git')
  writeFileSync(`${path}.output`, text)
  appendFileSync(`${path}.runs`, '')
  writeFileSync(path, `#!/bin/sh\necho once >> ${path}.runs\ncat ${path}.output\nexit ${code}\n`)
  chmodSync(path, 0o755)
  return path
}

/** How often a program in place of git was run. */
function runs(): number {
  return readFileSync(join(folder, 'git.runs'), 'utf8').split('\n').length - 1
}

/** Null where the program will do, else why it does not. */
async function problemOf(program: string): Promise<unknown> {
  try {
    await createGitRequirement(program, () => 0)()
    return null
  } catch (error) {
    return error
  }
}

describe('the git of a machine', () => {
  for (const version of ['2.37.0', '2.37', '2.100.1', '3.0.0', '10.2', '2.39.5 (Apple Git-154)'])
    it(`will do as version ${version}`, async () => {
      assert.equal(await problemOf(programSaying(`git version ${version}\n`)), null)
    })

  for (const version of ['2.36.9', '1.99', '1.37.0', '0.40'])
    it(`is too old as version ${version}`, async () => {
      const problem = await problemOf(programSaying(`git version ${version}\n`))
      assert.ok(problem instanceof MissingMeans)
      const [major, minor] = version.split('.')
      assert.match(
        problem.message,
        new RegExp(`which has git ${major}\\.${minor}: its operator has to install git 2\\.37`),
      )
    })

  it('is missing where there is no such program, or none that may run', async () => {
    const barred = join(folder, 'barred')
    writeFileSync(barred, 'no program')
    for (const program of [join(folder, 'none'), barred]) {
      const problem = await problemOf(program)
      assert.ok(problem instanceof MissingMeans, program)
      assert.match(problem.message, /^Repositories cannot be listed at this location: its operator has to install git/)
    }
  })

  it('does not run where it fails, or says something else', async () => {
    for (const program of [() => programSaying('git version 2.40.0\n', 1), () => programSaying('hello\n')]) {
      const problem = await problemOf(program())
      assert.ok(problem instanceof OwnTrouble && !(problem instanceof MissingMeans))
      assert.equal(problem.message, 'git does not run here.')
    }
  })

  it('is heard for less than a thousand letters', async () => {
    const words = 'git version 2.40.0'
    assert.equal(await problemOf(programSaying(words.padEnd(999))), null)
    assert.ok((await problemOf(programSaying(words.padEnd(1000)))) instanceof OwnTrouble)
  })

  it('is asked once where it will do, and else again after a minute', async () => {
    let nowMs = 0
    const require = createGitRequirement(programSaying('git version 2.36.0\n'), () => nowMs)
    const before = runs()
    await assert.rejects(require(), MissingMeans)
    nowMs = 59_999
    await assert.rejects(require(), MissingMeans)
    assert.equal(runs() - before, 1)
    programSaying('git version 2.37.0\n')
    nowMs = 60_000
    await require()
    nowMs = 1e9
    await require()
    assert.equal(runs() - before, 2)
  })
})
