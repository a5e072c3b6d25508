/** What `work` resolves to, or `otherwise` once `ms` have passed; then the signal of `work` is aborted. */
export async function inTime<T>(ms: number, otherwise: T, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const deadline = new AbortController()
  const { promise: late, resolve } = Promise.withResolvers<T>()
  const timer = setTimeout(() => {
    deadline.abort()
    resolve(otherwise)
  }, ms)
  return Promise.race([work(deadline.signal), late]).finally(() => clearTimeout(timer))
}
