import { linesOf } from './lines.ts'
import { ManifestError, type Mention } from './manifest.ts'

/**
 * The gems of a Gemfile.lock, and the Ruby of `RUBY VERSION`. A gem for several platforms (`1.19.4-x86_64-linux`)
 * counts once. Throws ManifestError.
 */
export function* readGemfileLock(content: string): Generator<Mention> {
  let section = ''
  let lineNumber = 0
  let isEmpty = true
  for (const line of linesOf(content)) {
    lineNumber++
    if (line.trim() === '') continue
    if (!line.startsWith(' ')) {
      if (!/^[A-Z][A-Z ]*$/.test(line.trimEnd())) throw brokenLine(lineNumber)
      section = line.trimEnd()
      if (sections.has(section)) isEmpty = false
    } else if (section === '') throw brokenLine(lineNumber)
    else if (section === 'RUBY VERSION') {
      const version = /^\s*ruby (\d[\w.]*?)(?:p\d+)?$/.exec(line.trimEnd())?.[1]
      if (version !== undefined) yield { software: 'ruby', version }
    } else if (sources.has(section) && /^ {4}[^ ]/.test(line)) {
      const [, name, version] = /^ {4}(\S+) \(([^\s()-]+)(?:-[^\s()]+)?\)!?$/.exec(line.trimEnd()) ?? []
      if (name === undefined || version === undefined) throw brokenLine(lineNumber)
      yield { ecosystem: 'gem', name, version }
    }
  }
  if (isEmpty && section !== '') throw new ManifestError('It is no Gemfile.lock: it has none of its sections.')
}

/** Sections with `specs:`, in which gems are indented by four spaces and their dependencies by six. */
const sources: ReadonlySet<string> = new Set(['GEM', 'GIT', 'PATH', 'PLUGIN SOURCE'])

/** Those without gems may stand alone where a project has none. */
const sections: ReadonlySet<string> = new Set([
  ...sources,
  'PLATFORMS',
  'DEPENDENCIES',
  'CHECKSUMS',
  'RUBY VERSION',
  'BUNDLED WITH',
])

function brokenLine(lineNumber: number): ManifestError {
  return new ManifestError(`It is no Gemfile.lock that can be read (line ${lineNumber}).`)
}
