import { linesOf, withoutComment } from './lines.ts'
import { ManifestError, type Mention } from './manifest.ts'

/**
 * The requirements of a requirements.txt, with a version where `==` or `===` names one. Files to which it refers are
 * imported separately. Lines that pip would refuse are skipped, unless there are no others.
 */
export function* readRequirements(content: string): Generator<Mention> {
  let isBroken = false
  let isEmpty = true
  for (const line of logicalLines(content)) {
    const text = withoutComment(line, '#').trim()
    if (text === '') continue
    const mention = mentionOf(text)
    if (mention === 'refused') isBroken = true
    else isEmpty = false
    if (typeof mention === 'object') yield mention
  }
  if (isBroken && isEmpty) throw new ManifestError('It is no requirements.txt: no line names a package.')
}

/** The rest of a longer line is hashes, which are not read. */
const maxLineLength = 1000

/** A line that ends in a backslash continues in the next; a comment does not. */
function* logicalLines(content: string): Generator<string> {
  let text = ''
  for (const line of linesOf(content)) {
    const goesOn = line.endsWith('\\') && !/^\s*#/.test(line)
    if (text.length < maxLineLength) text += line.slice(0, goesOn ? -1 : undefined).slice(0, maxLineLength)
    if (goesOn) continue
    yield text
    text = ''
  }
  yield text
}

/** `nothing` is for options, addresses and paths (PEP 508, and pip's additions). */
function mentionOf(text: string): Mention | 'nothing' | 'refused' {
  if (/^(?:-|\.{0,2}\/|[a-z][a-z+]*:)|^\S+\.(?:whl|zip|tar\.gz)$/i.test(text)) {
    const egg = /[#&]egg=([a-z\d][\w.-]*)/i.exec(text)?.[1]
    return egg === undefined ? 'nothing' : { ecosystem: 'pypi', name: egg, version: null }
  }
  const [requirement = ''] = text.split(/;|\s--?[a-z]/i)
  const [, name = '', clauses = ''] = /^([a-z\d][\w.-]*)\s*(?:\[[^\]]*\])?\s*(.*)$/i.exec(requirement.trim()) ?? []
  if (name === '') return 'refused'
  if (clauses === '' || clauses.startsWith('@')) return { ecosystem: 'pypi', name, version: null }
  const pinned = pinnedVersion(clauses.replace(/^\((.*)\)$/, '$1'))
  return pinned === 'refused' ? 'refused' : { ecosystem: 'pypi', name, version: pinned.version }
}

/** In `>= 2.8.1, == 2.8.3`, the version after `==`; null without one, or where it has a wildcard or a variable. */
function pinnedVersion(clauses: string): { version: string | null } | 'refused' {
  let pinned = null
  for (const clause of clauses.split(',')) {
    const [, operator, version = ''] = /^\s*([=!~]=|===|[<>]=?)\s*([\w.*+!-]+|\$\{\w+\})\s*$/.exec(clause) ?? []
    if (operator === undefined) return 'refused'
    if (operator.startsWith('==') && !/[*$]/.test(version)) pinned = version
  }
  return { version: pinned }
}
