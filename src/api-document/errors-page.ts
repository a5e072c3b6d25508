import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import { errorsPath, errorWords } from '#core/language/error-words.ts'
import { isKnown, textTag } from '#http/encoded.ts'
import { escapeHtml } from '#http/html-page.ts'
import { inlineOf } from './reference-schema.ts'
import { referenceStyle } from './reference-style.ts'

/** Where the types of problems lead (RFC 9457 3.1.1): one page, which needs no script. */
export function createErrorsPage(): Hono {
  const pages = new Hono()
  const page = renderErrors()
  const tag = textTag(page)
  const headers = { ETag: tag, 'Cache-Control': 'public, max-age=300', 'Content-Security-Policy': policy }
  pages.get(errorsPath, ({ req }) =>
    isKnown(req.header('if-none-match') ?? '', tag)
      ? new Response(null, { status: 304, headers })
      : new Response(page, { headers: { ...headers, 'Content-Type': 'text/html; charset=utf-8' } }),
  )
  return pages
}

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(referenceStyle).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

function renderErrors(): string {
  const codes = Object.keys(errorWords)
  const sections = Object.entries(errorWords).map(
    ([code, { title, meaning }]) =>
      `<section class="operation" id="${code}"><h2>${escapeHtml(title)}</h2><p><code>${code}</code></p><p>${inlineOf(meaning)}</p></section>`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Errors of the Perigee API</title><style>${referenceStyle}</style></head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<nav aria-label="Codes"><h2>Codes</h2><ul>${codes.map((code) => `<li><a class="plain" href="#${code}">${code}</a></li>`).join('')}</ul></nav>
<main id="content" tabindex="-1">
<h1>Errors of the API</h1>
<p>What <code>error</code> of an answer says, and what to do then. The <a href="/reference">reference</a> says which operation answers which status.</p>
${sections.join('\n')}
</main></body></html>
`
}
