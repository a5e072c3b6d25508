/** Returns a function that ends it. */
export function every(periodMs: number, work: () => void): () => void {
  const timer = setInterval(work, periodMs)
  return () => clearInterval(timer)
}

/** Waits for each run to end before the pause to the next begins. Returns a function that ends it. */
export function everyAfter(pauseMs: number, work: () => Promise<void>, onError: (error: unknown) => void): () => void {
  let isEnded = false
  let timer = setTimeout(run, pauseMs)
  function run(): void {
    work()
      .catch(onError)
      .finally(() => {
        if (!isEnded) timer = setTimeout(run, pauseMs)
      })
  }
  return () => {
    isEnded = true
    clearTimeout(timer)
  }
}
