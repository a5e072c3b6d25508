// Builds a release into release/, the same bytes from the same commit (docs/releasing.md):
//
//   npm run release                            everything that this machine can build
//   npm run release -- archive npm             some of it: archive, npm, sdk, image, deb, docs
//   npm run release -- --platform linux-x64    of one platform
//   npm run release -- --renew-base            pins the Debian of the image as Debian has it now, and builds nothing
//   npm run release -- --compare               builds again in another place, and compares every byte
//   npm run release -- --try                   builds, then starts each on a fresh Debian; as root, on Debian
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { artefactKinds, buildRelease } from './release/build.ts'
import { committed, compareWithSecondBuild } from './release/compare/second-build.ts'
import { renewImageBase } from './release/image-base.ts'
import { platforms } from './release/platforms.ts'
import { releaseTime, root } from './release/release-facts.ts'
import { tryRelease } from './release/try/try-release.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    try: { type: 'boolean', default: false },
    compare: { type: 'boolean', default: false },
    'renew-base': { type: 'boolean', default: false },
    platform: { type: 'string', multiple: true },
    folder: { type: 'string', default: resolve(root, 'release') },
  },
})
const kinds = artefactKinds.filter((kind) => positionals.length === 0 || positionals.includes(kind))
const platformNames = platforms.map(({ name }) => name)
const wanted = values.platform ?? platformNames
const unknown = [
  ...positionals.filter((name) => !artefactKinds.some((kind) => kind === name)),
  ...wanted.filter((name) => !platformNames.some((known) => known === name)),
]
if (unknown.length > 0) {
  console.error(
    `There is no ${unknown.join(', ')}. Kinds: ${artefactKinds.join(', ')}. Platforms: ${platformNames.join(', ')}.`,
  )
  process.exit(2)
}
if (values['renew-base']) {
  renewImageBase(process.arch === 'arm64' ? 'arm64' : 'amd64')
  process.exit()
}
const commit = values.compare ? committed() : null
const artefacts = await buildRelease({
  folder: resolve(values.folder),
  time: releaseTime(),
  kinds,
  platformNames: wanted,
})
if (values.try) await tryRelease(artefacts)
if (commit !== null) {
  const chosen = [...positionals, ...wanted.flatMap((name) => ['--platform', name])]
  const differences = compareWithSecondBuild(resolve(values.folder), { commit, chosen })
  for (const difference of differences) console.error(difference)
  console.log(`A second build in another place: ${differences.length} of ${artefacts.length} files differ.`)
  process.exitCode = differences.length === 0 ? 0 : 1
}
