import { escapeHtml } from '#http/html-page.ts'
import { type ApiDocument, type Described, responseOf } from './reference-document.ts'
import { curlOf, exampleOf, jsonOf } from './reference-examples.ts'
import { inlineOf, proseOf, rowOf, tableOf, typeOf } from './reference-schema.ts'

export type Placed = { method: string; path: string; operation: Described }

export function operationsOf({ paths }: ApiDocument): Placed[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

/** One operation: what it does, what it takes, what it answers, and how to ask. */
export function operationSection(document: ApiDocument, placed: Placed): string {
  const { method, path, operation } = placed
  const { operationId: id, summary, description } = operation
  return `<section class="operation" id="${id}" aria-labelledby="${id}-title">
<h3 id="${id}-title"><a href="#${id}">${escapeHtml(summary)}</a></h3>
<p class="address"><span class="method ${method.toLowerCase()}">${method}</span> <code>${escapeHtml(path)}</code></p>
${proseOf(description)}
${parametersOf(operation)}
${bodyOf(operation)}
<h4>Example</h4>
<pre tabindex="0"><code>${escapeHtml(curlOf(document, placed))}</code></pre>
${answersOf(document, operation)}
</section>`
}

function parametersOf({ parameters }: Described): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(({ name, required, description, schema, in: place }) =>
    rowOf({
      name: place === 'query' ? `?${name}` : name,
      isRequired: required,
      schema: description === undefined ? schema : { ...schema, description },
    }),
  )
  return `<h4>Parameters</h4><table><thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Rules</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

function bodyOf({ requestBody }: Described): string {
  const { 'application/json': json, 'application/x-www-form-urlencoded': form } = requestBody?.content ?? {}
  const schema = (json ?? form)?.schema
  const file = requestBody?.content['application/octet-stream']?.schema
  if (file !== undefined)
    return `<h4>Body</h4><p>The file as it is, as <code>application/octet-stream</code>. ${inlineOf(file.description ?? '')}</p>`
  if (schema === undefined) return ''
  const optional = requestBody?.required === false ? ', optional' : ''
  const type = json === undefined ? ', as <code>application/x-www-form-urlencoded</code>' : ''
  return `<h4>Body</h4><p>${typeOf(schema)}${optional}${type}</p>${tableOf(schema)}`
}

function answersOf(document: ApiDocument, { responses }: Described): string {
  const entries = Object.entries(responses).map(([status, given]) => ({
    status,
    response: responseOf(document, given),
  }))
  const rows = entries.map(({ status, response: { description = '', content = {} } }) => {
    const types = Object.entries(content).map(
      ([type, { schema }]) => `${typeOf(schema)} <span class="quiet">${escapeHtml(type)}</span>`,
    )
    return `<tr><td><code>${status}</code></td><td>${inlineOf(description)}</td><td>${types.join('<br>')}</td></tr>`
  })
  const success = entries.find(({ status }) => status.startsWith('2'))
  const schema = success?.response.content?.['application/json']?.schema
  return `<h4>Answers</h4><table><thead><tr><th scope="col">Status</th><th scope="col">When</th><th scope="col">Body</th></tr></thead><tbody>${rows.join('')}</tbody></table>${
    schema === undefined
      ? ''
      : `<details><summary>Body of ${success?.status ?? ''}</summary>${tableOf(schema)}<pre tabindex="0"><code>${escapeHtml(jsonOf(exampleOf(document, schema)))}</code></pre></details>`
  }`
}
