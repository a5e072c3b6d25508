import type { Log } from './log.ts'

/** Writes down what went wrong inside while a request was answered; the caller is told nothing of it. */
export function createFailureLog(
  log: Pick<Log, 'error'>,
): (error: unknown, request: { method: string; path: string; requestId?: string }) => void {
  return (error, { requestId, method, path }) =>
    log.error('A request failed.', {
      ...(requestId === undefined ? {} : { request_id: requestId }),
      method,
      path,
      error: error instanceof Error ? error : String(error),
    })
}
