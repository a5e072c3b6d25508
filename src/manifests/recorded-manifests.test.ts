import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { countByPattern } from '../../test/support/manifest-counts.ts'
import { packagesIn, refusalOf } from '../../test/support/manifests.ts'
import { sharedFiles, sharedText, withoutSharedData } from '../../test/support/shared-data.ts'
import { type ManifestFormat, manifestFormat, manifestFormats } from './file-names.ts'

/** Recorded manifests have names of their own; their folder gives the format. */
const folders: readonly (readonly [string, ManifestFormat])[] = [
  ['javascript/packagejson/', 'package.json'],
  ['javascript/packagelockjson/', 'package-lock.json'],
  ['javascript/yarnlock/', 'yarn.lock'],
  ['javascript/pnpmlock/', 'pnpm-lock.yaml'],
  ['php/composerlock/', 'composer.lock'],
  ['python/requirements/', 'requirements.txt'],
  ['python/pipfilelock/', 'Pipfile.lock'],
  ['python/poetrylock/', 'poetry.lock'],
  ['ruby/gemfilelock/', 'Gemfile.lock'],
  ['golang/gomod/', 'go.mod'],
  ['rust/cargolock/', 'Cargo.lock'],
  ['java/pomxml/', 'pom.xml'],
  ['dotnet/csproj/', '.csproj'],
  ['dotnet/nugetcpm/', 'Directory.Packages.props'],
  ['containers/dockerbaseimage/', 'Dockerfile'],
  ['containers/dockercomposeimage/', 'docker-compose.yml'],
  ['runtime/asdf/', '.tool-versions'],
]

/** Differences between the counts of readers and patterns, and why the readers are right. */
const explained: ReadonlyMap<string, readonly [read: number, counted: number, why: string]> = new Map(
  Object.entries({
    'containers/dockerbaseimage/dockerfile.parameterized': [2, 0, 'the images are in arguments'],
    'golang/gomod/replace-local.mod': [1, 2, 'one module is replaced by a folder'],
    'golang/gomod/replace-no-version.mod': [1, 2, 'both versions are replaced by one module'],
    'java/pomxml/ambiguous-interpolation.xml': [1, 2, 'two properties stand for one artifact'],
    'java/pomxml/with-dependency-management.xml': [3, 4, 'a managed version is not the one that is used'],
    'java/pomxml/with-parent.xml': [4, 5, 'a managed version is that of a dependency without one'],
  } as const).map(([path, counts]) => [`manifests/scalibr/${path}`, counts]),
)

describe('recorded manifests', { skip: withoutSharedData }, () => {
  const rows = sharedFiles('manifests').flatMap((path) => {
    const format = formatOf(path)
    return format === null ? [] : [{ path, format, content: sharedText(path) }]
  })

  for (const { path, format, content } of rows)
    it(`${path} is read, or is none`, () => {
      const refusal = refusalOf(format, content)
      // The names of these files say which are no manifests.
      if (refusal !== null) return assert.match(path, /\b(?:invalid|not|null|empty|error)\b|\.(?:env|sum)$/, refusal)
      const read = packagesIn(format, content).length
      const counted = countByPattern(format, content)
      assert.deepEqual([read, counted], explained.get(path)?.slice(0, 2) ?? [read, read])
    })

  it('are of every format, and counted as a table', (context) => {
    for (const format of manifestFormats) {
      const files = rows.filter((row) => row.format === format)
      assert.ok(files.length > 0, format)
      const whole = files.filter((row) => refusalOf(format, row.content) === null)
      const read = whole.reduce((sum, row) => sum + packagesIn(format, row.content).length, 0)
      const counted = whole.reduce((sum, row) => sum + countByPattern(format, row.content), 0)
      const refused = files.length - whole.length
      context.diagnostic(`${format}: ${files.length} files, ${refused} refused, ${read} packages, ${counted} counted`)
    }
  })
})

function formatOf(path: string): ManifestFormat | null {
  const folder = folders.find(([name]) => path.includes(`/${name}`))
  if (folder !== undefined) return folder[1]
  const [, name] = /\/real\/[^.]+\.(?:berry\.)?(.+)$/.exec(path) ?? []
  return name === undefined ? null : (manifestFormat(name) ?? manifestFormat(`.${name}`))
}
