import { parseJsonObject } from './json.ts'
import type { Mention } from './manifest.ts'
import { npmMention, pinnedVersion } from './npm-specifier.ts'
import { entriesOf } from './shapes.ts'

/**
 * `engines` is left out because it says what would do and not what is installed, and peers because the dependent
 * project installs them.
 */
const groups = ['dependencies', 'devDependencies', 'optionalDependencies']

/** The dependencies of a package.json, with a version where only one satisfies the specifier. */
export function* readPackageJson(content: string): Generator<Mention> {
  const manifest = parseJsonObject(content)
  for (const group of groups)
    for (const [name, specifier] of entriesOf(manifest[group])) {
      if (typeof specifier !== 'string') continue
      const mention = npmMention(name, specifier, pinnedVersion(specifier))
      if (mention !== null) yield mention
    }
}
