import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'

/** A process that does not outlive this one, however this one ends short of SIGKILL. */
export function startChild(program: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  const child = spawn(program, args, options)
  const end = (): void => void child.kill('SIGTERM')
  process.on('exit', end)
  child.once('exit', () => process.off('exit', end))
  return child
}
