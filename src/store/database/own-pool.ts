import { Pool } from 'pg'

export type OwnPoolOptions = {
  /** By which the server's list of connections tells them apart. */
  name: string
  maxConnections: number
  /** 0 for no limit. */
  statementTimeoutMs: number
  lockTimeoutMs: number
}

/** Connections of their own to the same database, for work whose statements take longer than any other may. */
export function ownPool({ pool }: { pool: Pick<Pool, 'options'> }, options: OwnPoolOptions): Pool {
  const { name, maxConnections, statementTimeoutMs, lockTimeoutMs } = options
  const { password, options: session = '' } = pool.options
  const own = new Pool({
    ...pool.options,
    // The password is no property that a spread takes along.
    ...(password === undefined ? {} : { password }),
    max: maxConnections,
    min: 0,
    application_name: name,
    statement_timeout: statementTimeoutMs,
    options: `${session} -c lock_timeout=${lockTimeoutMs}`,
  })
  // A connection that breaks fails its statement; graphile-worker asks for both listeners.
  own.on('error', () => {})
  own.on('connect', (client) => client.on('error', () => {}))
  return own
}
