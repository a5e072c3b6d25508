import type { ServerContext } from '@modelcontextprotocol/server'

/** What of a request lets us speak before its answer. */
export type Telling = Pick<ServerContext['mcpReq'], '_meta' | 'notify'>

const everyMs = 1000

/**
 * Tells a client that has sent a progress token that work goes on, and for how many seconds it has. The stream of the
 * answer carries it, so that it needs no session (Streamable HTTP of each revision, "Sending Messages to the Server").
 */
export async function whileTelling<Result>(
  { _meta: { progressToken } = {}, notify }: Telling,
  message: string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (progressToken === undefined) return work()
  let progress = 0
  const tell = async (): Promise<void> => {
    const params = { progressToken, progress, message }
    progress += everyMs / 1000
    // Who has gone away is told nothing; what was asked for is done all the same.
    await notify({ method: 'notifications/progress', params }).catch(() => {})
  }
  await tell()
  const timer = setInterval(() => void tell(), everyMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
