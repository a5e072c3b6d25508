import { readFileSync, statSync } from 'node:fs'

export type Given = Readonly<Record<string, string | undefined>>

const maxBytes = 65_536

export type SecretFile = { variable: string; path: string }

/** `unread`: the variables whose files could not be read, without `_FILE`. */
export type WithFiles = { given: Given; problems: string[]; files: SecretFile[]; unread: string[] }

/**
 * Secrets may lie in files, as containers and systemd hand them over: `NAME_FILE` names the one whose text `NAME` would
 * have, without line ends after it. What cannot be read, or is given twice, is a problem in a line each.
 */
export function withFiles(given: Given, secrets: ReadonlySet<string>): WithFiles {
  const found: Record<string, string | undefined> = {}
  const problems: string[] = []
  const files: SecretFile[] = []
  const unread: string[] = []
  for (const [name, text] of Object.entries(given)) {
    const secret = name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : name
    if (secret === name || text === undefined || !secrets.has(secret)) {
      found[name] ??= text
      continue
    }
    if (given[secret] !== undefined) problems.push(`${secret} and ${name} are both set. Set only one of them.`)
    files.push({ variable: name, path: text })
    const read = readSecret(text)
    if (typeof read === 'string') found[secret] = read
    else {
      unread.push(secret)
      problems.push(`${name}: ${JSON.stringify(text)} ${read.problem}.`)
    }
  }
  return { given: found, problems, files, unread }
}

function readSecret(path: string): string | { problem: string } {
  try {
    if (statSync(path).size > maxBytes) return { problem: `is longer than ${maxBytes} bytes` }
    const text = readFileSync(path, 'utf8').replace(/[\r\n]+$/, '')
    return text.trim() === '' ? { problem: 'is empty' } : text
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    return { problem: `cannot be read (${code})` }
  }
}
