// What is at an installation for programs, in one table, of which the index, its Markdown, the Link headers and the
// catalogues are made.
import { inWords } from '#core/language/in-words.ts'
import { apiResource, mcpResource } from '#core/language/well-known.ts'
import { toolsetNames } from '#core/toolsets.ts'
import { skillPath } from '#api-document/skills/skill-documents.ts'
import { type SkillName, skillNames } from '#api-document/skills/skills.ts'

export const linksetType = 'application/linkset+json'
export const cardType = 'application/mcp-server-card+json'
export const catalogType = 'application/ai-catalog+json'

export const shortFormPath = '/openapi.md'

export const summary =
  'Uptime monitoring for people and programs: checks of websites, APIs, certificates, DNS, mail servers and more, from ' +
  'several places, with incidents, alerts and reports.'
export const beginning =
  'A program needs no person to begin: it registers itself, and where the operator sells monitors it pays for what it uses.'

export type Place = {
  /** The member of the JSON index. */
  name: string
  title: string
  url: string
  type: string
  /** How it relates to the whole, where there is a registered word for that (RFC 8288 4.2). */
  rel: string | null
  about: string
}

type Section = { title: string; places: readonly Place[] }

/** `publicUrl` has no final slash. */
export function sectionsOf(publicUrl: string): readonly Section[] {
  return [
    { title: 'API', places: apiPlaces(publicUrl) },
    { title: 'Model Context Protocol', places: mcpPlaces(mcpResource(publicUrl)) },
    { title: 'Skills', places: skillPlaces(publicUrl) },
    { title: 'Catalogues', places: cataloguePlaces(publicUrl) },
  ]
}

function apiPlaces(publicUrl: string): Place[] {
  return [
    {
      name: 'agents',
      title: 'How a program gets a token',
      url: `${publicUrl}/auth.md`,
      type: 'text/markdown',
      rel: 'help',
      about: 'Registration without a person, or with the consent of one; tokens, their exchange and their end.',
    },
    {
      name: 'openapi',
      title: 'OpenAPI document',
      url: `${publicUrl}/openapi.json`,
      type: 'application/json',
      rel: 'service-desc',
      about: 'Every operation with its members, limits, prices and errors.',
    },
    {
      name: 'openapi_short',
      title: 'The API in short',
      url: publicUrl + shortFormPath,
      type: 'text/markdown',
      rel: 'service-desc',
      about: 'Every operation in a line, and the members of every body, in less than 5,000 tokens.',
    },
    {
      name: 'reference',
      title: 'API reference',
      url: `${publicUrl}/reference`,
      type: 'text/html',
      rel: 'service-doc',
      about: 'The same as a page.',
    },
    {
      name: 'api',
      title: 'API',
      url: apiResource(publicUrl),
      type: 'application/json',
      rel: null,
      about: 'The root of all operations.',
    },
  ]
}

function mcpPlaces(mcp: string): Place[] {
  return [
    {
      name: 'mcp',
      title: 'MCP endpoint',
      url: mcp,
      type: 'application/json',
      rel: null,
      about:
        'The operations as tools, over Streamable HTTP. Without a token it shows what a stranger can do. ' +
        `Parts of it that take less of a context: ${inWords(toolsetNames.map((name) => `\`/mcp/${name}\``))}.`,
    },
    {
      name: 'mcp_connect',
      title: 'MCP endpoint for programs that sign their person in',
      url: `${mcp}/connect`,
      type: 'application/json',
      rel: null,
      about: 'The same tools. It answers 401 without a token, with which OAuth begins: a person lets the program in.',
    },
    {
      name: 'mcp_server_card',
      title: 'MCP server card',
      url: `${mcp}/server-card`,
      type: cardType,
      rel: null,
      about: 'What a client has to know before it connects.',
    },
  ]
}

const skills: Readonly<Record<SkillName, { title: string; about: string }>> = {
  'watch-my-site': { title: 'Watch my site', about: 'From an address to an alert that has arrived.' },
  'why-is-it-down': { title: 'Why is it down', about: 'Since when, from where, and the likely cause.' },
  'weekly-report': { title: 'Weekly report', about: 'What happened in seven days.' },
  'cut-noise': { title: 'Cut noise', about: 'Fewer alerts, and every real outage still told.' },
  'prove-the-fix': { title: 'Prove the fix', about: 'Checks from everywhere that began after it.' },
}

function skillPlaces(publicUrl: string): Place[] {
  return skillNames.map((name) => ({
    name: `skill_${name.replaceAll('-', '_')}`,
    title: skills[name].title,
    url: `${publicUrl}${skillPath(name)}`,
    type: 'text/markdown',
    rel: null,
    about: skills[name].about,
  }))
}

function cataloguePlaces(publicUrl: string): Place[] {
  return [
    {
      name: 'index',
      title: 'Index',
      url: `${publicUrl}/`,
      type: 'application/json',
      rel: 'index',
      about: 'This list as JSON, when `Accept` asks for it; the console for browsers.',
    },
    {
      name: 'llms',
      title: 'Index for models',
      url: `${publicUrl}/llms.txt`,
      type: 'text/markdown',
      rel: 'describedby',
      about: 'This list as Markdown.',
    },
    {
      name: 'api_catalog',
      title: 'API catalogue',
      url: `${publicUrl}/.well-known/api-catalog`,
      type: linksetType,
      rel: 'api-catalog',
      about: 'The APIs of this address (RFC 9727).',
    },
    {
      name: 'ai_catalog',
      title: 'AI catalogue',
      url: `${publicUrl}/.well-known/ai-catalog.json`,
      type: catalogType,
      rel: null,
      about: 'Where the MCP server card is.',
    },
  ]
}

export function placesOf(publicUrl: string): Place[] {
  return sectionsOf(publicUrl).flatMap(({ places }) => places)
}

/** The value of a `Link` header (RFC 8288 3). */
export function linkHeader(publicUrl: string): string {
  return placesOf(publicUrl)
    .flatMap(({ url, rel, type }) => (rel === null ? [] : [`<${url}>; rel="${rel}"; type="${type}"`]))
    .join(', ')
}
