import type { Log } from './log.ts'

/** Writes down what went wrong inside while a request was answered; the caller is told nothing of it. */
export function createFailureLog(
  log: Pick<Log, 'error'>,
): (error: unknown, request: { method: string; path: string; requestId?: string }) => void {
  return (error, request) =>
    log.error('A request failed.', { ...request, error: error instanceof Error ? error.stack : String(error) })
}
