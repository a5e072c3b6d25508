import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import { textTag } from '#http/encoded.ts'
import { escapeHtml } from '#http/html-page.ts'
import { type ApiDocument, namedSchema, readDocument } from './reference-document.ts'
import { operationSection, operationsOf, type Placed } from './reference-operations.ts'
import { limitsOf, proseOf, tableOf, typeOf } from './reference-schema.ts'
import { referenceStyle } from './reference-style.ts'

const referencePath = '/reference'

/** The API reference, made of the OpenAPI document: one page that needs no script, written anew when the document is. */
export function createReference({ openApi }: { openApi: () => Promise<string> }): Hono {
  const pages = new Hono()
  let written: { of: string; page: string; tag: string } | null = null
  pages.get(referencePath, async (context) => {
    const text = await openApi()
    if (written === null || written.of !== text) {
      const page = renderReference(readDocument(text))
      written = { of: text, page, tag: textTag(page) }
    }
    const headers = { ETag: written.tag, 'Cache-Control': 'public, max-age=60', 'Content-Security-Policy': policy }
    if (context.req.header('if-none-match') === written.tag) return new Response(null, { status: 304, headers })
    return new Response(written.page, { headers: { ...headers, 'Content-Type': 'text/html; charset=utf-8' } })
  })
  return pages
}

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(referenceStyle).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The whole page, as the service serves it. */
export function renderReference(document: ApiDocument): string {
  const { info } = document
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(info.title)} API reference</title><style>${referenceStyle}</style></head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<nav aria-label="Operations"><p><a href="#content"><strong>${escapeHtml(info.title)} API</strong></a> <span class="quiet">${escapeHtml(info.version)}</span></p>
${referenceContents(document)}</nav>
<main id="content" tabindex="-1">
${referenceText(document, '/openapi.json')}
</main></body></html>
`
}

/** Links to all operations and schemas, for a page that brings its own frame. */
export function referenceContents(document: ApiDocument): string {
  const { tags } = document
  const byTag = operationsByTag(document)
  const schemas = Object.keys(document.components.schemas)
  return `${tags.map(({ name }) => `<h2>${escapeHtml(name)}</h2><ul>${(byTag.get(name) ?? []).map(entryOf).join('')}</ul>`).join('')}
<h2>Schemas</h2><ul>${schemas.map((name) => `<li><a class="plain" href="#${name}">${name}</a></li>`).join('')}</ul>`
}

/** The reference itself; `documentAddress` is where its OpenAPI document is read. */
export function referenceText(document: ApiDocument, documentAddress: string): string {
  const { info, tags, servers } = document
  const byTag = operationsByTag(document)
  const schemas = Object.keys(document.components.schemas)
  return `<h1>API reference</h1>
${proseOf(info.description)}
<p>The API is at <code>${escapeHtml(servers[0].url)}</code>; this page is made of <a href="${escapeHtml(documentAddress)}">its OpenAPI document</a>.</p>
${tags
  .map(
    ({ name, description }) =>
      `<section aria-label="${escapeHtml(name)}"><h2>${escapeHtml(name)}</h2>${proseOf(description)}${(byTag.get(name) ?? []).map((placed) => operationSection(document, placed)).join('')}</section>`,
  )
  .join('')}
<section aria-label="Schemas"><h2>Schemas</h2>${schemas.map((name) => schemaSection(document, name)).join('')}</section>`
}

function operationsByTag(document: ApiDocument): Map<string, Placed[]> {
  return Map.groupBy(operationsOf(document), ({ operation }) => operation.tags[0])
}

function entryOf({ method, operation }: Placed): string {
  return `<li><a href="#${operation.operationId}"><span class="method ${method.toLowerCase()}">${method}</span> ${escapeHtml(operation.summary)}</a></li>`
}

function schemaSection(document: ApiDocument, name: string): string {
  const schema = namedSchema(document, name)
  // No landmark: some schemas are called as a group of operations is.
  return `<div class="operation" id="${name}"><h3 id="${name}-title"><a href="#${name}">${name}</a></h3>
${proseOf(schema.description ?? '')}${schema.properties === undefined ? `<p>${[`${typeOf(schema)}.`, ...limitsOf(schema)].join(' ')}</p>` : tableOf(schema)}</div>`
}
