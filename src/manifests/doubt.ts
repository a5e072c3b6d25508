import type { ReadableFormat } from './manifest.ts'
import { parseJsonObject } from './json.ts'
import { linesOf, withoutComment } from './lines.ts'
import { hasOwnMembers } from './own-members.ts'

/**
 * Why content in which no package was found may be no manifest at all but what a server answers that does not have the
 * file, in a sentence for the caller who imports it. Null for manifests of projects without packages, and for formats
 * whose readers refuse everything else. Throws ManifestError.
 */
export function doubtOf(format: ReadableFormat, content: string): string | null {
  if (format === 'package.json' || format === 'composer.json') {
    const isManifest = hasOwnMembers(parseJsonObject(content), ownMembers[format])
    return isManifest ? null : `It is no ${format}: it has none of the members of one.`
  }
  if (format === '.tool-versions' && hasLine(content)) return 'It is no .tool-versions: no line names a known tool.'
  return null
}

function hasLine(content: string): boolean {
  for (const line of linesOf(content)) if (withoutComment(line, '#').trim() !== '') return true
  return false
}

/**
 * What only such a file has, by the documentation of npm, Node.js and bundlers, and by the schema of Composer. Members
 * of one tool alone are not in it: they stand beside others.
 */
const ownMembers = {
  'package.json': [
    'author',
    'bin',
    'browser',
    'bugs',
    'bundleDependencies',
    'bundledDependencies',
    'config',
    'contributors',
    'cpu',
    'dependencies',
    'devDependencies',
    'devEngines',
    'directories',
    'engines',
    'exports',
    'files',
    'funding',
    'homepage',
    'imports',
    'keywords',
    'libc',
    'license',
    'main',
    'man',
    'module',
    'optionalDependencies',
    'os',
    'overrides',
    'packageManager',
    'peerDependencies',
    'peerDependenciesMeta',
    'private',
    'publishConfig',
    'repository',
    'resolutions',
    'scripts',
    'sideEffects',
    'types',
    'typings',
    'workspaces',
  ],
  'composer.json': [
    'abandoned',
    'archive',
    'authors',
    'autoload',
    'autoload-dev',
    'bin',
    'config',
    'conflict',
    'extra',
    'funding',
    'homepage',
    'include-path',
    'keywords',
    'license',
    'minimum-stability',
    'non-feature-branches',
    'php-ext',
    'prefer-stable',
    'provide',
    'readme',
    'replace',
    'repositories',
    'require',
    'require-dev',
    'scripts',
    'scripts-aliases',
    'scripts-descriptions',
    'suggest',
    'support',
    'target-dir',
  ],
} satisfies Partial<Record<ReadableFormat, readonly string[]>>
