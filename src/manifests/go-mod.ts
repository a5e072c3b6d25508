import { linesOf, withoutComment } from './lines.ts'
import { ManifestError, type Mention } from './manifest.ts'

/** A line of a go.mod with the verb of its block; the words have no quotes. */
type Directive = { verb: string; words: string[] }

type Module = { path: string; version: string }

/**
 * Keys are path and version, or the path alone for a replacement of every version. Null is a replacement by a folder.
 */
type Replacements = Map<string, Module | null>

/** The modules that a go.mod requires, after its `replace` lines, and Go itself. Throws ManifestError. */
export function* readGoMod(content: string): Generator<Mention> {
  const required: Module[] = []
  const replacements: Replacements = new Map()
  const go = { version: '', toolchain: '' }
  let isEmpty = true
  for (const { verb, words } of directives(content)) {
    const [first = '', second = ''] = words
    if (verb === 'require') required.push({ path: first, version: second })
    else if (verb === 'replace') takeReplacement(words, replacements)
    else if (verb === 'go') go.version = first
    else if (verb === 'toolchain') go.toolchain = first
    if (verbs.has(verb)) isEmpty = false
  }
  if (isEmpty && content.trim() !== '') throw new ManifestError('It is no go.mod: no line has a directive of Go.')
  for (const module of required) {
    const versioned = replacements.get(`${module.path} ${module.version}`)
    const replaced = versioned === undefined ? replacements.get(module.path) : versioned
    if (replaced !== null) yield mentionOf(replaced ?? module)
  }
  if (go.version !== '') yield { software: 'go', version: goVersion(go) }
}

const verbs: ReadonlySet<string> = new Set([
  'module',
  'go',
  'toolchain',
  'godebug',
  'require',
  'exclude',
  'replace',
  'retract',
  'tool',
  'ignore',
])

function* directives(content: string): Generator<Directive> {
  let block: string | null = null
  for (const line of linesOf(content)) {
    const words = (
      withoutComment(line, '//')
        .slice(0, maxLineLength)
        .match(/[^\s()"`]+|[()]/g) ?? []
    ).map(String)
    const [first, ...rest] = words
    if (first === undefined) continue
    if (first === ')') block = null
    else if (block !== null) yield { verb: block, words }
    else if (rest[0] === '(') block = first
    else yield { verb: first, words: rest }
  }
}

const maxLineLength = 2000

/** `old [version] => new [version]`; without a new version, `new` is a folder. */
function takeReplacement(words: readonly string[], replacements: Replacements): void {
  const arrow = words.indexOf('=>')
  const [path, version] = words.slice(arrow + 1)
  if (arrow < 1 || path === undefined) return
  replacements.set(words.slice(0, arrow).join(' '), version === undefined ? null : { path, version })
}

function mentionOf({ path, version }: Module): Mention {
  return { ecosystem: 'go', name: path, version: version.replace(/^v/, '') }
}

/**
 * From Go 1.21 on both lines name a release; `go 1.20` is a version of the language, which any later release supports.
 */
function goVersion({ version, toolchain }: { version: string; toolchain: string }): string | null {
  const release = /^go(\d+\.\d+(?:\.\d+|rc\d+))/.exec(toolchain) ?? /^(\d+\.\d+(?:\.\d+|rc\d+))$/.exec(version)
  return release?.[1] ?? null
}
