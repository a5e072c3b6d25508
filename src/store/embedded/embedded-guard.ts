import { spawn } from 'node:child_process'
import { programEnvironment } from './embedded-identity.ts'

/**
 * Ends a server when this process dies, however that happens: V8 aborts a process whose heap is full, and nothing in it
 * runs any more. A shell waits at a pipe of which this process alone has the other end, so that the kernel closes it. A
 * signal to all processes of the service spares the shell: the server is stopped last.
 *
 * The returned function lets the shell go when the server has ended by itself.
 */
export function guardServer(pid: number): () => void {
  const script = 'trap "" HUP INT TERM; read -r _ || kill -INT "$1"'
  const guard = spawn('/bin/sh', ['-c', script, guardName, String(pid)], {
    cwd: '/',
    env: programEnvironment,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // Where there is no shell, the next start ends a server that was left behind.
  guard.on('error', () => {})
  guard.stdin.on('error', () => {})
  guard.unref()
  return () => void guard.stdin.end('\n')
}

/** How lists of processes show the shell, before the pid of its server. */
export const guardName = 'perigee-postgres-guard'
