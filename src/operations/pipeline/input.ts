import { isUuid } from '#core/language/uuid.ts'
import { z } from 'zod'
import { type Fields, fail, invalidFields } from '#core/language/error.ts'
import { idForm } from '#core/projects/entries.ts'
import type { Input, Operation, ProjectKey, RawRequest, SentPayment } from './operation.ts'
import { type Parsed, parse } from './validation.ts'

const keyName = 'Idempotency-Key'
const keyLength = 'Must have 1 to 255 characters.'
const keySchema = z.object({ [keyName]: z.string().min(1, keyLength).max(255, keyLength) })
const projectName = 'Perigee-Project'
const projectSchema = z.object({
  [projectName]: z
    .string()
    .refine((text) => text.split('/').length === 2 && text.split('/').every((part) => idForm.test(part)), {
      message: 'Must be the id of a project and a key, such as shop/site.',
    }),
})
const priceName = 'Perigee-Max-Price'
const priceSchema = z.object({ [priceName]: z.string().regex(/^\d{1,9}$/, 'Must be a whole number of cents.') })
const defaultMaxBytes = 1024 * 1024

/** A malformed id is 404 like one of another workspace: an answer must not tell which ids exist. */
export function readIds(path: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(path).map(([name, id]) => {
      if (!isUuid(id)) throw fail('not_found', 'There is no such resource in this workspace.')
      return [name, id.toLowerCase()]
    }),
  )
}

/** What the rules of an operation find wrong with the members of a body that were not refused. */
export type Judge = (body: Record<string, unknown>, refused: ReadonlySet<string>) => Promise<Fields>

/**
 * Parses all of a request and reports all of its problems at once; where the transport asks for it, also those that
 * `judge` finds.
 */
export async function readInput<Query, Body>(
  operation: Pick<
    Operation<Query, Body, never>,
    'query' | 'body' | 'file' | 'takesIdempotencyKey' | 'makes' | 'takesMaxPrice' | 'paid'
  >,
  request: RawRequest,
  judge: Judge | null = null,
): Promise<Omit<Input<Query, Body, never>, 'path' | 'target'>> {
  const { argumentProblems } = request
  const sent = await readSent(operation.body, request)
  const body = operation.body === undefined ? undeclared<Body>() : parse(bodySchema(operation.body, request), sent)
  const query = operation.query === undefined ? undeclared<Query>() : parse(operation.query.schema, request.query)
  const key = readKey(operation.takesIdempotencyKey === true ? request.idempotencyKey : null)
  const projectKey = readProjectKey(operation.makes === undefined ? undefined : request.projectKey)
  const maxCents = readMaxCents(operation.takesMaxPrice === true ? request.maxPrice : undefined)
  const payment = readPayment(operation.paid === true ? request : {})
  if (query.ok && body.ok && key.ok && projectKey.ok && maxCents.ok && isEmpty(argumentProblems))
    return {
      query: query.value,
      body: body.value,
      file: operation.file === undefined ? null : (request.openFile?.(operation.file.maxBytes) ?? null),
      idempotencyKey: key.value,
      projectKey: projectKey.value,
      payment: { ...payment, ...maxCents.value },
    }
  const parts = [query, body, key, projectKey, maxCents]
  // Assigning would take a field of the name __proto__ for the object's prototype.
  const found: Fields = Object.fromEntries(
    [argumentProblems ?? {}, ...parts.map(problems)].flatMap((each) => Object.entries(each)),
  )
  const others = judge === null || argumentProblems === undefined ? {} : await judgeRest(sent, found, judge)
  const status = query.ok ? 422 : (operation.query?.refusal ?? 422)
  throw invalidFields({ ...found, ...others }, { status })
}

/** Only tools are told of problems with the names of their arguments. */
function bodySchema<Body>(
  { schema, toolSchema = schema }: NonNullable<Operation<unknown, Body, never>['body']>,
  { argumentProblems }: RawRequest,
): typeof schema {
  return argumentProblems === undefined ? schema : toolSchema
}

function isEmpty(fields: Fields | undefined): boolean {
  return fields === undefined || Object.keys(fields).length === 0
}

async function judgeRest(sent: unknown, found: Fields, judge: Judge): Promise<Fields> {
  if (typeof sent !== 'object' || sent === null) return {}
  const refused = new Set(Object.keys(found).map((field) => field.split('.', 1)[0] ?? field))
  return judge(Object.fromEntries(Object.entries(sent).filter(([member]) => !refused.has(member))), refused)
}

async function readSent(
  body: { isRequired: boolean; maxBytes?: number } | undefined,
  request: RawRequest,
): Promise<unknown> {
  if (body === undefined) return undefined
  const sent = await request.readBody(body.maxBytes ?? defaultMaxBytes)
  if (sent === undefined && body.isRequired) throw fail('invalid_json', 'The request needs a JSON object as its body.')
  return sent
}

/**
 * A credential is judged only when the request costs money. Several are refused, since nothing tells which one to
 * charge.
 */
function readPayment({ payment, acceptPayment, x402 }: Partial<RawRequest>): SentPayment {
  const signature = x402?.signature ?? null
  if (Array.isArray(payment) || signature?.includes(',') === true)
    throw fail('bad_request', 'Send only one payment credential.')
  if (payment !== undefined && signature !== null)
    throw fail('bad_request', 'Send either `Authorization: Payment` or `PAYMENT-SIGNATURE`, not both.')
  return { credential: payment, preference: acceptPayment ?? null, ...(x402 === undefined ? {} : { x402 }) }
}

function readKey(key: string | null): Parsed<string | null> {
  if (key === null) return { ok: true, value: null }
  const parsed = parse(keySchema, { [keyName]: key })
  return parsed.ok ? { ok: true, value: key } : parsed
}

/** The part before the slash is the project, what follows is the key: neither can have one. */
function readProjectKey(text: string | undefined): Parsed<ProjectKey | null> {
  if (text === undefined) return { ok: true, value: null }
  const parsed = parse(projectSchema, { [projectName]: text })
  if (!parsed.ok) return parsed
  const [project = '', key = ''] = text.split('/')
  return { ok: true, value: { project, key } }
}

function readMaxCents(text: string | undefined): Parsed<Pick<SentPayment, 'maxCents'>> {
  if (text === undefined) return { ok: true, value: {} }
  const parsed = parse(priceSchema, { [priceName]: text })
  return parsed.ok ? { ok: true, value: { maxCents: Number(text) } } : parsed
}

function problems(parsed: Parsed<unknown>): Fields {
  return parsed.ok ? {} : parsed.fields
}

/** The value of a part that an operation does not declare: its type was inferred from nothing and holds anything. */
export function undeclared<T>(): Parsed<T> & { ok: true } {
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- nothing reads it.
  return { ok: true, value: undefined as T }
}
