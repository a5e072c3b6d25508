// The fixture tools of the public conformance suite; some of them ask the client for something.
import {
  CLIENT_CAPABILITIES_META_KEY,
  type CallToolResult,
  type InputRequiredResult,
  type InputRequests,
  type JsonSchemaType,
  type RequestStateCodec,
  type ServerContext,
  acceptedContent,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { askFor, embedded, image, said, sound } from './mcp-fixture-contents.ts'

type Answer = CallToolResult | InputRequiredResult
type Call = (ctx: ServerContext) => Promise<Answer> | Answer
export type FixtureTool = { name: string; schema: JsonSchemaType; call: Call }

export function fixtureTools(states: RequestStateCodec<string>): FixtureTool[] {
  const calls = { ...plainTools, ...askingTools(states) }
  return Object.entries(calls).map(([name, call]) => ({ name, schema: schemas[name] ?? noArguments, call }))
}

const noArguments: JsonSchemaType = { type: 'object', properties: {} }
/** A keyword of the protocol (SEP-2243), which JSON Schema does not know. */
const inHeader = { type: 'string', 'x-mcp-header': 'Place' } as const
const schemas: Readonly<Record<string, JsonSchemaType>> = {
  // Keywords of JSON Schema 2020-12, which have to arrive as they are.
  json_schema_2020_12_tool: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' }, phone: { type: 'string' } },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['name'] }] }],
    if: { required: ['phone'] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { required: ['name'] },
    else: { required: ['address'] },
    additionalProperties: false,
  },
  test_headers: { type: 'object', properties: { place: inHeader } },
}

const plainTools: Readonly<Record<string, Call>> = {
  test_simple_text: () => done('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [sound] }),
  test_embedded_resource: () => ({
    content: [embedded('test://embedded-resource', 'This is an embedded resource content.')],
  }),
  test_multiple_content_types: () => ({
    content: [said('Several kinds:'), image, embedded('test://mixed-content-resource', '{"test":"data"}')],
  }),
  test_error_handling: () => ({ ...done('This tool intentionally returns an error for testing'), isError: true }),
  test_tool_with_logging: log,
  test_logging_tool: log,
  test_tool_with_progress: async ({ mcpReq }) => {
    const { _meta: { progressToken } = {} } = mcpReq
    for (const progress of progressToken === undefined ? [] : [0, 50, 100])
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken: progressToken ?? 0, progress, total: 100 },
      })
    return done('It has said how far it was.')
  },
  json_schema_2020_12_tool: () => done('Its schema is what is looked at.'),
  test_headers: () => done('Its headers are what is looked at.'),
}

const forName = { user_name: askFor('name', 'What is your name?') }
const forConsent = { confirm: askFor('ok', 'Please confirm.') }
const forCapital = { capital_question: question('What is the capital of France?') }
const forRoots = { client_roots: inputRequired.listRoots() }

/** Tools that take several requests. The client carries their state between the requests, sealed. */
function askingTools(states: RequestStateCodec<string>): Readonly<Record<string, Call>> {
  const withState = async (inputRequests: InputRequests, state: string, ctx: ServerContext) =>
    inputRequired({ inputRequests, requestState: await states.mint(state, ctx) })
  const confirmed: Call = async (ctx) =>
    isAnswered(ctx, 'confirm') && ctx.mcpReq.requestState<string>() === 'asked'
      ? done('state-ok')
      : withState(forConsent, 'asked', ctx)
  return {
    test_input_required_result_elicitation: asking(forName),
    test_streaming_elicitation: asking(forName),
    test_input_required_result_sampling: asking(forCapital),
    test_missing_capability: asking(forCapital),
    test_input_required_result_list_roots: asking(forRoots),
    test_input_required_result_capabilities: (ctx) => asking(canBeAsked(ctx) ? forName : forCapital)(ctx),
    test_input_required_result_request_state: confirmed,
    test_input_required_result_tampered_state: confirmed,
    test_input_required_result_multiple_inputs: async (ctx) => {
      const requests = { ...forName, ...forCapital, ...forRoots }
      return Object.keys(requests).every((key) => isAnswered(ctx, key)) ? done('All.') : withState(requests, 'all', ctx)
    },
    test_input_required_result_multi_round: async (ctx) => {
      const state = ctx.mcpReq.requestState<string>()
      if (state === 'color' && isAnswered(ctx, 'step2')) return done('Both.')
      if (state === 'name' && isAnswered(ctx, 'step1'))
        return withState({ step2: askFor('color', 'Which color?') }, 'color', ctx)
      return withState({ step1: askFor('name', 'What is your name?') }, 'name', ctx)
    },
  }
}

async function log({ mcpReq }: ServerContext): Promise<Answer> {
  for (const step of ['started', 'processing', 'completed']) await mcpReq.log('info', `Tool execution ${step}`)
  return done('It has said what it did.')
}

/** Asks for one thing, until it is there. */
function asking(inputRequests: InputRequests): Call {
  return (ctx) =>
    Object.keys(inputRequests).every((key) => isAnswered(ctx, key))
      ? done(`Answered: ${JSON.stringify(ctx.mcpReq.inputResponses)}`)
      : inputRequired({ inputRequests })
}

const envelopeSchema = z.looseObject({
  [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({ elicitation: z.unknown() }),
})

/** Whether the client says that it can put questions to its person. */
function canBeAsked({ mcpReq: { envelope } }: ServerContext): boolean {
  return envelopeSchema.safeParse(envelope).data?.[CLIENT_CAPABILITIES_META_KEY].elicitation !== undefined
}

function isAnswered({ mcpReq }: ServerContext, key: string): boolean {
  const { kind } = inputResponse(mcpReq.inputResponses, key)
  return kind === 'elicit' ? acceptedContent(mcpReq.inputResponses, key) !== undefined : kind !== 'missing'
}

function question(words: string) {
  return inputRequired.createMessage({ messages: [{ role: 'user', content: said(words) }], maxTokens: 100 })
}

function done(words: string): CallToolResult {
  return { content: [said(words)] }
}
