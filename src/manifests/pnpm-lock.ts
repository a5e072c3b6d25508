import { ManifestError, type Mention } from './manifest.ts'
import { npmMention, splitDescriptor } from './npm-specifier.ts'
import { entriesOf, hasAnyOf, isRecord, member, textOf } from './shapes.ts'
import { parseYamlDocuments } from './yaml.ts'

/**
 * The packages of a pnpm-lock.yaml, lockfile versions 5 to 9; newer files have several documents. Throws ManifestError.
 */
export function* readPnpmLock(content: string): Generator<Mention> {
  for (const document of parseYamlDocuments(content)) {
    if (document !== '' && !isRecord(document)) throw new ManifestError('It is no pnpm-lock.yaml: it has no keys.')
    if (isRecord(document) && !hasAnyOf(document, marks))
      throw new ManifestError('It is no pnpm-lock.yaml: it has neither lockfileVersion nor packages.')
    const hasSlashes = Number.parseFloat(textOf(member(document, 'lockfileVersion')) ?? '') < 6
    for (const [path, entry] of entriesOf(member(document, 'packages'))) {
      const mention = mentionOf({ path, entry, hasSlashes })
      if (mention !== null) yield mention
    }
  }
}

/** Without one of these a document is no lockfile, whatever keys it has. */
const marks = ['lockfileVersion', 'packages', 'importers', 'dependencies', 'devDependencies']

type Place = { path: string; entry: unknown; hasSlashes: boolean }

/** A package from outside a registry has its name and version beside its path, since version 9 only the version. */
function mentionOf({ path, entry, hasSlashes }: Place): Mention | null {
  const isFolder = textOf(member(member(entry, 'resolution'), 'type')) === 'directory'
  if (isFolder || /^(?:file|link):/.test(path)) return null
  const version = textOf(member(entry, 'version'))
  const name = textOf(member(entry, 'name'))
  if (name !== null) return { ecosystem: 'npm', name, version }
  return hasSlashes ? slashedMention(path) : descriptorMention(path, version)
}

/** Up to version 5: `/name/1.0.0_peers`, `registry.example.com/@scope/name/1.0.0`. */
function slashedMention(path: string): Mention | null {
  const [versionAndPeers = '', name = '', scope = ''] = path.split('/').toReversed()
  const version = versionAndPeers.split('_')[0] ?? ''
  if (!/^\d+\.\d/.test(version)) return null
  return { ecosystem: 'npm', name: scope.startsWith('@') ? `${scope}/${name}` : name, version }
}

/** Version 6: `/name@1.0.0(peers)`; since version 9 without the slash. */
function descriptorMention(path: string, version: string | null): Mention | null {
  const withoutPeers = path.slice(path.startsWith('/') ? 1 : 0).split('(')[0] ?? ''
  const descriptor = splitDescriptor(withoutPeers)
  if (descriptor === null) return null
  const { name, reference } = descriptor
  return npmMention(name, reference, /[:/]/.test(reference) ? version : reference)
}
