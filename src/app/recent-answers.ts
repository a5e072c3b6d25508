export type RecentOptions = { maxAgeMs: number; deadlineMs: number }

/**
 * Answers of `read` that are at most so old; callers meanwhile share one. Rejects when there is none by
 * the deadline: what is asked for a metric must not hold up the others.
 */
export function recent<T>(read: () => Promise<T>, { maxAgeMs, deadlineMs }: RecentOptions): () => Promise<T> {
  let known: { answer: Promise<T>; askedMs: number } | null = null
  return () => {
    const nowMs = performance.now()
    if (known === null || nowMs - known.askedMs > maxAgeMs) {
      const answer = within(read(), deadlineMs)
      const asked = { answer, askedMs: nowMs }
      known = asked
      // A failure is not remembered.
      answer.catch(() => {
        if (known === asked) known = null
      })
    }
    return known.answer
  }
}

async function within<T>(work: Promise<T>, limitMs: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`There was no answer within ${limitMs} ms.`)), limitMs)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
