/**
 * The formats that are read, each under its usual file name (docs/software-imports.md). Directory.Packages.props has
 * NuGet's central versions.
 */
export const manifestFormats = [
  'package.json',
  'package-lock.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'composer.json',
  'composer.lock',
  'requirements.txt',
  'Pipfile.lock',
  'poetry.lock',
  'Gemfile.lock',
  'go.mod',
  'Cargo.lock',
  'pom.xml',
  '.csproj',
  'Directory.Packages.props',
  'Dockerfile',
  'docker-compose.yml',
  '.nvmrc',
  '.tool-versions',
] as const
export type ManifestFormat = (typeof manifestFormats)[number]

/** Limit of manifests of one repository; further ones are left out. */
export const maxManifests = 200

/** Limit of files of one repository among which manifests are chosen. */
export const maxCandidates = 10_000

/** The format of a file by its name, with or without folders; null when the name is not that of a manifest. */
export function manifestFormat(path: string): ManifestFormat | null {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (name.length > maxNameLength) return null
  const exact = manifestFormats.find((format) => format === name)
  return exact ?? variants.find(([pattern]) => pattern.test(name))?.[1] ?? null
}

/**
 * Whether a path in a repository is one of its own manifests. Those of dependencies that were checked in, and those
 * made up for tests, say nothing about what the repository uses.
 */
export function isManifestPath(path: string): boolean {
  if (manifestFormat(path) === null) return false
  const folders = path.split('/').slice(0, -1)
  return !folders.some((folder) => foreignFolders.has(folder.toLowerCase()))
}

/** Keeps the manifests nearest to the root where there are too many, then in the order of their names. */
export function chooseManifests<Named extends { path: string }>(found: readonly Named[]): Named[] {
  return found.toSorted((one, other) => depth(one) - depth(other) || order(one, other)).slice(0, maxManifests)
}

/** No file system allows longer names. */
const maxNameLength = 255

/** Other usual names of a format. */
const variants: readonly (readonly [RegExp, ManifestFormat])[] = [
  [/^npm-shrinkwrap\.json$/, 'package-lock.json'],
  [/^(?:[^/]+[._-])?requirements(?:[._-][^/]+)?\.txt$/i, 'requirements.txt'],
  [/\.(?:cs|fs|vb)proj$/i, '.csproj'],
  [/^Directory\.Packages\.props$/i, 'Directory.Packages.props'],
  [/^(?:Dockerfile|Containerfile)(?:\.[^/]+)?$/i, 'Dockerfile'],
  [/\.(?:Dockerfile|Containerfile)$/i, 'Dockerfile'],
  [/^(?:docker-)?compose(?:\.[^/]+)?\.ya?ml$/i, 'docker-compose.yml'],
]

const foreignFolders: ReadonlySet<string> = new Set([
  'node_modules',
  'bower_components',
  'vendor',
  'fixtures',
  'fixture',
  '__fixtures__',
  'test-fixtures',
  'test_fixtures',
  'testdata',
  'test-data',
])

function depth({ path }: { path: string }): number {
  return path.split('/').length
}

function order({ path: one }: { path: string }, { path: other }: { path: string }): number {
  return one < other ? -1 : one > other ? 1 : 0
}
