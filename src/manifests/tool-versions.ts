import { linesOf, withoutComment } from './lines.ts'
import { ManifestError, type Mention } from './manifest.ts'
import { nodeVersion } from './node-version.ts'

/**
 * The tools of a .tool-versions. Of several versions the first one runs. Lines that are none are skipped, unless there are
 * no others. Throws ManifestError.
 */
export function* readToolVersions(content: string): Generator<Mention> {
  let isBroken = false
  let isEmpty = true
  for (const line of linesOf(content)) {
    const [tool, version] = withoutComment(line, '#').slice(0, maxLineLength).trim().split(/\s+/, 2)
    if (tool === undefined || tool === '') continue
    if (version === undefined || !isTool(tool) || !isVersion(version)) isBroken = true
    else {
      isEmpty = false
      const mention = mentionOf(tool.toLowerCase(), version)
      if (mention !== null) yield mention
    }
  }
  if (isBroken && isEmpty) throw new ManifestError('It is no .tool-versions: no line has a tool and a version.')
}

const maxLineLength = 1000

/** As plugins are called, `npm:prettier` too. Any two words would else be a tool and its version. */
function isTool(text: string): boolean {
  return /^[a-z\d][\w.+-]*(?:[:/@][\w.+-]+)*$/i.test(text)
}

/** A version has a digit, or is one of the words that stand in its place. */
function isVersion(text: string): boolean {
  return /\d|^(?:system|latest|lts|stable|nightly|beta|master|main|head)\b|^(?:ref|path|prefix|tag|branch):/i.test(text)
}

function mentionOf(tool: string, text: string): Mention | null {
  if (tool === 'java') {
    const release = /^temurin-(\d\S*)$/.exec(text)?.[1]
    return release === undefined ? null : { software: 'eclipse-temurin', version: release }
  }
  const software = products.get(tool) ?? tool
  if (software === 'nodejs') return { software, version: nodeVersion(text.toLowerCase()) }
  // `latest`, `ref:main`, `path:…`, `system`, and other implementations of a language (`pypy3.10-7.3.12`) have no
  // version.
  return { software, version: /^v?(\d\S*)$/.exec(text)?.[1] ?? null }
}

/** Tools that the catalogue knows by another name. */
const products: ReadonlyMap<string, string> = new Map([
  ['node', 'nodejs'],
  ['golang', 'go'],
  ['dotnet-core', 'dotnet'],
  ['postgres', 'postgresql'],
  ['mongo', 'mongodb'],
  ['vault', 'hashicorp-vault'],
])
