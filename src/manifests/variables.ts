/** Stands for a value that only the environment knows. No name and no version contains it. */
export const unknownText = '\0'

/** No image reference is longer, and a text that grows beyond it grows no further. */
const maxLength = 1000
const maxDepth = 10

/**
 * Fills in `$NAME`, `${NAME}`, `${NAME:-default}` and `${NAME:+other}` as Compose and Dockerfiles do; `$$` is a dollar.
 * Names without a value and a default become `unknownText`.
 */
export function substitute(text: string, values: ReadonlyMap<string, string>): string {
  if (!text.includes('$')) return text
  if (text.length > maxLength) return unknownText
  const { value } = readUntil({ text, values, depth: 0 }, 0)
  return value.length > maxLength ? unknownText : value
}

type Template = { text: string; values: ReadonlyMap<string, string>; depth: number }
type Read = { value: string; end: number }

/** Reads to the end, or inside of braces to the closing one, at which `end` points. */
function readUntil(template: Template, from: number): Read {
  const { text, depth } = template
  const end = depth === 0 ? '' : '}'
  let value = ''
  let at = from
  while (at < text.length && text[at] !== end) {
    if (text[at] !== '$') value += text[at++]
    else if (text[at + 1] === '$') {
      value += '$'
      at += 2
    } else {
      const variable = readVariable(template, at + 1)
      value += variable.value
      at = variable.end
    }
  }
  return { value: value.length > maxLength ? unknownText : value, end: at }
}

function readVariable(template: Template, at: number): Read {
  const { text, values, depth } = template
  const isBraced = text[at] === '{'
  const name = /^[a-z_]\w*/i.exec(text.slice(isBraced ? at + 1 : at))?.[0] ?? ''
  const known = values.get(name)
  if (!isBraced) return { value: name === '' ? '$' : (known ?? unknownText), end: at + name.length }
  const [operator = ''] = /^:?[-+?]/.exec(text.slice(at + 1 + name.length)) ?? []
  if (depth >= maxDepth) return { value: unknownText, end: text.length }
  const other = readUntil({ ...template, depth: depth + 1 }, at + 1 + name.length + operator.length)
  const isSet = known !== undefined && !(operator.startsWith(':') && known === '')
  return { value: chosen(operator, isSet ? known : null, other.value), end: other.end + 1 }
}

function chosen(operator: string, known: string | null, other: string): string {
  if (operator.endsWith('-')) return known ?? other
  if (operator.endsWith('+')) return known === null ? '' : other
  return known ?? unknownText
}
