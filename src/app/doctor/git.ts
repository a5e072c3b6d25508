import { type Found, good, notLookedAt } from '#core/doctor-report.ts'
import { MissingMeans } from '#net/dial/own-trouble.ts'
import { createGitBoxes } from '#net/git/git-box.ts'
import { createGitRequirement } from '#net/git/git-version.ts'
import type { DoctorCheck } from './doctor-check.ts'

const program = 'git'
const nowMs = (): number => performance.now()

/** Only monitors of kind `repository` need it, so that nothing here is bad. */
export const git: DoctorCheck = {
  name: 'git',
  look: async () => {
    try {
      await createGitRequirement(program, nowMs)()
    } catch (error) {
      if (error instanceof MissingMeans) return judgeGit({ missing: error.message, hasBox: false })
      throw error
    }
    const box = await createGitBoxes(program, nowMs)()
    return judgeGit({ missing: null, hasBox: box('/', 'nothing').length > 0 })
  },
}

/** `missing` is what checks say where there is no suitable git. */
export function judgeGit({ missing, hasBox }: { missing: string | null; hasBox: boolean }): Found[] {
  if (missing !== null) {
    const [found = missing, remedy = ''] = missing.split(': its operator has to ')
    return [notLookedAt('program', `${found}.`, `${remedy.replace(/^./, (letter) => letter.toUpperCase())}.`)]
  }
  return [
    good('program', 'Files of repositories can be listed: git is there.'),
    hasBox
      ? good('box', 'Git runs in a box of bubblewrap, in which it sees programs and its own folder alone.')
      : notLookedAt(
          'box',
          'Git runs with limits of its own and without a box: bubblewrap is not installed, or may make no namespaces here.',
          'Install bubblewrap, where the service may make namespaces (docs/kinds/repository.md).',
        ),
  ]
}
