import { richText } from './status-text.ts'

/**
 * A post-mortem as readers see it: headings, lists and paragraphs of Markdown, and bold words. Each line is looked at
 * once, and all else is shown as it was written, so that no text of a member takes the page long or becomes HTML.
 */
export function postMortemHtml(body: string): string {
  const blocks: Block[] = []
  let before: Line['type'] = 'none'
  for (const line of body.split(/\r\n|\r|\n/)) {
    const { type, text } = readLine(line)
    const last = blocks.at(-1)
    if (type !== 'none' && type !== 'heading' && type === before && last !== undefined) last.lines.push(inline(text))
    else if (type !== 'none') blocks.push({ type, lines: [inline(text)] })
    before = type
  }
  return blocks.map(htmlOf).join('')
}

type Block = { type: 'heading' | 'text' | 'bullets' | 'numbers'; lines: string[] }
type Line = { type: Block['type'] | 'none'; text: string }

function readLine(line: string): Line {
  const text = line.trim()
  if (text === '') return { type: 'none', text }
  const marks = [
    ['heading', /^#{1,6} +/],
    ['bullets', /^[-*+] +/],
    ['numbers', /^\d{1,9}[.)] +/],
  ] as const
  for (const [type, mark] of marks) if (mark.test(text)) return { type, text: text.replace(mark, '') }
  return { type: 'text', text }
}

function htmlOf({ type, lines }: Block): string {
  if (type === 'heading') return `<p><strong>${lines.join('')}</strong></p>`
  if (type === 'text') return `<p>${lines.join('<br>')}</p>`
  const items = lines.map((line) => `<li>${line}</li>`).join('')
  return type === 'bullets' ? `<ul>${items}</ul>` : `<ol>${items}</ol>`
}

/** Bold words; asterisks that enclose nothing stay. */
function inline(text: string): string {
  return text
    .split(/(\*\*[^*]+\*\*)/)
    .map((part) => (isBold(part) ? `<strong>${richText(part.slice(2, -2))}</strong>` : richText(part)))
    .join('')
}

function isBold(part: string): boolean {
  return part.length > 4 && part.startsWith('**') && part.endsWith('**')
}
