import type { AnyOperation } from './operation.ts'

/**
 * Where that what an operation makes is read afterwards: the path of the GET that is one id longer. Operations without
 * one are left out.
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
