import { ManifestError } from './manifest.ts'
import { isRecord } from './shapes.ts'

/** The object in a JSON file. Throws ManifestError. */
export function parseJsonObject(content: string): Readonly<Record<string, unknown>> {
  const value = parse(content)
  if (!isRecord(value)) throw new ManifestError('It is no JSON object.')
  return value
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch (error) {
    // The JavaScript engine's own message quotes the content.
    const place = error instanceof Error ? /\(line (\d+) column (\d+)\)/.exec(error.message) : null
    const where = place === null ? '' : ` (line ${place[1]}, column ${place[2]})`
    throw new ManifestError(`It is not valid JSON${where}.`, { cause: error })
  }
}
