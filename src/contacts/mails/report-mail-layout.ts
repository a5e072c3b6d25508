import { escapeHtml } from './mail-layout.ts'

export type MailSection = {
  title: string
  /** Null for labels with values. */
  columns: readonly string[] | null
  rows: readonly (readonly string[])[]
  /** Below the rows. */
  lines: readonly string[]
}

export type ReportMail = {
  tone: 'bad' | 'good'
  headline: string
  lead: string
  sections: readonly MailSection[]
  link: { label: string; url: string }
  footer: { text: string; label: string; url: string }
}

const colours = { bad: '#d33a3a', good: '#2c9a5b' } as const

export function reportText({ headline, lead, sections, link, footer }: ReportMail): string {
  const blocks = sections.map(({ title, columns, rows, lines }) => {
    const told = rows.map((cells) => (columns === null ? cells.join(': ') : `- ${cells.join(' | ')}`))
    return [title.toUpperCase(), ...told, ...lines].join('\n')
  })
  const ends = [`${link.label}: ${link.url}`, `-- \n${footer.text} ${footer.label}: ${footer.url}`]
  return `${[headline, lead, ...blocks, ...ends].join('\n\n')}\n`
}

/**
 * Tables that are as wide as the window, up to 640 pixels, so that a phone shows them without scrolling. No images, no
 * backgrounds, no text colours but the accent's: readable on light and dark alike.
 */
export function reportHtml({ tone, headline, lead, sections, link, footer }: ReportMail): string {
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    `<title>${escapeHtml(headline)}</title></head>`,
    '<body style="margin:0;padding:16px;font-family:-apple-system,\'Segoe UI\',Roboto,Arial,sans-serif;font-size:16px;line-height:1.5">',
    '<table role="presentation" width="100%" style="border-collapse:collapse;max-width:640px;margin:0 auto"><tr><td style="padding:0">',
    `<div style="border-left:4px solid ${colours[tone]};padding-left:16px">`,
    `<h1 style="margin:0 0 8px;font-size:20px;line-height:1.3">${escapeHtml(headline)}</h1>`,
    `<p style="margin:0 0 8px">${escapeHtml(lead)}</p>`,
    `<p style="margin:0">${anchor(link)}</p>`,
    '</div>',
    ...sections.map(sectionHtml),
    `<p style="margin:24px 0 0;font-size:13px;opacity:0.75">${escapeHtml(footer.text)} ${anchor(footer)}</p>`,
    '</td></tr></table>',
    '</body></html>',
  ].join('\n')
}

function sectionHtml({ title, columns, rows, lines }: MailSection): string {
  return [
    `<h2 style="margin:24px 0 4px;font-size:16px;line-height:1.3">${escapeHtml(title)}</h2>`,
    rows.length === 0 ? '' : tableHtml(columns, rows),
    ...lines.map((line) => `<p style="margin:4px 0 0;font-size:14px">${escapeHtml(line)}</p>`),
  ]
    .filter((part) => part !== '')
    .join('\n')
}

function tableHtml(columns: MailSection['columns'], rows: MailSection['rows']): string {
  const role = columns === null ? ' role="presentation"' : ''
  const head = columns === null ? '' : `<tr>${columns.map(headCell).join('')}</tr>`
  const body = rows.map((cells) => `<tr>${cells.map(cell).join('')}</tr>`).join('\n')
  return `<table${role} width="100%" style="border-collapse:collapse;font-size:14px">${head}\n${body}</table>`
}

/** The line takes the text's own colour, so that it is seen on light and on dark. */
const edge = 'border-bottom:1px solid rgba(128,128,128,0.35)'

function headCell(text: string, index: number): string {
  const style = `padding:4px 8px 4px 0;${edge};font-weight:600;text-align:${sideOf(index)}`
  return `<th scope="col" style="${style}">${escapeHtml(text)}</th>`
}

function cell(text: string, index: number): string {
  const style = `padding:4px 8px 4px 0;${edge};vertical-align:top;word-break:break-word;text-align:${sideOf(index)}`
  return `<td style="${style}">${escapeHtml(text)}</td>`
}

/** The first column has the names, the others what is told of them. */
function sideOf(index: number): 'left' | 'right' {
  return index === 0 ? 'left' : 'right'
}

function anchor({ label, url }: { label: string; url: string }): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`
}
