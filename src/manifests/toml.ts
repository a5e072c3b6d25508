import { parse, TomlError } from 'smol-toml'
import { ManifestError } from './manifest.ts'

/** The table in a TOML file. Throws ManifestError. */
export function parseToml(content: string): Readonly<Record<string, unknown>> {
  try {
    return parse(content, { maxDepth: 100 })
  } catch (error) {
    const where = error instanceof TomlError ? ` (line ${error.line}, column ${error.column})` : ''
    throw new ManifestError(`It is not valid TOML${where}.`, { cause: error })
  }
}
