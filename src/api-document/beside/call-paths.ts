import { pushPath } from '#core/monitors/imported-calls.ts'
import { maxNoteLength } from '#core/monitors/heartbeat.ts'
import { callPath } from '#operations/monitors/heartbeat-address.ts'
import type { JsonSchema } from '#api-document/openapi-schemas.ts'
import type { Answered, Described } from './described.ts'

const json = 'application/json'

const token = path('token', 'The secret part of the address of a heartbeat, webhook or push_metric monitor.')

const refused = (description: string): Answered => ({ description, content: { [json]: ['Error'] } })

const answers = {
  200: { description: 'The call is stored, or the monitor is paused.', content: { 'text/plain': [] } },
  400: refused('A push_metric monitor was told no number that counts. It was not called.'),
  404: refused('There is no such address.'),
  413: refused('The body has more than 1 MB.'),
  429: refused('More than 60 calls in a minute for one monitor.'),
  503: refused('The call could not be stored: call again, after `Retry-After` seconds.'),
  default: refused('Something went wrong on the server.'),
} as const

const pushed = (description: string): Answered => ({ description, content: { [json]: ['CallRefusal'] } })

const pushAnswers = {
  200: { description: 'The call is stored, or the monitor is paused.', content: { [json]: ['CallAnswer'] } },
  400: pushed('A push_metric monitor was told no number that counts. It was not called.'),
  404: pushed('There is no such address.'),
  413: pushed('The body has more than 1 MB.'),
  429: pushed('More than 60 calls in a minute for one monitor.'),
  503: pushed('The call could not be stored: call again, after `Retry-After` seconds.'),
  default: refused('Something went wrong on the server.'),
} as const

const body = { type: '*/*', schemas: [], isRequired: false } as const

const ends =
  '`start` says that a run began, `fail` and an exit code of 1 to 255 that it failed, and 0 that it succeeded. ' +
  `A body of a failure is kept: its first ${maxNoteLength} characters.`

type Address = { path: string; name: string; summary: string; description: string; parameters: readonly JsonSchema[] }

const addresses: readonly Address[] = [
  {
    path: `${callPath}{token}`,
    name: 'call',
    summary: 'Say that a job ran',
    description: 'A success; the body of a webhook monitor may state a status. A push_metric monitor is told a number.',
    parameters: [token, query('value', 'The number for a push_metric monitor. Left out, the body of a POST tells it.')],
  },
  {
    path: `${callPath}{token}/{suffix}`,
    name: 'call_with_outcome',
    summary: 'Say how a job ran',
    description: `${ends} An imported address may have two secret parts.`,
    parameters: [token, path('suffix', '`start`, `fail` or an exit code.')],
  },
  {
    path: `${callPath}{token}/{suffix}/{action}`,
    name: 'call_imported_with_outcome',
    summary: 'Say how a job ran, at an imported address of two parts',
    description: `${ends} \`log\` is answered and not kept.`,
    parameters: [
      token,
      path('suffix', 'The second part of the imported address.'),
      path('action', '`start`, `fail`, `log` or an exit code.'),
    ],
  },
]

/** Each address by GET and by POST; HEAD is answered as GET. */
export const callPaths: readonly Described[] = [
  ...addresses.flatMap(({ name, ...address }) => [
    { ...address, method: 'get', operationId: name, tag: 'Calls of jobs', answers } as const,
    { ...address, method: 'post', operationId: `${name}_and_body`, tag: 'Calls of jobs', body, answers } as const,
  ]),
  ...(['get', 'post'] as const).map((method): Described => ({
    path: `${pushPath}{token}`,
    method,
    operationId: method === 'get' ? 'push' : 'push_by_post',
    tag: 'Calls of jobs',
    summary: 'Say how a job ran, at an imported address of Uptime Kuma',
    description: 'Any `status` but `up` is a failure.',
    parameters: [
      path('token', 'The secret part of the imported address.'),
      query('status', 'Left out, it is `up`.'),
      query('msg', 'Kept as the note of a failure.'),
      query('ping', 'Milliseconds that the run took; for a push_metric monitor the number, unless `value` is.'),
      query('value', 'The number for a push_metric monitor.'),
    ],
    answers: pushAnswers,
  })),
]

function path(name: string, description: string): JsonSchema {
  return { name, in: 'path', required: true, description, schema: { type: 'string' } }
}

function query(name: string, description: string): JsonSchema {
  return { name, in: 'query', required: false, description, schema: { type: 'string' } }
}
