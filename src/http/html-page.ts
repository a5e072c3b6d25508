import { createHash } from 'node:crypto'

export type Page = {
  /** BCP 47 */
  language: string
  title: string
  text: string
  /** A button that posts to the page's own address; null when there is nothing to do. */
  button: string | null
  /** What the button sends, by name. */
  hidden?: Readonly<Record<string, string>>
}

const style = `:root{color-scheme:light dark}
body{margin:0;padding:15vh 24px 24px;font:16px/1.5 system-ui,sans-serif}
main{max-width:480px;margin:0 auto}
h1{margin:0 0 8px;font-size:22px;line-height:1.3}
p{margin:0 0 24px;overflow-wrap:anywhere}
button{font:inherit;padding:10px 20px;border:0;border-radius:8px;background:#1f6feb;color:#fff;cursor:pointer}
button:focus-visible{outline:3px solid #79b0ff;outline-offset:2px}`

/** Nothing loads, nothing runs, nothing frames it; its form may only come back here. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

export function renderPage({ language, title, text, button, hidden = {} }: Page): string {
  return [
    '<!doctype html>',
    `<html lang="${language}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex">',
    `<title>${escapeHtml(title)}</title><style>${style}</style></head>`,
    `<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>`,
    button === null
      ? ''
      : `<form method="post">${fields(hidden)}<button type="submit">${escapeHtml(button)}</button></form>`,
    '</main></body></html>\n',
  ].join('\n')
}

function fields(hidden: Readonly<Record<string, string>>): string {
  return Object.entries(hidden)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('')
}

const special = /[&<>"']/

/** For text and for attributes in double quotes. */
export function escapeHtml(text: string): string {
  if (!special.test(text)) return text
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
