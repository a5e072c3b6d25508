// The end of what a failed job printed, as it is kept: without what looks like a secret (docs/evidence.md).
import { mask } from '#core/language/mask.ts'
import { redact } from '#core/language/redact.ts'

/** In UTF-8. */
export const maxLogBytes = 10 * 1024

/** More than what is kept, so that a secret at the edge is seen whole, and so little that it is looked through at once. */
const readCharacters = 2 * maxLogBytes

/**
 * The end of a log in at most 10 KB, from a beginning of a line on; null where nothing is left. `secrets` are masked by
 * their value, and what has the form of a secret by that.
 */
export function logExcerpt(log: string, secrets: readonly string[]): string | null {
  const read = log.slice(-readCharacters).toWellFormed()
  const shown = maskForms(redact(withoutControls(read), secrets))
  const excerpt = lastBytes(shown, maxLogBytes, read.length < log.length).trim()
  return excerpt === '' ? null : excerpt
}

/** The end of both, with one line after the other. */
export function joinLogs(before: string | null, log: string): string {
  return before === null ? log : lastBytes(`${before}\n${log}`, maxLogBytes, false).trim()
}

/** Escape sequences of terminals, other control characters, and those that turn the direction of a text. */
function withoutControls(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(terminalSequence, '').replaceAll(controlCharacter, '')
}

const terminalSequence = new RegExp(String.raw`\u001b\[[0-9;?]{0,32}[A-Za-z]`, 'g')
const controlCharacter = /[^\P{C}\n\t]/gu

function lastBytes(text: string, most: number, isCut: boolean): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= most && !isCut) return text
  const end = bytes.subarray(-most).toString('utf8')
  // The line at the edge is not whole, and what stood before could have told that it is a secret.
  const line = end.indexOf('\n')
  return line === -1 ? '' : end.slice(line + 1)
}

function maskForms(text: string): string {
  return forms.reduce((shown, [form, replacement]) => shown.replaceAll(form, replacement), text)
}

const secretName = String.raw`[\w-]{0,40}(?:passw(?:or)?d|passphrase|pwd|secret|token|credential|api[_-]?key|access[_-]?key|private[_-]?key)[\w-]{0,40}`

/** Each looks at a text in a time that grows with its length alone: every repetition has a limit. */
const forms: readonly (readonly [form: RegExp, replacement: string])[] = [
  // Private keys, and the end of one whose beginning is not here.
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g, mask],
  [/^[^-]*-----END [A-Z ]{0,40}PRIVATE KEY-----/g, mask],
  // The password of a URL.
  [/\b([a-z][a-z0-9+.-]{0,30}:\/\/[^\s/@:]{0,200}:)[^\s/@]{1,500}@/gi, `$1${mask}@`],
  [/\b(authorization["']?\s{0,4}[:=]\s{0,4}["']?)[^\n"']{1,2000}/gi, `$1${mask}`],
  [/\b(cookie["']?\s{0,4}[:=]\s{0,4}["']?)[^\n"']{1,2000}/gi, `$1${mask}`],
  [/\b(bearer|basic)\s{1,4}[\w+/=.~-]{8,2000}/gi, `$1 ${mask}`],
  // `DB_PASSWORD=…`, `"token": "…"`, `--password …`
  [
    new RegExp(
      String.raw`\b(${secretName}["']?\s{0,4}[=:]\s{0,4})("[^"\n]{1,1000}"|'[^'\n]{1,1000}'|[^\s"'&,;]{1,1000})`,
      'gi',
    ),
    `$1${mask}`,
  ],
  // `curl -u name:password`
  [
    /(\s(?:-u|--user)[\s=]{1,4})("[^"\n:]{1,200}:[^"\n]{1,500}"|'[^'\n:]{1,200}:[^'\n]{1,500}'|[^\s"':]{1,200}:[^\s"']{1,500})/g,
    `$1${mask}`,
  ],
  [new RegExp(String.raw`(--${secretName}\s{1,4})("[^"\n]{1,1000}"|'[^'\n]{1,1000}'|\S{1,1000})`, 'gi'), `$1${mask}`],
  // Tokens of JWT (RFC 7519), GitHub, GitLab, Slack, Stripe, npm, AWS, Google, and our own.
  [/\beyJ[\w-]{8,2000}\.[\w-]{8,4000}(?:\.[\w-]{0,1000})?/g, mask],
  [
    /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|[rs]k_(?:live|test)_|npm_|pg[kacrd]_|clm_|cat_)[\w-]{16,300}/g,
    mask,
  ],
  [/\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g, mask],
  [/\bAIza[\w-]{35}/g, mask],
]
