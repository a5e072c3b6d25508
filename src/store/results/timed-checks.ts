/**
 * When the response times of degraded checks began to count: the start of a UTC day, so that every day goes by one
 * rule. It was noted when the database came to this rule (docs/decisions/history-and-uptime.md, "Slow answers count").
 */
const slowAnswersSince = `(select (value #>> '{}')::timestamptz from settings where name = 'slow_answers_since')`

/**
 * Part of a statement: whether the response time of a check, or its lack of one, belongs to the figures of its day. Of
 * rows with `status` and `round_at`, merged ones as well: they never reach over midnight.
 */
export const isTimed = `(status = 'u' or status = 'g' and round_at >= ${slowAnswersSince})`
