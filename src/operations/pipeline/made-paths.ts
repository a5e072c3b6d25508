import type { AnyOperation } from './operation.ts'

/**
 * By operation that makes something, the path at which the new thing is read: that of the GET that is one id longer.
 * An operation without such a GET is left out.
 */
export function madePaths(operations: readonly AnyOperation[]): ReadonlyMap<AnyOperation, string> {
  const reading = operations.filter(({ method }) => method === 'GET').map(({ path }) => path)
  return new Map(
    operations
      .filter(({ method, success, otherSuccess }) => method === 'POST' && [success, otherSuccess].some(isMaking))
      .flatMap((operation) => {
        const found = reading.find(
          (path) => path.replace(/\/\{\w+\}$/, '') === operation.path && path !== operation.path,
        )
        return found === undefined ? [] : [[operation, found]]
      }),
  )
}

function isMaking(success: AnyOperation['otherSuccess']): boolean {
  return success?.status === 201
}
