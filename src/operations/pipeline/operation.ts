import type { z } from 'zod'
import type { Actor, ActorKind, AuditSubject } from '#core/audit.ts'
import type { Fields } from '#core/language/error.ts'
import type { Section } from '#core/projects/entries.ts'
import type { Person, MemberRole } from '#core/people/person.ts'
import type { PaymentReceipt, PlainChallenge } from '#payments/mpp.ts'
import type { NoteChange } from './change-record.ts'
import type { Services } from './services.ts'

export type Scope = 'read' | 'write'

/**
 * Where an operation is offered: `api` to every credential, `programs` too but as no tool for models, whose context it
 * would fill, `console` to people who are signed in.
 */
export type Surface = 'api' | 'programs' | 'console'

/** The authenticated caller. An operation acts for one workspace and sees nothing beyond it. */
export type Caller = {
  workspaceId: string
  scope: Scope
  /** Requests are counted by it: the id of a token or of a session. */
  tokenId: string
  /** Shown as the actor of events: the name of the token, the agent or the person. */
  actor: string
  actorKind: ActorKind
  /** The id of the token, the agent or the person; null for the operator. */
  actorId: string | null
  /** The person who is signed in; null for programs. */
  person: Person | null
  /** The role of the person in the workspace; null for programs. */
  role: MemberRole | null
}

/** A person who acts for no workspace. */
export type PersonCaller = { person: Person; sessionId: string; tokenId: string }

/** A call without any credential, in operations that allow it. */
export type StrangerContext = { now: Date; services: Services }

/** What a transport sends. `body` is undefined where the answer has none. */
export type Reply = {
  status: number
  body: unknown
  headers?: Record<string, string>
  /** The challenges of a 402, for transports without headers. */
  challenges?: readonly PlainChallenge[]
  /** What is due and what each way to pay charges, in sentences, beside the challenges. */
  terms?: string
  /** The receipt of a payment, for transports without headers. */
  receipt?: PaymentReceipt
}

export type Call = {
  caller: Caller
  now: Date
  services: Services
  /** The address of the caller, as limits count addresses. Absent for commands of the operator. */
  source?: string
  /**
   * Counts so many further requests, and throws when these are too many. Absent for commands of the operator, which
   * have no limit.
   */
  countMore?: (requests: number) => Promise<void>
}

/** The call as `run` gets it. `noteChange` tells the audit log what path and body do not. */
export type Context = Call & { noteChange: NoteChange }

/** \`caller\` is null for a call without any credential. */
export type JudgeContext = StrangerContext & { caller: Caller | null }

/** \`body\` holds what of the sent body is not refused yet, and \`refused\` names what is. */
export type Judged<Target> = { body: Record<string, unknown>; refused: ReadonlySet<string>; target: Target }

export type PersonContext = { caller: PersonCaller; now: Date; services: Services }

export type Success = {
  status: 200 | 201 | 202 | 204
  description: string
  schema?: z.ZodType
  /** The body where the request names the members that it wants, and has no others. */
  partSchema?: z.ZodType
  /** The body for callers that prefer `text/markdown`. */
  asMarkdown?: (body: unknown) => string
  /** The body is sent as text in one of these forms, never as JSON, and has no `schema`: what is there is no tool. */
  texts?: readonly [TextForm, ...TextForm[]]
}

/** A form of a body that is text: callers choose by `Accept`, and get the first of a list unless they prefer another. */
export type TextForm = {
  /** Its media type, such as `text/plain`. */
  type: string
  /** Of the media type; a caller that names another one does not mean this form. */
  version: string
  write: (body: unknown) => string
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The groups of the documents. */
export const tagDescriptions = {
  Account: 'The workspace that a token acts for: plan, credit, prices, billing details, and the contacts it alerts.',
  Monitors: 'What is checked, how often, and from where.',
  Payments: 'Credit, payments and their receipts.',
  'Results and incidents': 'What the checks found, one by one and by the day, and when monitors were down.',
  'Software and vulnerabilities': 'What a target runs, and what is known to be wrong with it.',
  'Status pages and maintenance': 'What the world sees of the monitors, and when alerts rest.',
  Console: 'What people do when they are signed in: workspaces, members, tokens, sessions.',
} as const

export type Tag = keyof typeof tagDescriptions

type Description<Query, Body> = {
  /** verb_noun, the MCP tool's name and the OpenAPI operationId. */
  name: string
  method: Method
  /** Below /api/v1, with `{id}` for a path member. Every path member is a UUID; `run` gets it in lower case. */
  path: string
  tag: Tag
  summary: string
  description?: string
  /** Parsed from the query string: values are strings, repeated ones lists. See query.ts for numbers. */
  query?: {
    schema: z.ZodType<Query>
    /** Status of a refusal. The limit of results is refused with 400, as the description of that endpoint says. */ refusal?:
      | 400
      | 422
  }
  /** With `isRequired: false` the schema must accept undefined, which stands for no body at all. */
  body?: {
    schema: z.ZodType<Body>
    /** For tools, where they may leave out what the API asks for. */
    toolSchema?: z.ZodType<Body>
    isRequired: boolean
    schemaName: string
    /** Default 1 MB. */
    maxBytes?: number
  }
  /** In place of `body`: one file as it is, of at most so many bytes, as `application/octet-stream`. */
  file?: { maxBytes: number; description: string }
  takesIdempotencyKey?: boolean
  /** What it makes may belong to a project of files: to the section that is named, under the key in `Perigee-Project`. */
  makes?: Section
  /** True for a POST that leaves everything as it is, such as a quote. */
  changesNothing?: boolean
  /** Whether it may take seconds: it waits for others or for a long file, or changes many things in turn. */
  takesLong?: boolean
  /** Whether it may cost something: then it answers 402, and `run` is handed the payment credential. */
  paid?: boolean
  /** Whether it takes from credit, and thus `Perigee-Max-Price`. */
  takesMaxPrice?: boolean
  /** The statuses that its description lists, besides the success and 429. */
  errors: readonly number[]
  success: Success
  /** A second success of another status, such as the replay of a create. */
  otherSuccess?: Success
}

/**
 * A verb of the API: the one object from which the HTTP route, validation, scope check, limits, the audit entry, the
 * OpenAPI operation and the MCP tool are made. `find` loads the `Target` before the body is read, so a foreign or
 * malformed id is 404 whatever the body says (docs/decisions/api-surface.md, "The order of refusals").
 */
export type Operation<Query, Body, Target> = Description<Query, Body> & {
  scope: Scope
  /** Default `api`. */
  surface?: Surface
  /** `owner`: people need to be owners. Tokens need their scope only. */
  role?: 'owner'
  /** What the audit log calls the target; every operation that is no GET has one. */
  subject?: AuditSubject
  /** As how many requests it counts, which its body decides. Default 1. */
  countsAs?: (body: Body) => number
  find?: (context: Context, path: Record<string, string>) => Promise<Target>
  /**
   * What \`run\` would find wrong with a body beyond its schema, without any effect. Only asked where the request is
   * refused anyway, so that a refusal can name everything.
   */
  judge?: (context: JudgeContext, judged: Judged<Target>) => Promise<Fields>
  run: (context: Context, input: Input<Query, Body, Target>) => Promise<Reply>
  /**
   * The same for callers without any credential; where it is absent, they are answered 401
   * (docs/decisions/api-surface.md, "Callers without a credential").
   */
  runForStranger?: (context: StrangerContext, input: Input<Query, Body, undefined>) => Promise<Reply>
}

/** A verb of the console in which a person acts in no workspace. */
export type PersonOperation<Query, Body> = Description<Query, Body> & {
  run: (context: PersonContext, input: Input<Query, Body, undefined>) => Promise<Reply>
}

/** What a request says, parsed. Members the operation does not declare are undefined. */
export type Input<Query, Body, Target> = {
  path: Record<string, string>
  query: Query
  body: Body
  target: Target
  /** Null for operations that take none, and where the transport carries none. */
  file: SentFile | null
  /** Null when none was sent, and for operations that take none. */
  idempotencyKey: string | null
  /** The key of a project that is to stand for what the request makes. */
  projectKey: ProjectKey | null
  payment: SentPayment
}

/** The pieces of a file as they come, once. Refuses with 413 beyond the limit, and with 400 where it ends too early. */
export type SentFile = AsyncIterable<Uint8Array>

export type ProjectKey = { project: string; key: string }

/** What a request says about paying; empty for operations that cost nothing. */
export type SentPayment = {
  /** As the transport found it, unread; undefined when none was sent. */
  credential: unknown
  /** The header `Accept-Payment`. */
  preference: string | null
  x402?: SentX402
  /** The header `Perigee-Max-Price`: what the request may take from credit, in cents. Absent: any amount. */
  maxCents?: number
}

/** What a transport over which x402 is offered says about it. */
export type SentX402 = {
  /** The header `PAYMENT-SIGNATURE`; null when none was sent. */
  signature: string | null
  /** The address that was asked for, without its query. */
  resource: string
}

/** A request as a transport hands it over, unvalidated. */
export type RawRequest = {
  path: Record<string, string>
  query: Record<string, string | string[]>
  /** Undefined when no body was sent. Refuses with 400, 413 or 415. */
  readBody: (maxBytes: number) => Promise<unknown>
  /** Of transports that carry files. Refuses with 413 or 415. */
  openFile?: (maxBytes: number) => SentFile
  idempotencyKey: string | null
  /** The payment credential: undefined, one text, a list of several, or the object that MCP carries. */
  payment: unknown
  /** The header `Accept-Payment`, of transports that have headers. */
  acceptPayment?: string | undefined
  /** Of transports that have headers and addresses. */
  x402?: SentX402
  /** The header `Perigee-Max-Price`, of transports that have headers. */
  maxPrice?: string | undefined
  /** The header `Perigee-Project`, of transports that have headers. */
  projectKey?: string | undefined
  /**
   * Given by transports whose callers repair a request from one refusal: what is wrong with the names of its arguments,
   * if anything. Then the refusal also names what the rules of the operation find (`judge`).
   */
  argumentProblems?: Fields
}

type Described = Description<unknown, unknown> & { scope: Scope; surface: Surface; role?: 'owner' }

/** An operation with its types closed over, as the pipeline and the documents use it. */
export type WorkspaceVerb = Described & {
  actsFor: 'workspace'
  subject?: AuditSubject
  /** Everything after the scope check: find the target, read the input, run, record. */
  perform: (call: Call, request: RawRequest) => Promise<Reply>
  /** Null for operations that need a credential. */
  performForStranger: ((context: StrangerContext, request: RawRequest) => Promise<Reply>) | null
}

export type PersonVerb = Described & {
  actsFor: 'person'
  perform: (context: PersonContext, request: RawRequest) => Promise<Reply>
}

export type AnyOperation = WorkspaceVerb | PersonVerb

/** As the audit log shows who called. */
export function actorOf({ actorKind, actorId, actor }: Caller): Actor {
  return { kind: actorKind, id: actorId, name: actor }
}
