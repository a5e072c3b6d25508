// What a line of the log is about: the fields by which an operator finds the other lines of the same matter.

/** `request_id` is what the answer says in `X-Request-Id`; `path` is the pattern of a route, because paths hold secrets. */
export type RequestLine = { request_id: string; method: string; path: string; status: number; ms: number }

/** `round` is the name of the round, its scheduled time in microseconds since 1970. */
export type RoundLine = { monitor_id: string; round: number; location: string; incident_id: string }

export type DeliveryLine = { delivery_id: string; alert_channel_id: string; attempt: number }

/** `job_id` is null for chores, which are no rows of the queue. */
export type JobLine = { task: string; job_id: string | null }

type Lines = { request: RequestLine; round: RoundLine; delivery: DeliveryLine; job: JobLine }

/** What work is about while it goes on: all lines that it writes have these fields. */
export type Subject =
  | Pick<RequestLine, 'request_id'>
  | Pick<RoundLine, 'monitor_id' | 'round'>
  | Pick<DeliveryLine, 'delivery_id'>
  | JobLine

/** Does the work, whose lines are about this subject until it ends. */
export type Within = <T>(subject: Subject, work: () => T) => T

/** For what writes no log. */
export const withinNothing: Within = (_, work) => work()

/** In which lines of its kind a field stands. */
type Presence = 'each' | 'some'

/** docs/operating.md ("What do the logs say?") lists them; a test compares the two. */
export const lineFields: { readonly [Kind in keyof Lines]: { readonly [Field in keyof Lines[Kind]]: Presence } } = {
  request: { request_id: 'each', method: 'some', path: 'some', status: 'some', ms: 'some' },
  round: { monitor_id: 'each', round: 'each', location: 'some', incident_id: 'some' },
  delivery: { delivery_id: 'each', alert_channel_id: 'some', attempt: 'some' },
  job: { task: 'each', job_id: 'each' },
}
