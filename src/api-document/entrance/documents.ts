// What programs read before anything else, each a text that is the same for every reader.
import { apiResource, mcpResource } from '#core/language/well-known.ts'
import { toolsetNames, toolsets } from '#core/toolsets.ts'
import { skillDocuments } from '#api-document/skills/skill-documents.ts'
import type { AnyOperation } from '#operations/pipeline/operation.ts'
import {
  beginning,
  cardType,
  catalogType,
  linkHeader,
  linksetType,
  type Place,
  placesOf,
  sectionsOf,
  summary,
} from './places.ts'

export type DocumentOptions = {
  /** Without a final slash. */
  publicUrl: string
  /** Of this program, as the MCP endpoint names it. */
  version: string
  /** Those that guides may name. */
  operations: readonly AnyOperation[]
}

export type Document = { path: string; type: string; text: string; headers?: Readonly<Record<string, string>> }

/** The index as JSON, for `/`. */
export function indexJson({ publicUrl, version }: DocumentOptions): string {
  const links = Object.fromEntries(placesOf(publicUrl).map(({ name, url }) => [name, url]))
  return toJson({ name: 'Perigee', version, description: `${summary} ${beginning}`, links })
}

/** The same in the form of llmstxt.org, for `/` and `/llms.txt`. */
export function indexMarkdown(publicUrl: string): string {
  const sections = sectionsOf(publicUrl).map(({ title, places }) => `## ${title}\n\n${places.map(lineOf).join('\n')}\n`)
  return [`# Perigee\n\n> ${summary}\n\n${beginning}\n`, ...sections].join('\n')
}

function lineOf({ title, url, about }: Place): string {
  return `- [${title}](${url}): ${about}`
}

export function documentsOf(options: DocumentOptions): Document[] {
  const { publicUrl } = options
  return [
    { path: '/llms.txt', type: 'text/markdown; charset=utf-8', text: indexMarkdown(publicUrl) },
    { path: '/robots.txt', type: 'text/plain; charset=utf-8', text: robots },
    {
      path: '/.well-known/api-catalog',
      type: `${linksetType}; profile="https://www.rfc-editor.org/info/rfc9727"`,
      text: apiCatalog(publicUrl),
      headers: { Link: linkHeader(publicUrl) },
    },
    { path: '/.well-known/ai-catalog.json', type: catalogType, text: aiCatalog(publicUrl) },
    { path: '/mcp/server-card', type: cardType, text: serverCard(options) },
    ...skillDocuments(options).map(({ path, text }) => ({ path, text, type: 'text/markdown; charset=utf-8' })),
  ]
}

/**
 * Crawlers are asked to leave alone what is no page: a visit at the address of a heartbeat would count as its call. Of
 * the rules that fit an address the longest counts (RFC 9309 2.2.2).
 */
const robots = `User-agent: *
Disallow: /api/
Allow: /api/v1/openapi.json
Disallow: /auth/
Disallow: /agent/
Disallow: /oauth2/
Disallow: /ping/
Disallow: /console/
`

/** RFC 9727 with the linkset of RFC 9264. */
function apiCatalog(publicUrl: string): string {
  const places = placesOf(publicUrl)
  const relations = (...names: string[]): Record<string, { href: string; type: string; title: string }[]> => {
    const named = places.flatMap(({ name, rel, ...place }) =>
      rel !== null && names.includes(name) ? [{ rel, place }] : [],
    )
    const byRelation = Object.entries(Object.groupBy(named, ({ rel }) => rel))
    return Object.fromEntries(
      byRelation.map(([rel, found = []]) => [
        rel,
        found.map(({ place: { url: href, type, title } }) => ({ href, type, title })),
      ]),
    )
  }
  return toJson({
    linkset: [
      { anchor: apiResource(publicUrl), ...relations('openapi', 'openapi_short', 'reference', 'agents') },
      {
        anchor: mcpResource(publicUrl),
        'service-desc': [{ href: `${mcpResource(publicUrl)}/server-card`, type: cardType, title: 'MCP server card' }],
        ...relations('agents'),
      },
    ],
  })
}

/** https://github.com/modelcontextprotocol/experimental-ext-server-card, discovery.md */
function aiCatalog(publicUrl: string): string {
  const { hostname } = new URL(publicUrl)
  return toJson({
    specVersion: '1.0',
    entries: [
      { identifier: `urn:air:${hostname}:mcp:perigee`, type: cardType, url: `${mcpResource(publicUrl)}/server-card` },
    ],
  })
}

/** A host name the other way round, as in names of packages: of an address that is a number as it is. */
function reversed(hostname: string): string {
  return /^[\d.]+$|:/.test(hostname) ? hostname.replaceAll(/[^\w.-]/g, '') : hostname.split('.').toReversed().join('.')
}

/** https://github.com/modelcontextprotocol/experimental-ext-server-card, schema.ts. The first remote has all tools. */
function serverCard({ publicUrl, version }: DocumentOptions): string {
  return toJson({
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${reversed(new URL(publicUrl).hostname)}/perigee`,
    version,
    title: 'Perigee',
    description: 'Uptime monitoring: monitors, incidents, alerts and reports, for people and agents.',
    websiteUrl: `${publicUrl}/`,
    remotes: [
      { type: 'streamable-http', url: mcpResource(publicUrl), headers: cardHeaders(publicUrl) },
      {
        type: 'streamable-http',
        url: mcpResource(publicUrl, '{toolset}'),
        headers: cardHeaders(publicUrl),
        variables: {
          toolset: { description: `Which part of the tools. ${toolsetWords}`, isRequired: true, choices: toolsetNames },
        },
      },
    ],
  })
}

const toolsetWords = toolsetNames.map((name) => `${name}: ${toolsets[name]}.`).join(' ')

function cardHeaders(publicUrl: string): Record<string, unknown>[] {
  return [
    {
      name: 'X-API-Key',
      description: `An API token; ${publicUrl}/auth.md says how to get one. Without it there is what a stranger can do.`,
      isRequired: false,
      isSecret: true,
    },
  ]
}

function toJson(content: unknown): string {
  return `${JSON.stringify(content, null, 2)}\n`
}
