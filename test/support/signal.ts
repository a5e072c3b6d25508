/** Signals a process, or a group of them by its negated id. One that has ended since it was found is no error. */
export function signalLeft(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
