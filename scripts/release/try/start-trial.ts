import type { ChildProcess } from 'node:child_process'
import { runInside, user } from './fresh-root.ts'

const trialMs = 300_000
const port = 3000
/** Perigee watches itself: there is no other service on the loopback device of a fresh root. */
export const watchedAddress = `http://127.0.0.1:${port}/healthz`
const firstCheck = /^\S+ \S+ {2}up {2,}http:/m

export type Trial = { secondsToFirstCheck: number; output: string }

/** Compares what is read with a regular expression, which loads code that no start loads. */
const patternCheck = `check ${watchedAddress} --option body_pattern='"status": ?"o[k]"'`

/**
 * `prepare` unpacks or installs, `start` is the command that starts Perigee. Resolves when a check has been made, the service was
 * told to end by SIGTERM, and it did so with `endCode`. Throws otherwise, with what was printed.
 */
export async function tryStart(
  root: string,
  { prepare, start, as, endCode = 0 }: { prepare: string; start: string; as?: string; endCode?: number },
): Promise<Trial> {
  const script = `set -e
exec 3<&0
cd /home/${user.name}
${prepare}
export PERIGEE_ALLOW_PRIVATE_TARGETS=127.0.0.1/32
${start} start ${watchedAddress} </dev/null 3<&- &
service=$!
read -r _ <&3 || :
${start} ${patternCheck}
kill -TERM "$service"
code=0
wait "$service" || code=$?
test "$code" = ${endCode}`
  const began = performance.now()
  const child = runInside(root, script, as === undefined ? {} : { as })
  return watchTrial(child, { began, stop: () => child.stdin?.end('\n') })
}

/** Waits for a first check in what the process prints, calls `stop`, and waits for its end. */
export function watchTrial(child: ChildProcess, { began, stop }: { began: number; stop: () => void }): Promise<Trial> {
  let output = ''
  let seconds: number | null = null
  const deadline = setTimeout(() => child.kill('SIGKILL'), trialMs)
  return new Promise((resolve, reject) => {
    const read = (text: string): void => {
      output += text
      if (seconds !== null || !firstCheck.test(output)) return
      seconds = (performance.now() - began) / 1000
      try {
        stop()
      } catch (error) {
        child.kill('SIGKILL')
        reject(error)
      }
    }
    child.stdout?.setEncoding('utf8').on('data', read)
    child.stderr?.setEncoding('utf8').on('data', read)
    child.once('error', reject)
    child.once('close', (code, signal) => {
      clearTimeout(deadline)
      if (code === 0 && seconds !== null) return resolve({ secondsToFirstCheck: seconds, output })
      const when = seconds === null ? 'before' : 'after'
      reject(new Error(`It ended with ${signal ?? code} ${when} a check:\n${output}`))
    })
  })
}

/** What a command prints; throws when it fails. */
export async function printed(root: string, script: string, as?: string): Promise<string> {
  const child = runInside(root, script, as === undefined ? {} : { as })
  const deadline = setTimeout(() => child.kill('SIGKILL'), trialMs)
  child.stdin?.end()
  let output = ''
  const read = (text: string): void => void (output += text)
  child.stdout?.setEncoding('utf8').on('data', read)
  child.stderr?.setEncoding('utf8').on('data', read)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(deadline)
      if (code === 0) resolve(output)
      else reject(new Error(`${script} ended with ${code}:\n${output}`))
    })
  })
}
