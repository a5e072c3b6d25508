import { z } from 'zod'
import { publicSigningKeySchema } from '#core/proofs/signature.ts'
import { agentAnswers } from './agent-schemas.ts'

const text = z.string()
const target = z.strictObject({ href: z.url(), type: text, title: text })
const entry = z.strictObject({ identifier: text, type: text, url: z.url() })
const header = z.strictObject({ name: text, description: text, isRequired: z.boolean(), isSecret: z.boolean() })

const documents = {
  ServiceIndex: z.strictObject({
    name: text,
    version: text,
    description: text,
    links: z.record(text, z.url()).describe('Addresses by name.'),
  }),
  OpenApi: z
    .looseObject({ openapi: text, info: z.looseObject({ title: text, version: text }) })
    .describe('https://spec.openapis.org/oas/v3.1.0'),
  ApiCatalog: z
    .strictObject({
      linkset: z.array(
        z.strictObject({
          anchor: z.url().describe('The API.'),
          'service-desc': z.array(target),
          'service-doc': z.array(target).optional(),
          help: z.array(target),
        }),
      ),
    })
    .describe('RFC 9727, a linkset of RFC 9264.'),
  AiCatalog: z.strictObject({ specVersion: text, entries: z.array(entry) }),
  McpServerCard: z.strictObject({
    $schema: z.url(),
    name: text,
    version: text,
    title: text,
    description: text,
    websiteUrl: z.url(),
    remotes: z.array(
      z.strictObject({
        type: z.literal('streamable-http'),
        url: z.string().describe('An address, or a template of one whose members are in `variables`.'),
        headers: z.array(header),
        variables: z
          .record(
            z.string(),
            z.strictObject({ description: text, isRequired: z.boolean(), choices: z.array(z.string()) }),
          )
          .optional(),
      }),
    ),
  }),
  SigningKeySet: z.strictObject({ keys: z.array(publicSigningKeySchema).describe('RFC 8037 2') }),
  JsonRpc: z
    .looseObject({ jsonrpc: z.literal('2.0') })
    .describe('A message of the Model Context Protocol (modelcontextprotocol.io).'),
  CallRefusal: z.strictObject({ ok: z.literal(false), msg: text }).describe('A refusal in the form of Uptime Kuma.'),
  CallAnswer: z.strictObject({ ok: z.literal(true) }).describe('An answer in the form of Uptime Kuma.'),
}

/** What the addresses beside the API answer, by the names in the document. Closed, as the service answers today. */
export const besideAnswers: Readonly<Record<string, z.ZodType>> = { ...agentAnswers, ...documents }
