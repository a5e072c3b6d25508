import { readComposerJson, readComposerLock } from './composer.ts'
import { readCompose } from './compose.ts'
import { readDockerfile } from './dockerfile.ts'
import { doubtOf } from './doubt.ts'
import type { ManifestFormat } from './file-names.ts'
import { readGemfileLock } from './gemfile-lock.ts'
import { readGoMod } from './go-mod.ts'
import { ManifestError, type ManifestReading, type Mention, type ReadableFormat, type ResolveName } from './manifest.ts'
import { readNvmrc } from './node-version.ts'
import { readNugetProject } from './nuget-project.ts'
import { readPackageJson } from './package-json.ts'
import { readPackageLock } from './package-lock.ts'
import { packageSet } from './package-set.ts'
import { readPipfileLock } from './pipfile-lock.ts'
import { readPlainList } from './plain-list.ts'
import { readPnpmLock } from './pnpm-lock.ts'
import { readPom } from './pom.ts'
import { readRequirements } from './requirements.ts'
import { readCargoLock, readPoetryLock } from './toml-locks.ts'
import { readToolVersions } from './tool-versions.ts'
import { readYarnLock } from './yarn-lock.ts'

/** In characters. */
export const maxContentLength = 5_000_000

/**
 * The products in a manifest: one entry for each product and version, at most 50,000. Throws only ManifestError, for
 * content of another form, and takes at most two seconds of a core for the longest content. It keeps no state, so any
 * thread may call it.
 */
export function readManifest(
  format: ReadableFormat,
  content: string,
  { resolve }: { resolve: ResolveName },
): ManifestReading {
  if (content.length > maxContentLength) throw new ManifestError('It has more than 5,000,000 characters.')
  const text = content.startsWith('\uFEFF') ? content.slice(1) : content
  if (isWebPage(text) && !xmlFormats.has(format)) {
    const wanted = format === 'plain' ? 'list of software' : format
    throw new ManifestError(`It is a web page or XML, and no ${wanted}.`)
  }
  if (format === 'plain') return readPlainList(text, resolve)
  const found = packageSet(resolve)
  for (const mention of readers[format](text)) found.add(mention)
  const packages = found.list()
  return { packages, unrecognized: [], doubt: packages.length === 0 ? doubtOf(format, text) : null }
}

/** What a server says when it does not have the file; some lines of a page would read as those of other formats. */
function isWebPage(text: string): boolean {
  return /^\s*<[!?a-z]/i.test(text)
}

const xmlFormats: ReadonlySet<ReadableFormat> = new Set(['pom.xml', '.csproj', 'Directory.Packages.props'])

const readers: Readonly<Record<ManifestFormat, (content: string) => Iterable<Mention>>> = {
  'package.json': readPackageJson,
  'package-lock.json': readPackageLock,
  'yarn.lock': readYarnLock,
  'pnpm-lock.yaml': readPnpmLock,
  'composer.json': readComposerJson,
  'composer.lock': readComposerLock,
  'requirements.txt': readRequirements,
  'Pipfile.lock': readPipfileLock,
  'poetry.lock': readPoetryLock,
  'Gemfile.lock': readGemfileLock,
  'go.mod': readGoMod,
  'Cargo.lock': readCargoLock,
  'pom.xml': readPom,
  '.csproj': readNugetProject,
  'Directory.Packages.props': readNugetProject,
  Dockerfile: readDockerfile,
  'docker-compose.yml': readCompose,
  '.nvmrc': readNvmrc,
  '.tool-versions': readToolVersions,
}
