import { errorsPath } from '#core/language/error-words.ts'
import { apiResource, mcpResource, wellKnown } from '#core/language/well-known.ts'
import { cardType, catalogType, linksetType, shortFormPath } from '#api-document/entrance/places.ts'
import { skillPath } from '#api-document/skills/skill-documents.ts'
import { skillNames } from '#api-document/skills/skills.ts'
import { type ToolsetName, toolsetNames, toolsets } from '#core/toolsets.ts'
import type { Described } from './described.ts'

const json = 'application/json'
const markdown = 'text/markdown'
const refusal = { description: 'Refused.', content: { [json]: ['Error'] } } as const

type Shown = { path: string; operationId: string; summary: string; types: Readonly<Record<string, readonly string[]>> }

/** `publicUrl` has no final slash. */
export function documentPaths(publicUrl: string): Described[] {
  return [...documentsOf(publicUrl).map(described), mcp, mcpConnect, ...mcpToolsets]
}

function documentsOf(publicUrl: string): Shown[] {
  return [...indexes, ...skills, ...catalogues, ...metadataOf(publicUrl)]
}

const indexes: readonly Shown[] = [
  {
    path: '/',
    operationId: 'read_index',
    summary: 'Index of what there is, by `Accept`; the console for browsers',
    types: { [json]: ['ServiceIndex'], [markdown]: [], 'text/html': [] },
  },
  { path: '/llms.txt', operationId: 'read_llms', summary: 'The index for models', types: { [markdown]: [] } },
  {
    path: '/auth.md',
    operationId: 'read_auth_recipe',
    summary: 'How a program gets a token',
    types: { [markdown]: [] },
  },
  { path: '/openapi.json', operationId: 'read_openapi', summary: 'This document', types: { [json]: ['OpenApi'] } },
  {
    path: shortFormPath,
    operationId: 'read_api_in_short',
    summary: 'The API in short, for models',
    types: { [markdown]: [] },
  },
  {
    path: errorsPath,
    operationId: 'read_errors',
    summary: 'What the codes of errors mean; the types of problems lead here',
    types: { 'text/html': [] },
  },
]

const skills: readonly Shown[] = skillNames.map((name) => ({
  path: skillPath(name),
  operationId: `read_skill_${inSnakeCase(name)}`,
  summary: `A guide for models: ${name.replaceAll('-', ' ')}`,
  types: { [markdown]: [] },
}))

const catalogues: readonly Shown[] = [
  {
    path: '/robots.txt',
    operationId: 'read_robots',
    summary: 'What crawlers are asked to leave alone',
    types: { 'text/plain': [] },
  },
  {
    path: '/.well-known/api-catalog',
    operationId: 'read_api_catalog',
    summary: 'The APIs of this address',
    types: { [linksetType]: ['ApiCatalog'] },
  },
  {
    path: '/.well-known/ai-catalog.json',
    operationId: 'read_ai_catalog',
    summary: 'Where the MCP server card is',
    types: { [catalogType]: ['AiCatalog'] },
  },
  {
    path: '/mcp/server-card',
    operationId: 'read_mcp_server_card',
    summary: 'What an MCP client has to know before it connects',
    types: { [cardType]: ['McpServerCard'] },
  },
  {
    path: '/.well-known/security.txt',
    operationId: 'read_security_contact',
    summary: 'Where weaknesses are reported (RFC 9116), if the operator names a place',
    types: { 'text/plain': [] },
  },
]

function metadataOf(publicUrl: string): Shown[] {
  const resources = [
    { of: publicUrl, operationId: 'read_resource_metadata', what: 'the service' },
    { of: apiResource(publicUrl), operationId: 'read_api_resource_metadata', what: 'the API' },
    { of: mcpResource(publicUrl), operationId: 'read_mcp_resource_metadata', what: 'the MCP endpoint' },
    ...['connect', ...toolsetNames].map((name) => ({
      of: mcpResource(publicUrl, name),
      operationId: `read_mcp_${inSnakeCase(name)}_resource_metadata`,
      what: `/mcp/${name}`,
    })),
  ]
  return [
    {
      path: new URL(wellKnown(publicUrl, 'oauth-authorization-server')).pathname,
      operationId: 'read_issuer_metadata',
      summary: 'Metadata of the issuer of tokens',
      types: { [json]: ['AuthorizationServer'] },
    },
    ...resources.map(({ of, operationId, what }) => ({
      path: new URL(wellKnown(of, 'oauth-protected-resource')).pathname,
      operationId,
      summary: `Metadata of ${what} as a protected resource`,
      types: { [json]: ['ProtectedResource'] },
    })),
    {
      path: '/.well-known/jwks.json',
      operationId: 'read_keys',
      summary: 'The public keys of identity assertions',
      types: { [json]: ['KeySet'] },
    },
    {
      path: '/.well-known/perigee-signing-keys',
      operationId: 'read_signing_keys',
      summary: 'The public keys of what this installation signs, also of earlier ones',
      types: { [json]: ['SigningKeySet'] },
    },
  ]
}

function described({ path, operationId, summary, types }: Shown): Described {
  return {
    path,
    method: 'get',
    operationId,
    tag: 'Discovery',
    summary,
    answers: { 200: { description: summary, content: types }, '4XX': refusal, default: refusal },
  }
}

const mcp: Described = {
  path: '/mcp',
  method: 'post',
  operationId: 'send_mcp_message',
  tag: 'Discovery',
  summary: 'The operations as tools for models (Model Context Protocol, Streamable HTTP)',
  description:
    'Takes the token of the API in `X-API-Key` or as Bearer. Without one there is what a stranger can do. ' +
    'Nothing is kept between two messages.',
  body: { type: json, schemas: ['JsonRpc'] },
  answers: {
    200: { description: 'The answer.', content: { [json]: ['JsonRpc'], 'text/event-stream': [] } },
    202: { description: 'A notification was taken.' },
    '4XX': { description: 'Refused.', content: { [json]: ['JsonRpc'] } },
    default: { description: 'Something went wrong on the server.', content: { [json]: ['JsonRpc'] } },
  },
}

const mcpConnect: Described = {
  ...mcp,
  path: '/mcp/connect',
  operationId: 'send_mcp_message_with_token',
  summary: 'The same tools for programs that sign their person in',
  description: 'Answers 401 without a token, with which OAuth begins (`/oauth2/authorize`).',
}

const mcpToolsets: readonly Described[] = toolsetNames.map(toolsetDescribed)

function toolsetDescribed(name: ToolsetName): Described {
  return {
    ...mcp,
    path: `/mcp/${name}`,
    operationId: `send_mcp_message_to_${inSnakeCase(name)}`,
    summary: `A part of the tools, in less than 8,000 tokens: ${name}`,
    description: `This part ${toolsets[name]}.`,
  }
}

function inSnakeCase(name: string): string {
  return name.replaceAll('-', '_')
}
